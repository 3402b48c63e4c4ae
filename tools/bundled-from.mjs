// Writes the npm packages in each bundle to dist/bundled-from. The SBOM of an image
// (tools/images/sbom.mjs) reads these files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

const PACKAGE_FOLDER = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * @param {string} root the folder of the workspace
 * @param {string} folder of the bundles in dist
 * @param {Iterable<string>} inputs files in the bundles, absolute or relative to the root
 */
export const noteBundled = (root, folder, inputs) => write(root, folder.replaceAll('/', '-'), packagesOf(root, inputs));

/**
 * @param {string} root
 * @param {Record<string, string[]>} inputs files in each bundle, by the bundle's path relative to
 *   the root
 */
export function notePackagesOfFiles(root, inputs) {
  const entries = Object.entries(inputs).sort(([a], [b]) => (a < b ? -1 : 1));
  write(
    root,
    'programs',
    Object.fromEntries(entries.map(([file, of]) => [file.replaceAll(sep, '/'), packagesOf(root, of)])),
  );
}

/**
 * Folders of the packages that the files belong to, relative to the root.
 *
 * @param {string} root
 * @param {Iterable<string>} files
 */
function packagesOf(root, files) {
  const folders = Array.from(
    files,
    (file) => PACKAGE_FOLDER.exec(relative(root, resolve(root, pathOf(file))).replaceAll(sep, '/'))?.[1],
  );
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/**
 * Path without Vite's additions: a leading zero character for files that Vite generated, and a
 * query such as `?raw`.
 *
 * @param {string} file
 */
const pathOf = (file) => file.replace(/^\0/, '').replace(/\?.*$/, '');

/** @param {string} root @param {string} name @param {unknown} content */
function write(root, name, content) {
  const folder = join(root, 'dist', 'bundled-from');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(content));
}
