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
  ['OpenAPI documents, client and schemas are current', [process.execPath, join(root, 'dist/tools/openapi.js'), '--check']],
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

// Two lanes: build and tests, and format, types and lint. Tests need the build only. They wait often, and the other lane uses that time.
await Promise.all([testWhatIsBuilt(), testsOnly ? undefined : runInTurn([...checks, lint])]);

// What they said may be far above, between lines of Jest.
if (failedStages.length) console.log(`\nFailed: ${failedStages.join(', ')}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);

/** Runs the tests unless the build fails; what fails in the other lane does not stop them. */
async function testWhatIsBuilt() {
  if (!(await runInTurn(building))) return;
  rmSync(report, { force: true });
  const code = await runStage(tests, 'inherit');
  const failedBefore = failed;
  count();
  if (code !== 0 && failed === failedBefore) failed++; // such as a program that outlives the tests
}

/** A suite that could not even start has no failed test, but it failed. */
function count() {
  try {
    const results = JSON.parse(readFileSync(report, 'utf8'));
    passed += results.numPassedTests;
    failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
    printSlowest(results.testResults);
  } catch {
    failed++;
    if (!failedStages.includes('tests')) failedStages.push('tests');
  }
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
