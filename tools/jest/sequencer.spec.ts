import { createRequire } from 'node:module';
import { resolve } from 'node:path';

interface Test {
  path: string;
  context: object;
}
type Remembered = Record<string, [isGood: 0 | 1, milliseconds: number]>;
type SequencerClass = new (options: object) => {
  sort(tests: Test[]): Promise<Test[]>;
  _getCache(test: Test): Remembered;
};

const SIZES: Record<string, number> = {
  'apps/large.spec.ts': 9_000,
  'apps/small.spec.ts': 10,
  'tools/small.spec.ts': 10,
  'tools/tiny.spec.ts': 1,
};

beforeEach(() => delete process.env['TEST_ORDER_SEED']); // `npm run test:repeat` sets it for a random order

/**
 * Names of all suites in the order of a run. `times` are the durations of earlier runs that Jest
 * remembers.
 */
async function order(times: Record<string, number> = {}): Promise<string[]> {
  const Sequencer = createRequire(resolve('package.json'))('./tools/jest/sequencer.cjs') as SequencerClass;
  const sequencer = new Sequencer({ contexts: [], globalConfig: {} });
  const names = Object.keys(SIZES);
  const context = {
    config: { cache: false },
    hasteFS: { getSize: (path: string) => SIZES[names.find((name) => path === resolve(name)) ?? ''] },
  };
  const tests = names.map((name): Test => ({ path: resolve(name), context }));
  for (const test of tests) {
    const milliseconds = times[names.find((name) => test.path === resolve(name)) ?? ''];
    if (milliseconds !== undefined) sequencer._getCache(test)[test.path] = [1, milliseconds];
  }
  const sorted = await sequencer.sort(tests);
  return sorted.map(({ path }) => names.find((name) => path === resolve(name)) ?? path);
}

it('where nothing is remembered, files of the tools come first, and the largest of the others next', async () => {
  expect(await order()).toEqual([
    'tools/small.spec.ts',
    'tools/tiny.spec.ts',
    'apps/large.spec.ts',
    'apps/small.spec.ts',
  ]);
});

it('a file of the tools whose time is not known comes before those that are remembered', async () => {
  expect(await order({ 'apps/large.spec.ts': 9, 'apps/small.spec.ts': 8, 'tools/small.spec.ts': 7 })).toEqual([
    'tools/tiny.spec.ts',
    'apps/large.spec.ts',
    'apps/small.spec.ts',
    'tools/small.spec.ts',
  ]);
});

it('those that took longest come first, wherever they are', async () => {
  const times = { 'apps/large.spec.ts': 1, 'apps/small.spec.ts': 3, 'tools/small.spec.ts': 4, 'tools/tiny.spec.ts': 2 };
  expect(await order(times)).toEqual([
    'tools/small.spec.ts',
    'apps/small.spec.ts',
    'tools/tiny.spec.ts',
    'apps/large.spec.ts',
  ]);
});
