import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withSourcePositions } from './source-positions.js';

beforeEach(() => {
  jest.useFakeTimers();
  jest.advanceTimersByTime(1); // lru-cache treats 0 as no time
});
afterEach(() => {
  jest.advanceTimersByTime(60_000); // all maps have left the cache
  jest.useRealTimers();
});

const folder = mkdtempSync(join(tmpdir(), 'source-places-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, map?: string): string => {
  if (map !== undefined) writeFileSync(join(folder, `${name}.map`), map);
  return pathToFileURL(join(folder, name)).href;
};
/** Columns 1 and 11 of the first line map to lines 3 and 8 of the source. */
const map = JSON.stringify({ version: 3, sources: ['libs/platform/src/thing.ts'], names: [], mappings: 'AAEA,UAKA' });

it('leads the frames of a bundle with a map to lines of the sources, and leaves all others', () => {
  const bundle = file('main.js', map);
  const bare = file('bare.js');
  const broken = file('broken.js', '{');
  const stack = [
    'Error: broken',
    `    at Thing.run (${bundle}:1:5)`,
    `    at async ${bundle}:1:14`,
    `    at other (${bundle}:7:1)`,
    `    at bare (${bare}:1:1)`,
    `    at broken (${broken}:1:1)`,
    '    at node:internal/process/task_queues:95:5',
  ];
  expect(withSourcePositions(stack.join('\n')).split('\n')).toEqual([
    'Error: broken',
    '    at Thing.run (libs/platform/src/thing.ts:3)',
    '    at async libs/platform/src/thing.ts:8',
    ...stack.slice(3),
  ]);
});

it('reads the map once for frames that come soon after each other, and for a frame that comes again', () => {
  const bundle = file('again.js', map);
  const [first, second, third] = [5, 14, 15].map((column) => `    at Thing.run (${bundle}:1:${column})`) as [
    string,
    string,
    string,
  ];
  const decoded = withSourcePositions(first);
  expect(decoded).toBe('    at Thing.run (libs/platform/src/thing.ts:3)');
  rmSync(join(folder, 'again.js.map'));
  expect(withSourcePositions(second)).toBe('    at Thing.run (libs/platform/src/thing.ts:8)');
  jest.advanceTimersByTime(60_000);
  expect(withSourcePositions(third)).toBe(third);
  expect(withSourcePositions(first)).toBe(decoded);
});

it('looks once for a map that is not there', () => {
  const bundle = file('later.js');
  const [first, second] = [5, 14].map((column) => `    at Thing.run (${bundle}:1:${column})`) as [string, string];
  expect(withSourcePositions(first)).toBe(first);
  file('later.js', map);
  expect(withSourcePositions(second)).toBe(second);
  jest.advanceTimersByTime(60_000);
  expect(withSourcePositions(second)).toBe('    at Thing.run (libs/platform/src/thing.ts:8)');
});

describe('what a message says that looks like a place', () => {
  it('is left as it is, unless a line of it looks like a frame', () => {
    const bundle = file('named.js', map);
    const message = [
      `Error: ${bundle}:1:5 is broken`,
      `at ${bundle}:1:5`,
      `  at ${bundle}:1:5`,
      `    see ${bundle}:1:5`,
    ];
    const frame = `    at ${bundle}:1:5`;
    expect(withSourcePositions([...message, frame].join('\n')).split('\n')).toEqual([
      ...message,
      '    at libs/platform/src/thing.ts:3',
    ]);
    const cause = ['  [cause]: Error: that', `      at Thing.run (${bundle}:1:5) {`];
    expect(withSourcePositions(cause.join('\n')).split('\n')).toEqual([
      cause[0],
      '      at Thing.run (libs/platform/src/thing.ts:3) {',
    ]);
  });

  it('costs no more than 50 frames of 500 characters', () => {
    const bundle = file('many.js', map);
    const frame = `    at Thing.run (${bundle}:1:5)`;
    const long = `    at ${'x'.repeat(500)} (${bundle}:1:5)`;
    const lines = withSourcePositions([long, ...Array<string>(60).fill(frame)].join('\n')).split('\n');
    expect(lines[0]).toBe(long);
    expect(lines.filter((line) => line === '    at Thing.run (libs/platform/src/thing.ts:3)')).toHaveLength(50);
    expect(lines.filter((line) => line === frame)).toHaveLength(10);
  });

  it('has no more than eight maps read within ten seconds', () => {
    const frames = Array.from({ length: 9 }, (_, at) => `    at Thing.run (${file(`bundle-${at}.js`, map)}:1:5)`);
    const decoded = frames.map(withSourcePositions);
    expect(decoded.slice(0, 8)).toEqual(Array(8).fill('    at Thing.run (libs/platform/src/thing.ts:3)'));
    expect(decoded[8]).toBe(frames[8]);
    jest.advanceTimersByTime(60_000);
    expect(withSourcePositions(frames[8] as string)).toBe(decoded[0]);
  });

  it('is no place before the first line or column, or after the last line', () => {
    const bundle = file('zero.js', map);
    for (const place of ['0:1', '1:0', '99999999999:1']) {
      const frame = `    at ${bundle}:${place}`;
      expect(withSourcePositions(frame)).toBe(frame);
    }
  });
});
