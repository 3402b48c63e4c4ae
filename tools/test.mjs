// `npm test`: everything that must hold before a change lands. Each stage prints what it found; the last line counts the tests and
// the stages: `N passed, N failed`. A stage for which nothing has changed since it succeeded is not run again: Nx prints what it printed then
// (`npx nx reset` forgets it). With `--tests-only` and whatever else Jest understands, only the tests run, on a fresh build.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { requireNode } from './bootstrap/node-version.mjs';

requireNode();
const { ensureDependencies } = await import('./bootstrap/dependencies.mjs');
const { Terminal } = await import('./bootstrap/terminal.mjs');
const { passAgain } = await import('./jest/rerun.mjs');

const root = dirname(dirname(fileURLToPath(import.meta.url)));
await ensureDependencies({ root, terminal: new Terminal(process.stdout, process.env) });

/** Where tools/jest/all.mjs writes it. */
const report = join(root, 'reports/jest.json');
const bin = (/** @type {string} */ name) => join(root, 'node_modules', '.bin', name);
const SLOWEST_SHOWN = 20;
const testsOnly = process.argv.includes('--tests-only');
const jestOptions = process.argv.slice(2).filter((option) => option !== '--tests-only');

/** @typedef {[name: string, command: string[]]} Stage */
/** One process for all projects: those of `nx run-many -t lint typecheck` would check the libraries that they share again and again. */
/** @type {Stage} */
const lint = ['lint', [bin('nx'), 'run', 'workspace:lint-all']];
/** @type {Stage[]} */
const checks = [
  ['format', [bin('nx'), 'run', 'workspace:format-all']],
  ['types', [bin('nx'), 'run', 'workspace:typecheck-all']],
];
/** @type {Stage[]} */
const building = [
  ['build', [bin('nx'), 'run', 'workspace:build']],
  [
    'OpenAPI documents, client, collection, schemas and the table of variables are current',
    [process.execPath, join(root, 'dist/tools/openapi.js'), '--check'],
  ],
  ['OpenAPI documents keep the rules of Redocly', [bin('nx'), 'run', 'workspace:openapi-rules']],
];
/** @type {Stage} */
const tests = [
  'tests',
  testsOnly || jestOptions.length
    ? [process.execPath, join(root, 'tools/jest/all.mjs'), ...jestOptions]
    : [bin('nx'), 'run', 'workspace:test-all'],
];

let passed = 0;
let failed = 0;
/** @type {string[]} */
const failedStages = [];

// The build beside format, types and lint, each of which keeps one processor busy. Then the tests, alone: beside ESLint some of them waited too long.
const [isBuilt] = await Promise.all([runInTurn(building), testsOnly || runInTurn([...checks, lint])]);
if (isBuilt) await runTests();

// What they said may be far above, between lines of Jest.
if (failedStages.length) console.log(`\nFailed: ${failedStages.join(', ')}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);

/** Also where format, types or lint failed. */
async function runTests() {
  rmSync(report, { force: true });
  const failedAtFirst = (await runStage(tests, 'inherit')) !== 0;
  const isForgiven = failedAtFirst && (await passAgain(report, Number(process.env['RERUN_FAILED_SUITES'] ?? 0)));
  if (isForgiven) failedStages.splice(failedStages.indexOf(tests[0]), 1);
  const failedBefore = failed;
  count();
  if (failedAtFirst && !isForgiven && failed === failedBefore) failed++; // such as a program that outlives the tests
}

/** A suite that could not even start has no failed test, but it failed. */
function count() {
  try {
    const results = JSON.parse(readFileSync(report, 'utf8'));
    passed += results.numPassedTests;
    failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
    printSlowest(results.testResults);
    printFailures(results.testResults);
    for (const name of results.flaky ?? []) console.log(`\nFlaky, failed at first and passed when it ran again: ${relative(root, name)}`);
  } catch {
    failed++;
    if (!failedStages.includes('tests')) failedStages.push('tests');
  }
}

/** Once more, at the end: what Jest printed of them stands far above. @param {import('./jest/rerun.mjs').SuiteResult[]} suites */
function printFailures(suites) {
  for (const { name, status, message, assertionResults } of suites) {
    if (status !== 'failed') continue;
    console.log(`\n✗ ${relative(root, name)}`);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    for (const { fullName, failureMessages } of tests) console.log(`  ● ${fullName}\n${beginOf(failureMessages.join('\n'))}`);
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
  const slowest = suites.toSorted((a, b) => b.endTime - b.startTime - (a.endTime - a.startTime)).slice(0, SLOWEST_SHOWN);
  console.log('\nThe slowest:');
  for (const { name, startTime, endTime } of slowest) {
    console.log(`${((endTime - startTime) / 1000).toFixed(1).padStart(7)} s  ${relative(root, name)}`);
  }
}

/**
 * Returns false when the build failed, without which nothing after it makes sense.
 *
 * @param {Stage[]} stages
 */
async function runInTurn(stages) {
  for (const stage of stages) {
    const code = await runStage(stage, 'pipe');
    if (code === 0) passed++;
    else failed++;
    if (code !== 0 && stage[0] === 'build') return false;
  }
  return true;
}

/**
 * @param {Stage} stage
 * @param {'inherit' | 'pipe'} stdio what is piped is printed when the stage ends, so that no two are mixed
 * @returns {Promise<number>}
 */
async function runStage([name, [program = '', ...args]], stdio) {
  const started = Date.now();
  console.log(`\n── ${name}`);
  /** @type {Buffer[]} */
  const output = [];
  const code = await new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['inherit', stdio, stdio], env: { ...process.env, NX_TUI: 'false' } });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => output.push(part));
    child.once('error', (error) => {
      output.push(Buffer.from(`${error.message}\n`));
      resolve(1);
    });
    child.once('close', (code) => resolve(code ?? 1));
  });
  if (code !== 0) failedStages.push(name);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stdout.write(output.length ? `\n${Buffer.concat(output).toString()}` : '');
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  return code;
}
