import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withSourcePlaces } from './source-places.js';

const folder = mkdtempSync(join(tmpdir(), 'source-places-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, map?: string): string => {
  if (map !== undefined) writeFileSync(join(folder, `${name}.map`), map);
  return pathToFileURL(join(folder, name)).href;
};
/** The first line, column 1 and column 11, are lines 3 and 8 of the source. */
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
  expect(withSourcePlaces(stack.join('\n')).split('\n')).toEqual([
    'Error: broken',
    '    at Thing.run (libs/platform/src/thing.ts:3)',
    '    at async libs/platform/src/thing.ts:8',
    ...stack.slice(3),
  ]);
});

it('reads the map once for a frame that comes again', () => {
  const bundle = file('again.js', map);
  const frame = `    at Thing.run (${bundle}:1:5)`;
  const first = withSourcePlaces(frame);
  rmSync(join(folder, 'again.js.map'));
  expect(withSourcePlaces(frame)).toBe(first);
});
