import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jest-rerun-'));
  mkdirSync(join(folder, 'tools'));
  for (const file of ['all', 'rerun', 'run-jest']) cpSync(resolve(`tools/jest/${file}.mjs`), join(folder, `tools/${file}.mjs`));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ jest: { testMatch: ['**/*.spec.js'], transform: {}, testTimeout: 1_000 } }));
  suite('good', 'expect(1).toBe(1)');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A suite with a test that does this, and one that passes. */
function suite(name: string, test: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, `${name}.spec.js`), `it('first', () => { ${test} });\nit('second', () => {});\n`);
}

/** A suite that fails the first `times` that it runs. */
const flaky = (name: string, times = 1, before = ''): void =>
  suite(
    name,
    `${before} const fs = require('fs'); const file = __filename + '.runs'; const runs = fs.existsSync(file) ? Number(fs.readFileSync(file)) : 0;
     fs.writeFileSync(file, String(runs + 1)); expect(runs).toBeGreaterThanOrEqual(${times});`,
  );

/** Whether the run, which fails, is forgiven, and the report that is left. */
async function runAll(): Promise<Record<string, unknown>> {
  await expect(run(process.execPath, ['tools/all.mjs'], { cwd: folder })).rejects.toMatchObject({ code: 1 });
  const again =
    "import('./tools/rerun.mjs').then(async ({ passAgain }) => process.exit((await passAgain('reports/jest.json', 3)) ? 0 : 1))";
  const isForgiven = await run(process.execPath, ['-e', again], { cwd: folder }).then(
    () => true,
    () => false,
  );
  const report = JSON.parse(readFileSync(join(folder, 'reports/jest.json'), 'utf8')) as Record<string, unknown>;
  return { ...report, isForgiven, flaky: (report['flaky'] as string[] | undefined)?.map((path) => path.slice(folder.length + 1)).sort() };
}

it('suites that pass when they run again do not fail the run, and are listed as flaky', async () => {
  flaky('one');
  flaky('two');
  expect(await runAll()).toMatchObject({ isForgiven: true, numFailedTests: 0, numPassedTests: 6, flaky: ['one.spec.js', 'two.spec.js'] });
});

it('an attack that only took too long runs again', async () => {
  flaky(
    'attacks/slow',
    1,
    `if (!require('fs').existsSync(__filename + '.runs')) { require('fs').writeFileSync(__filename + '.runs', '1'); return new Promise(() => {}); }`,
  );
  expect(await runAll()).toMatchObject({ isForgiven: true, flaky: ['attacks/slow.spec.js'] });
});

it.each<[string, () => void]>([
  ['fails again', () => suite('bad', 'expect(1).toBe(2)')],
  ['fails again the second time', () => flaky('seldom', 2)],
  ['does not start', () => writeFileSync(join(folder, 'broken.spec.js'), 'it(')],
  ['tries attacks', () => flaky('attacks/tenant')],
  ['tries attacks beside its feature', () => flaky('signup.attacks')],
  ['has hostile code', () => flaky('hostile-code')],
  ['tries races', () => flaky('installs-races')],
  ['draws its cases', () => flaky('drawn', 1, "require('crypto').randomInt(1);")],
  ['is one of more than three', () => ['two', 'three', 'four'].forEach((name) => flaky(name))],
])('nothing is forgiven where a suite %s, also beside one that passes', async (_what, prepare) => {
  flaky('one');
  prepare();
  expect(await runAll()).toMatchObject({ isForgiven: false, flaky: undefined });
});
