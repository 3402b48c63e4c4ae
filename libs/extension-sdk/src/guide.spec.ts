import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildExtension } from './build.js';

const [extension = '', test = ''] = [
  ...readFileSync('docs/extension-sdk.md', 'utf8').matchAll(/^```ts\n(.*?)^```$/gms),
].map(([, code]) => code);
const [readme = ''] = [...readFileSync('libs/extension-sdk/README.md', 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
  ([, code]) => code,
);

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'extension-guide-')));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}

it.each([
  ['docs/extension-sdk.md', extension],
  ['the README', readme],
])('%s shows an extension that can be deployed', async (_where, code) => {
  expect(await buildExtension(write('src/extension.ts', code))).toMatchObject({ issues: [], warnings: [] });
});

it('docs/extension-sdk.md shows a test that passes', async () => {
  write('src/extension.ts', extension);
  const outfile = join(folder, 'guide.test.cjs');
  await build({
    entryPoints: [write('test/extension.test.ts', test)],
    outfile,
    bundle: true,
    platform: 'node',
    alias: Object.fromEntries(
      [
        ['@platform/extension-sdk/testing', 'libs/extension-sdk/src/testing.ts'],
        ['@platform/extension-sdk', 'libs/extension-sdk/src/index.ts'],
        ['@platform/app-document', 'libs/app-document/src/index.ts'],
      ].map(([name = '', path = '']) => [name, resolve(path)]),
    ),
  });
  expect(execFileSync(process.execPath, ['--test', outfile], { encoding: 'utf8' })).toMatch(/^# pass 1$/m);
});
