// Builds the front end of the panel into dist/apps/panel/web, with compressed copies of the files
// that compress well.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { noteBundled } from './bundled-from.mjs';

const COMPRESSIBLE = /\.(js|css|svg)$/;

/** @param {string} root the folder of the workspace */
export async function buildWeb(root) {
  const folder = join(root, 'dist', 'apps', 'panel', 'web');
  const built = await build({ configFile: join(root, 'apps', 'panel', 'web', 'vite.config.mjs'), logLevel: 'warn' });
  const parts = [built].flat().flatMap((result) => ('output' in result ? result.output : []));
  noteBundled(
    root,
    'apps/panel/web',
    parts.flatMap((part) => ('moduleIds' in part ? part.moduleIds : [])),
  );
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}
