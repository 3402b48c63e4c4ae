// Bundles the sandbox process, which runs JavaScript handlers, into dist/sandbox. The result is one
// file that needs only the QuickJS of quickjs.wasm, so that the process gets read permission for
// these two files and nothing else.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { noteBundled } from './bundled-from.mjs';
import { FIRST_PAGES, withFirstPages } from './quickjs-memory.mjs';

const QUICKJS = '@jitl/quickjs-wasmfile-release-sync';
const { resolve } = createRequire(import.meta.url);

/** @param {string} root the folder of the workspace */
export async function buildSandbox(root) {
  const [sources, folder] = [join(root, 'apps/ext-webhook-host/src/code'), join(root, 'dist', 'sandbox')];
  // Script for QuickJS; its value is the function that the prelude exports.
  const prelude = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: [join(sources, 'vm', 'prelude.ts')],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    globalName: 'prelude',
    footer: { js: 'prelude.default' },
    target: 'es2022',
    tsconfig: join(root, 'tsconfig.base.json'),
  });
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: [join(sources, 'process', 'main.ts')],
    outfile: join(folder, 'main.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    define: { SANDBOX_PRELUDE: JSON.stringify(prelude.outputFiles[0]?.text), SANDBOX_FIRST_PAGES: String(FIRST_PAGES) },
    // The other form of this module looks for the path of its own file.
    alias: { [`${QUICKJS}/emscripten-module`]: resolve(`${QUICKJS}/emscripten-module`) },
  });
  const files = [prelude.metafile, metafile].flatMap(({ inputs }) => Object.keys(inputs));
  noteBundled(root, 'sandbox', [...files, resolve(`${QUICKJS}/wasm`)]);
  writeFileSync(join(folder, 'quickjs.wasm'), withFirstPages(readFileSync(resolve(`${QUICKJS}/wasm`))));
}
