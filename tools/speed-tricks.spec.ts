import '@platform/persistence';
import { speedTricks } from '@platform/platform';
import { readFileSync } from 'node:fs';
import { esbuildNamespaces } from './esbuild-namespaces.mjs';
import { esbuildNaming } from './esbuild-naming.mjs';
import { quickjsMemory, withFirstPages } from './quickjs-memory.mjs';

const jestRuntime = { name: 'jest-runtime', library: 'jest-runtime', version: '30.5.2' };
/** tools/jest/environment.cjs */
const jestSockets = { name: 'jest-sockets', library: 'pg', version: '8.23.1' };
const all = [...speedTricks, esbuildNaming, esbuildNamespaces, quickjsMemory, jestRuntime, jestSockets];

it.each(all)('$name: $library is still the version that it was written for', ({ library, version }) => {
  const { version: installed } = JSON.parse(readFileSync(`node_modules/${library}/package.json`, 'utf8')) as {
    version: string;
  };
  // After an update: read the replaced code in the new version, measure again, and set the new
  // version at the trick.
  expect(installed).toBe(version);
});

it('docs/performance.md lists every one', () => {
  const listed = [...readFileSync('docs/performance.md', 'utf8').matchAll(/^\| `([a-z-]+)` /gm)].map(
    ([, name]) => name,
  );
  expect(listed.sort()).toEqual(all.map(({ name }) => name).sort());
});

it('quickjs-memory fails when the memory is declared in another way, or there is no telling where', () => {
  const declared = [0x02, 0x01, 0x80, 0x02, 0x80, 0x80, 0x02];
  expect(() => withFirstPages(Buffer.from([0x02, 0x01, 0x80, 0x03, 0x80, 0x80, 0x02]))).toThrow('differently');
  expect(() => withFirstPages(Buffer.from([...declared, ...declared]))).toThrow('differently');
  expect([...withFirstPages(Buffer.from([7, ...declared, 7]))]).toEqual([
    7, 0x02, 0x01, 0xf0, 0x00, 0x80, 0x80, 0x02, 7,
  ]);
});
