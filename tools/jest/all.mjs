// Runs the specs of a tier with Jest, then those that failed a second time: node tools/jest/all.mjs
// <tier> [options]. The report is reports/<tier>.json.
import { existsSync } from 'node:fs';
import { runJest } from './run-jest.mjs';
import { tryAgain } from './second-try.mjs';
import { readCommandLine, specFiles, specsWith, UsageError } from './tiers.mjs';

const { tier, patterns, name } = readOptions();
process.env['TEST_TIER'] = tier;
if (!tier.startsWith('redis')) delete process.env['REDIS_URL']; // for example the developer's own Redis
const report = `reports/${tier}.json`;
const options = name === undefined ? [] : ['--testNamePattern', name];
const files = patterns.length ? ['--runTestsByPath', ...specsWith(patterns, tier, specFiles('.'))] : [];
const code = await runJest(report, [...options, ...files]);
const isGreen = code === 0 ? existsSync(report) : await tryAgain(report, options);
process.exitCode = isGreen ? 0 : 1;

/** Ends the process with exit code 2 if the command line is wrong. */
function readOptions() {
  try {
    return readCommandLine(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}
