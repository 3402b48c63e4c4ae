// Runs the checks and the specs of a tier: node tools/test.mjs <tier> [options] [patterns].
// CONTRIBUTING.md describes the tiers and options. Each stage prints its findings; the last line
// counts tests and stages: `N passed, N failed`. Nx skips a stage if nothing has changed since it
// succeeded, and prints its output again (`npx nx reset` clears this cache). With a pattern or an
// option, only the build and the tests run.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { requireNode } from './bootstrap/node-version.mjs';

requireNode();
const { isBuilt } = await import('./bootstrap/build.mjs');
const { ensureDependencies } = await import('./bootstrap/dependencies.mjs');
const { Terminal } = await import('./bootstrap/terminal.mjs');
const { RedisServer } = await import('./jest/redis-server.mjs');
const { MOST_FLAKY } = await import('./jest/second-try.mjs');
const { readCommandLine, specFiles, specsWith, UsageError } = await import('./jest/tiers.mjs');

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { tier, patterns, name, testsOnly } = readOptions();
await ensureDependencies({ root, terminal: new Terminal(process.stdout, process.env) });

/** Written by tools/jest/all.mjs. */
const report = join(root, 'reports', `${tier}.json`);
/** Flaky suites of the latest run of each tier. */
const flakyReport = join(root, 'reports', 'flaky.json');
const bin = (/** @type {string} */ name) => join(root, 'node_modules', '.bin', name);
const SLOWEST_SHOWN = 20;

/** @typedef {[name: string, command: string[]]} Stage */
/** @type {Stage} */
const clientTypes = ['client types', [process.execPath, join(root, 'tools/client.mjs')]];
/**
 * The first stage of a whole run makes the types of the client, on which these targets depend.
 * Without this option, each Nx process would delete them and copy them from its cache while another
 * one reads them.
 */
const typesAreMade = '--exclude-task-dependencies';
const isWholeQuickTier = tier === 'quick' && !testsOnly;
/** @type {Stage} */
const build = ['build', [bin('nx'), 'run', 'workspace:build', ...(isWholeQuickTier ? [typesAreMade] : [])]];
/** @type {Stage} */
const format = ['format', [bin('nx'), 'run', 'workspace:format-all']];
/**
 * Runs one process for all projects: `nx run-many -t lint typecheck` would check shared libraries
 * again for each project.
 */
/** @type {Stage} */
const check = ['types and lint', [bin('nx'), 'run', 'workspace:check-all', typesAreMade]];
/** @type {Stage} */
const plainEnglish = ['plain English', [bin('nx'), 'run', 'workspace:plain-english']];
/** @type {Stage[]} */
const documents = [
  [
    'OpenAPI documents, collection, schemas and the table of variables are current',
    [process.execPath, join(root, 'dist/tools/openapi.js'), '--check'],
  ],
  ['OpenAPI documents keep the rules of Redocly', [bin('nx'), 'run', 'workspace:openapi-rules']],
];
/** Nx caches only the quick tier; a run of another tier always runs its specs. */
/** @type {Stage} */
const tests = [
  'tests',
  isWholeQuickTier
    ? [bin('nx'), 'run', 'workspace:test-quick', typesAreMade]
    : [
        process.execPath,
        join(root, 'tools/jest/all.mjs'),
        tier,
        ...(name === undefined ? [] : ['--name', name]),
        ...patterns,
      ],
];

let passed = 0;
let failed = 0;
/**
 * Failed stages with their output. It is empty for the tests, whose failures `printFailures`
 * prints.
 */
/** @type {Map<string, string>} */
const failedStages = new Map();
/** @type {import('./jest/second-try.mjs').FlakySuite[]} */
let flaky = [];

if (isWholeQuickTier) await runInTurn([clientTypes]);
// Prettier and ESLint run beside the build and the tests with low priority. Afterwards they would
// run alone for minutes, on one processor.
const checked =
  isWholeQuickTier && runInTurn([format, check, plainEnglish], { priority: os.constants.priority.PRIORITY_LOW });
const stages = isWholeQuickTier ? [build, ...documents] : isBuilt(root) ? [] : [build];
const canTest = await runInTurn(stages);
if (canTest) await runTests();
await checked;

// Prints failures again, because the output of a stage can be far above that of the tests.
if (canTest) for (const [stage, output] of failedStages) if (output) console.log(`\n✗ ${stage}\n${output}`);
if (failedStages.size) console.log(`\nFailed: ${[...failedStages.keys()].join(', ')}`);
console.log(`\n${flaky.length} flaky spec files; a run with more than ${MOST_FLAKY} is red`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);

/** Ends the process with exit code 2 if the command line is wrong. */
function readOptions() {
  try {
    const options = readCommandLine(process.argv.slice(2));
    specsWith(options.patterns, options.tier, specFiles(root));
    return options;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}

/** Runs the tests even if format, types or lint failed. */
async function runTests() {
  rmSync(report, { force: true });
  const redis = await startRedis();
  if (redis === undefined) return;
  const code = await runStage(tests, { stdio: 'inherit', env: redis ? { REDIS_URL: redis.url } : {} });
  await redis?.stop();
  const failedBefore = failed;
  count();
  writeFlaky();
  if (code !== 0 && failed === failedBefore) failed++; // too many flaky suites, or Jest itself failed
}

/**
 * Starts Redis. Null if the tier needs none; undefined, and counted as a failure, if it cannot
 * start.
 */
async function startRedis() {
  if (!tier.startsWith('redis')) return null;
  try {
    return await RedisServer.start();
  } catch (error) {
    console.log(`\n✗ ${/** @type {Error} */ (error).message}`);
    failedStages.set('tests', '');
    failed++;
    return undefined;
  }
}

/**
 * Counts the results. A suite that failed without a failed test is one failure. So is each skipped
 * test, unless `--name` selects tests.
 */
function count() {
  try {
    /** @type {import('./jest/second-try.mjs').Report} */
    const results = JSON.parse(readFileSync(report, 'utf8'));
    passed += results.numPassedTests;
    failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
    countSkipped(results);
    flaky = results.flaky ?? [];
    printSlowest(results.testResults);
    printFailures(results.testResults);
    printFlaky();
  } catch {
    failed++;
    failedStages.set('tests', '');
  }
}

/** @param {import('./jest/second-try.mjs').Report} results */
function countSkipped({ numPassedTests, numFailedTests, numPendingTests, numTodoTests }) {
  const skipped = numPendingTests + numTodoTests;
  if (name === undefined && skipped) {
    console.log(`\n✗ ${skipped} tests were skipped. A skipped test proves nothing: repair or delete it.`);
    failed += skipped;
  } else if (name !== undefined && !numPassedTests && !numFailedTests) {
    console.log(`\n✗ No test has a name that matches "${name}".`);
    failed++;
  }
}

function printFlaky() {
  for (const { file, test, message } of flaky) {
    console.log(`\nFlaky, failed first and passed alone: ${file}\n  ● ${test}\n${beginOf(message)}`);
  }
}

/** Keeps the flaky suites of other tiers. Writes nothing if only a part of the tier ran. */
function writeFlaky() {
  if (patterns.length || name !== undefined) return;
  const others = existsSync(flakyReport) ? JSON.parse(readFileSync(flakyReport, 'utf8')) : {};
  mkdirSync(dirname(flakyReport), { recursive: true });
  writeFileSync(flakyReport, `${JSON.stringify({ ...others, [tier]: flaky }, null, 2)}\n`);
}

/**
 * Repeats the failures at the end, because Jest printed them far above.
 *
 * @param {import('./jest/second-try.mjs').SuiteResult[]} suites
 */
function printFailures(suites) {
  for (const { name, status, message, assertionResults } of suites) {
    if (status !== 'failed') continue;
    console.log(`\n✗ ${relative(root, name)}`);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    for (const { fullName, failureMessages } of tests)
      console.log(`  ● ${fullName}\n${beginOf(failureMessages.join('\n'))}`);
    if (!tests.length) console.log(beginOf(message));
  }
}

/** @param {string} text */
function beginOf(text) {
  const LINES_SHOWN = 12;
  return text.split('\n').slice(0, LINES_SHOWN).join('\n');
}

/** @param {{ name: string, startTime: number, endTime: number }[]} suites */
function printSlowest(suites) {
  const slowest = suites
    .toSorted((a, b) => b.endTime - b.startTime - (a.endTime - a.startTime))
    .slice(0, SLOWEST_SHOWN);
  console.log('\nThe slowest:');
  for (const { name, startTime, endTime } of slowest) {
    console.log(`${((endTime - startTime) / 1000).toFixed(1).padStart(7)} s  ${relative(root, name)}`);
  }
}

/**
 * Runs the stages one after the other. Returns false if the build failed, because the tests need
 * it.
 *
 * @param {Stage[]} stages
 * @param {{ priority?: number }} options
 */
async function runInTurn(stages, options = {}) {
  for (const stage of stages) {
    const code = await runStage(stage, { stdio: 'pipe', ...options });
    if (code === 0) passed++;
    else failed++;
    if (code !== 0 && stage[0] === 'build') return false;
  }
  return true;
}

/**
 * Runs a stage. Piped output is printed when the stage ends, so that the output of two stages does
 * not mix.
 *
 * @param {Stage} stage
 * @param {{ stdio: 'inherit' | 'pipe', env?: NodeJS.ProcessEnv, priority?: number }} options
 * @returns {Promise<number>}
 */
async function runStage([name, [program = '', ...args]], { stdio, env = {}, priority }) {
  const started = Date.now();
  console.log(`\n── ${name}`);
  /** @type {Buffer[]} */
  const output = [];
  const code = await new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['inherit', stdio, stdio],
      env: { ...process.env, NX_TUI: 'false', ...env },
    });
    if (child.pid && priority !== undefined) os.setPriority(child.pid, priority);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => output.push(part));
    child.once('error', (error) => {
      output.push(Buffer.from(`${error.message}\n`));
      resolve(1);
    });
    child.once('close', (code) => resolve(code ?? 1));
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  const text = Buffer.concat(output).toString();
  if (code !== 0) failedStages.set(name, text);
  process.stdout.write(text && `\n${text}`);
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  return code;
}
