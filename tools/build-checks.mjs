// Bundles the file of the check threads, in which services check documents, into dist/checks. A
// thread then loads only the code it needs, and services find the file at one place, from bundles
// and from sources.
import { join } from 'node:path';
import { build } from 'esbuild';
import { noteBundled } from './bundled-from.mjs';

/** @param {string} root the folder of the workspace */
export async function buildChecks(root) {
  const { metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: [join(root, 'libs/app-document/src/checking/check-thread.ts')],
    outfile: join(root, 'dist', 'checks', 'worker.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    tsconfig: join(root, 'tsconfig.base.json'),
  });
  noteBundled(root, 'checks', Object.keys(metafile.inputs));
}
