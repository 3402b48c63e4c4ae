import '@platform/persistence';
import { speedTricks } from '@platform/platform';
import { readFileSync } from 'node:fs';
import { esbuildNaming } from './esbuild-naming.mjs';

const jestRuntime = { name: 'jest-runtime', library: 'jest-runtime', version: '30.5.2' };
/** tools/jest/environment.cjs */
const jestSockets = { name: 'jest-sockets', library: 'pg', version: '8.23.1' };
const all = [...speedTricks, esbuildNaming, jestRuntime, jestSockets];

it.each(all)('$name: $library is still the version that it was written for', ({ library, version }) => {
  const { version: installed } = JSON.parse(readFileSync(`node_modules/${library}/package.json`, 'utf8')) as { version: string };
  // When it moved on: read what the trick replaces in the new version, measure again, and say the new version where the trick is.
  expect(installed).toBe(version);
});

it('docs/performance.md lists every one', () => {
  const listed = [...readFileSync('docs/performance.md', 'utf8').matchAll(/^\| `([a-z-]+)` /gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(all.map(({ name }) => name).sort());
});
