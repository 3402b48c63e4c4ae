// Bundles the file of the threads in which services check documents into dist/checks: a thread loads no more than it needs, and the file is
// where services find it, from their bundles and from the sources.
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
