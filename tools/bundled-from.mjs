// Notes which packages of npm are in what a build bundled, in dist/bundled-from. The SBOM of an image (tools/images/sbom.mjs) reads that.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

const PACKAGE_FOLDER = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * @param {string} root the folder of the workspace
 * @param {string} folder of dist, where the bundles are
 * @param {Iterable<string>} inputs the files that are in the bundles, absolute or from the root
 */
export const noteBundled = (root, folder, inputs) => write(root, folder.replaceAll('/', '-'), packagesOf(root, inputs));

/**
 * @param {string} root
 * @param {Record<string, string[]>} inputs by the file that they are bundled into, from the root
 */
export function notePackagesOfFiles(root, inputs) {
  const entries = Object.entries(inputs).sort(([a], [b]) => (a < b ? -1 : 1));
  write(root, 'programs', Object.fromEntries(entries.map(([file, of]) => [file.replaceAll(sep, '/'), packagesOf(root, of)])));
}

/**
 * The folders of the packages, from the root.
 *
 * @param {string} root
 * @param {Iterable<string>} files
 */
function packagesOf(root, files) {
  const folders = Array.from(files, (file) => PACKAGE_FOLDER.exec(relative(root, resolve(root, pathOf(file))).replaceAll(sep, '/'))?.[1]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/** Vite marks files that it made itself with a zero, and adds what it is to make of a file. @param {string} file */
const pathOf = (file) => file.replace(/^\0/, '').replace(/\?.*$/, '');

/** @param {string} root @param {string} name @param {unknown} content */
function write(root, name, content) {
  const folder = join(root, 'dist', 'bundled-from');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(content));
}
