import { build } from 'esbuild';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { withNamespacesOnce } from './esbuild-namespaces.mjs';

const FILES = {
  'library.cjs': 'exports.made = [];',
  // Imports the library before all of its names exist.
  'late.cjs': 'exports.early = 1; require("./circle.mjs"); exports.late = 2;',
  'circle.mjs': 'import * as late from "./late.cjs"; export const early = late;',
  'text.cjs': 'module.exports = "text";',
  'marked.cjs': 'exports.__esModule = true; exports.default = "own";',
  'node.mjs': 'import library from "./marked.cjs"; export const asNode = library;',
  'bundler.js': 'import library from "./marked.cjs"; export const asBundler = library;',
  'first.mjs': 'import * as library from "./library.cjs"; export const first = library;',
  'second.mjs': 'import * as library from "./library.cjs"; export const second = library;',
  'main.mjs':
    'import { first } from "./first.mjs"; import { second } from "./second.mjs"; import text from "./text.cjs"; import * as late from "./late.cjs"; import { early } from "./circle.mjs"; import { asNode } from "./node.mjs"; import { asBundler } from "./bundler.js"; globalThis.result = { late, early, first, second, text, asNode, asBundler };',
};

interface Result {
  late: Record<string, unknown>;
  early: Record<string, unknown>;
  first: Record<string, unknown>;
  second: Record<string, unknown>;
  text: string;
  asNode: unknown;
  asBundler: unknown;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'namespaces-'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function run(change: (texts: readonly string[]) => readonly string[]): Promise<Result> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'main.mjs')],
    bundle: true,
    write: false,
    format: 'iife',
    minifyWhitespace: true,
    keepNames: true,
  });
  const [text] = change(outputFiles.map((file) => file.text));
  const context: { result?: Result } = {};
  runInNewContext(text ?? '', context);
  return context.result as Result;
}

it('gives files that import a library the same namespace, with the names that esbuild gives', async () => {
  const { first, second, text } = await run(withNamespacesOnce);
  expect(first).toBe(second);
  expect(text).toBe('text');
  const esbuilds = await run((texts) => texts);
  expect(esbuilds.first).not.toBe(esbuilds.second);
  expect(Object.keys(first)).toEqual(Object.keys(esbuilds.first));
  expect(first).toEqual(esbuilds.first);
});

it('has the names that a library gets after it was first imported', async () => {
  const { late, early } = await run(withNamespacesOnce);
  expect(late).toBe(early);
  expect(late).toMatchObject({ early: 1, late: 2 });
});

it('keeps apart what Node.js and what bundlers take for the default of a library', async () => {
  const { asNode, asBundler } = await run(withNamespacesOnce);
  expect(asNode).toMatchObject({ default: 'own' });
  expect(asBundler).toBe('own');
});

it('says when esbuild makes namespaces in another way', () => {
  expect(() => withNamespacesOnce(['var __toESM=somethingElse;'])).toThrow('differently');
});
