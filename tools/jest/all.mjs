// Runs the specs of a tier with Jest, and those that failed a second time: node tools/jest/all.mjs <tier> [options of Jest]. The report is reports/<tier>.json.
import { runJest } from './run-jest.mjs';
import { tryAgain } from './second-try.mjs';
import { tierNamed } from './tiers.mjs';

const [name = '', ...options] = process.argv.slice(2);
const tier = tierNamed(name);
process.env['TEST_TIER'] = tier;
const report = `reports/${tier}.json`;
const isGreen = (await runJest(report, options)) === 0 || (await tryAgain(report));
process.exitCode = isGreen ? 0 : 1;
