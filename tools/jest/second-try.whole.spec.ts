import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numRuntimeErrorTestSuites: number;
  flaky?: { file: string; test: string; message: string }[];
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jest-second-try-'));
  mkdirSync(join(folder, 'tools'));
  for (const file of ['all', 'second-try', 'run-jest', 'tiers'])
    cpSync(resolve(`tools/jest/${file}.mjs`), join(folder, `tools/${file}.mjs`));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const jest = { testMatch: ['**/*.spec.js'], transform: {}, maxWorkers: 2, workerIdleMemoryLimit: '1GB' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ jest }));
  suite('good', 'expect(1).toBe(1)');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a suite with one test that runs this code, and one that passes. */
function suite(name: string, test: string, more = ''): void {
  writeFileSync(join(folder, `${name}.spec.js`), `it('first', () => { ${test} });\nit('second', () => {});\n${more}\n`);
}

/** Writes a suite that fails in its first `times` runs. */
const flaky = (name: string, times = 1): void =>
  suite(
    name,
    `const fs = require('fs'); const file = __filename + '.runs'; const runs = fs.existsSync(file) ? Number(fs.readFileSync(file)) : 0;
     fs.writeFileSync(file, String(runs + 1)); expect(runs).toBeGreaterThanOrEqual(${times});`,
  );

async function runAll(...options: string[]): Promise<Report & { isGreen: boolean }> {
  const isGreen = await run(process.execPath, ['tools/all.mjs', 'quick', ...options], { cwd: folder }).then(
    () => true,
    () => false,
  );
  return { isGreen, ...(JSON.parse(readFileSync(join(folder, 'reports/quick.json'), 'utf8')) as Report) };
}

it('a run without failures has no second try', async () => {
  const report = await runAll();
  expect(report).toMatchObject({ isGreen: true, numPassedTests: 2 });
  expect(report.flaky).toBeUndefined();
});

it('a suite that passes alone is flaky, with its first failure, and the run is green', async () => {
  flaky('one');
  const report = await runAll();
  expect(report).toMatchObject({ isGreen: true, numFailedTests: 0, numPassedTests: 4 });
  expect(report.flaky).toEqual([
    { file: 'one.spec.js', test: 'first', message: expect.stringContaining('toBeGreaterThanOrEqual') },
  ]);
});

it('four flaky suites make the run red', async () => {
  for (const name of ['one', 'two', 'three', 'four']) flaky(name);
  const report = await runAll();
  expect(report).toMatchObject({ isGreen: false, numFailedTests: 0, numPassedTests: 10 });
  expect(report.flaky).toHaveLength(4);
});

it.each<[string, () => void, Partial<Report>]>([
  ['always fails', () => suite('bad', 'expect(1).toBe(2)'), { numFailedTests: 1 }],
  ['fails twice', () => flaky('seldom', 2), { numFailedTests: 1 }],
  [
    'fails and leaves a timer',
    () => suite('busy', 'setInterval(() => {}, 1_000); expect(1).toBe(2)'),
    { numFailedTests: 1 },
  ],
  [
    'fails after its tests',
    () => suite('late', '', 'afterAll(() => expect(1).toBe(2))'),
    { numFailedTests: 0, numRuntimeErrorTestSuites: 1 },
  ],
  [
    'does not start',
    () => writeFileSync(join(folder, 'broken.spec.js'), 'it('),
    { numFailedTests: 0, numRuntimeErrorTestSuites: 1 },
  ],
])('a suite that %s makes the run red, and a flaky one beside it is still named', async (_what, prepare, counts) => {
  flaky('one');
  prepare();
  const report = await runAll();
  expect(report).toMatchObject({ isGreen: false, ...counts });
  expect(report.flaky).toMatchObject([{ file: 'one.spec.js' }]);
});

it('a snapshot that no test has any more makes the run red, also beside a flaky suite', async () => {
  flaky('one');
  mkdirSync(join(folder, '__snapshots__'));
  writeFileSync(
    join(folder, '__snapshots__/good.spec.js.snap'),
    '// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing\n\nexports[`gone 1`] = `1`;\n',
  );
  expect(await runAll()).toMatchObject({ isGreen: false });
});

it('a suite of which a name is asked has its second try with that name', async () => {
  flaky('one');
  expect(await runAll('--name', 'first')).toMatchObject({ isGreen: true, numPassedTests: 2, numPendingTests: 2 });
});
