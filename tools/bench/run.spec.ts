import type { Context, Measurement, Result } from './measurement.js';
import type { BenchPlatform } from './platform/bench-platform.js';
import { exitCodeOf, runAll, summaryOf } from './run.js';

let cleared = 0;
const platform = {
  clear: () => {
    cleared++;
    return Promise.resolve();
  },
} as unknown as BenchPlatform;
const context: Context = { platform, rounds: 1, progress: () => undefined };

const HEAD = ['', 'ratio'];
const row = (name: string, isReached = true): Measurement => ({
  title: `The speed of ${name}`,
  measure: () => Promise.resolve<Result>({ table: { head: HEAD, rows: [[name, '0.71']] }, isReached, figures: [0.71] }),
});
const broken: Measurement = {
  title: 'The speed of glue',
  measure: () => Promise.reject(new Error('It stuck.\nBadly.')),
};
const endless: Measurement = { title: 'The speed of rust', measure: () => new Promise(() => undefined) };

const run = async (...measurements: Measurement[]) => {
  const printed: string[] = [];
  const ended = await runAll(measurements, context, (text) => printed.push(text), [], 20);
  return { printed, ended };
};

it('prints each measurement when it ends, with its time', async () => {
  const printed: string[] = [];
  const second: Measurement = {
    title: 'The second',
    measure: () => Promise.resolve({ text: `${printed.length} before`, isReached: true, figures: [] }),
  };
  await runAll([row('sound'), second], context, (text) => printed.push(text));
  expect(printed[0]).toMatch(/^✓ The speed of sound \(\d+\.\d s\)\n\s+ratio\nsound +0\.71\n$/);
  expect(printed[1]).toMatch(/^✓ The second \(\d+\.\d s\)\n1 before\n$/);
});

it('goes on after one that fails and one that does not end, and clears away what each left', async () => {
  cleared = 0;
  const { printed, ended } = await run(row('sound'), broken, endless, row('light'));
  expect(printed[1]).toMatch(/^✗ The speed of glue \(\d+\.\d s\)\nfailed: It stuck\.\nBadly\.\n$/);
  expect(printed[2]).toMatch(
    /^✗ The speed of rust \(\d+\.\d s\)\nfailed: The measurement did not end within .* minutes\.\n$/,
  );
  expect(printed[3]).toContain('light');
  expect(ended).toHaveLength(4);
  expect(cleared).toBe(4);
});

it('measures once more what missed a bar, and keeps both', async () => {
  let measured = 0;
  const moody: Measurement = {
    title: 'The speed of clouds',
    measure: () => Promise.resolve({ text: 'x', isReached: ++measured > 1, figures: [] }),
  };
  const { printed, ended } = await run(moody, row('sound'), broken);
  expect(printed.map((text) => text.split(' (')[0])).toEqual([
    '✗ The speed of clouds',
    '✓ The speed of sound',
    '✗ The speed of glue',
    '✓ The speed of clouds, again',
  ]);
  expect(summaryOf(ended)).toMatch(/The speed of clouds, again +\d+\.\d s +✓/);
});

it('has one table at the end of all that have the same columns, and every measurement in a list of what came of it', async () => {
  const { ended } = await run(row('sound'), broken, row('light', false));
  const lines = summaryOf(ended).split('\n');
  expect(lines.slice(0, 4)).toEqual(['        ratio', 'sound    0.71', 'light    0.71', 'light    0.71']);
  expect(lines.slice(-4).map((line) => line.replace(/\d+\.\d s/, '0.0 s').replace(/ {2,}/g, '  '))).toEqual([
    'The speed of sound  0.0 s  ✓',
    'The speed of glue  0.0 s  ✗  failed: It stuck.',
    'The speed of light  0.0 s  ✗  a bar was missed',
    'The speed of light, again  0.0 s  ✗  a bar was missed',
  ]);
});

it('exits with 1 when one failed, and where it is strict, also when a bar was missed twice', async () => {
  let measured = 0;
  const moody: Measurement = {
    title: 'The speed of clouds',
    measure: () => Promise.resolve({ isReached: ++measured > 1, figures: [] }),
  };
  const good = await run(row('sound'), moody);
  const missed = await run(row('sound', false));
  const failed = await run(broken);
  expect([good, missed, failed].map(({ ended }) => exitCodeOf(ended, false))).toEqual([0, 0, 1]);
  expect([good, missed, failed].map(({ ended }) => exitCodeOf(ended, true))).toEqual([0, 1, 1]);
});
