// `npm test`: everything that must hold before a change lands. Each stage prints what it found; the last line counts the tests and
// the stages: `N passed, N failed`. With `--tests-only` and whatever else Jest understands, only the tests run, on a fresh build.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { requireNode } from './start/node-version.mjs';

requireNode();
const { ensureDependencies } = await import('./start/dependencies.mjs');
const { Terminal } = await import('./start/terminal.mjs');

const root = dirname(dirname(fileURLToPath(import.meta.url)));
await ensureDependencies({ root, terminal: new Terminal(process.stdout, process.env) });

const reports = mkdtempSync(join(tmpdir(), 'platform-test-report-'));
const report = join(reports, 'jest.json');
const bin = (/** @type {string} */ name) => join(root, 'node_modules', '.bin', name);
const SLOWEST_SHOWN = 20;
const testsOnly = process.argv.includes('--tests-only');
const jestOptions = process.argv.slice(2).filter((option) => option !== '--tests-only');

/** @type {[string, string[]][]} */
const checks = [
  ['format', [bin('prettier'), '--check', '--log-level', 'warn', '.']],
  ['lint and types', [bin('nx'), 'run-many', '-t', 'lint', 'typecheck']],
];
/** @type {[string, string[]][]} */
const tests = [
  ['build', [bin('nx'), 'run', 'workspace:build']],
  ['OpenAPI documents, client and schemas are current', [process.execPath, join(root, 'dist/tools/openapi.js'), '--check']],
  ['tests', [bin('jest'), '--json', `--outputFile=${report}`, ...jestOptions]],
];

let passed = 0;
let failed = 0;

for (const [name, command] of testsOnly ? tests : [...checks, ...tests]) {
  const started = Date.now();
  console.log(`\n── ${name}`);
  const code = await run(command);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  if (name === 'tests') count();
  else if (code === 0) passed++;
  else failed++;
  if (code !== 0 && name === 'build') break; // the tests run what was built
}

rmSync(reports, { recursive: true, force: true });
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);

/** A suite that could not even start has no failed test, but it failed. */
function count() {
  try {
    const results = JSON.parse(readFileSync(report, 'utf8'));
    passed += results.numPassedTests;
    failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
    printSlowest(results.testResults);
  } catch {
    failed++;
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
 * @param {string[]} command
 * @returns {Promise<number>}
 */
function run([program = '', ...args]) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, NX_TUI: 'false' } });
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
