import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { filesOf, readCommandLine, specFiles, specsWith, TIERS, UsageError } from './tiers.mjs';

const run = promisify(execFile);
const FILES = ['apps/a.spec.ts', 'apps/b.engines.spec.ts', 'tools/c.whole.spec.ts', 'tools/d.engines.whole.spec.ts'];

it('the name of a spec file says its tiers', () => {
  expect(Object.fromEntries(TIERS.map((tier) => [tier, filesOf(tier, FILES)]))).toEqual({
    quick: ['apps/a.spec.ts', 'apps/b.engines.spec.ts'],
    whole: ['tools/c.whole.spec.ts', 'tools/d.engines.whole.spec.ts'],
    redis: ['apps/b.engines.spec.ts', 'tools/d.engines.whole.spec.ts'],
    'redis-short': ['apps/b.engines.spec.ts'],
  });
});

it('quick and whole have each spec of the project once', () => {
  const files = specFiles(resolve('.'));
  expect([...filesOf('quick', files), ...filesOf('whole', files)].sort()).toEqual(files);
  expect(files).toContain('tools/jest/tiers.spec.ts');
});

it.each(TIERS)('Jest finds the same files in the tier %s', async (tier) => {
  const { stdout } = await run(process.execPath, ['node_modules/jest/bin/jest.js', '--listTests'], {
    env: { ...process.env, TEST_TIER: tier },
    maxBuffer: 10_000_000,
  });
  const listed = stdout.split('\n').filter((line) => line.endsWith('.spec.ts'));
  expect(listed.sort()).toEqual(
    filesOf(tier, specFiles(resolve('.')))
      .map((file) => resolve(file))
      .sort(),
  );
});

it('a pattern or a name asks for the tests only', () => {
  expect(readCommandLine(['quick'])).toEqual({ tier: 'quick', patterns: [], name: undefined, testsOnly: false });
  expect(readCommandLine(['quick', '--tests-only'])).toMatchObject({ testsOnly: true, patterns: [] });
  expect(readCommandLine(['redis', '--short'])).toMatchObject({ tier: 'redis-short', testsOnly: false });
  expect(readCommandLine(['whole', 'smoke', '-t', 'a name'])).toEqual({
    tier: 'whole',
    patterns: ['smoke'],
    testsOnly: true,
    name: 'a name',
  });
});

it.each<[string, string[], RegExp]>([
  ['an unknown tier', ['slow'], /^There is no tier "slow"\. The tiers are quick, whole, redis, redis-short\.$/],
  ['no tier', [], /^There is no tier ""/],
  ['an unknown option', ['quick', '--watch'], /^Unknown option '--watch'\. Options: --tests-only/],
  ['--short elsewhere', ['whole', '--short'], /^Only npm run test:redis takes --short\.$/],
])('%s is a usage error', (_what, parameters, message) => {
  expect(() => readCommandLine(parameters)).toThrow(UsageError);
  expect(() => readCommandLine(parameters)).toThrow(message);
});

it('a pattern without a spec is a usage error that names the tier which has some', () => {
  expect(() => specsWith(['tools/c'], 'quick', FILES)).toThrow('Run npm run test:whole -- tools/c');
  expect(() => specsWith(['nothing'], 'whole', FILES)).toThrow(/^No spec of this tier has "nothing" in its path\.$/);
  expect(() => specsWith(['('], 'quick', FILES)).toThrow('"(" is not a valid regular expression.');
});

it.each([
  ['a part of the path', ['A.SPEC']],
  ['a path from the root', ['./apps/a.spec.ts']],
  ['an absolute path', [resolve('apps/a.spec.ts')]],
  ['two that match the same file', ['apps/a', 'a.spec']],
])('a spec is found by %s', (_what, patterns) => {
  expect(specsWith(patterns, 'quick', FILES)).toEqual(['apps/a.spec.ts']);
});

it.each([
  ['tools/test.mjs', ['quick', '--nonsense']],
  ['tools/test.mjs', ['nonsense']],
  ['tools/jest/all.mjs', ['nonsense']],
  ['tools/repeat-tests.mjs', ['--tier', 'nonsense']],
  ['tools/repeat-tests.mjs', ['--times', '0']],
  ['tools/repeat-tests.mjs', ['--date', 'tomorrow']],
  ['tools/repeat-tests.mjs', ['--nonsense']],
])('%s %j ends with one line and exit code 2', async (program, parameters) => {
  const ended = run(process.execPath, [program, ...parameters]);
  await expect(ended).rejects.toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^[^\n]+\n$/) });
});
