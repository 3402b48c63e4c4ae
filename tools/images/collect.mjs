// Copies the contents of an image from the built workspace into a folder: `node
// tools/images/collect.mjs <image> <folder> [sbom] [status]`. docker/Dockerfile calls it. `sbom` is
// a file with the output of `npm sbom`; without it the script runs that command. `status` is dpkg's
// status file of the image's system.
import { build } from 'esbuild';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { CONTENTS } from './contents.mjs';
import { debianComponents } from './debian-components.mjs';
import { readWorkspaceSbom, sbomOf, withSystem } from './sbom.mjs';

const root = resolve(import.meta.dirname, '../..');
const [image = '', target = '', sbomFile, statusFile] = process.argv.slice(2);
const contents = CONTENTS[image];
if (!contents || !target) {
  console.error(`Usage: node tools/images/collect.mjs <${Object.keys(CONTENTS).join('|')}> <folder> [sbom] [status]`);
  process.exit(1);
}

const { programs, files = [], packages = [] } = contents;
const imported = await importedBy(programs);
const installed = packageFolders(packages);
for (const path of [...imported, ...files, ...installed]) copy(path);
writeFileSync(join(target, 'package.json'), JSON.stringify({ type: 'module', private: true }));
const held = new Set([...installed, ...imported.flatMap(bundledInProgram), ...files.flatMap(bundledInFolder)]);
const system = statusFile ? debianComponents(readFileSync(statusFile, 'utf8')) : [];
const sbom = withSystem(sbomOf(image, readWorkspaceSbom(root, sbomFile), root, held), system);
writeFileSync(join(target, 'sbom.cdx.json'), JSON.stringify(sbom, null, 1));

/** Packages that are bundled in the file of a program. @param {string} file @returns {string[]} */
function bundledInProgram(file) {
  return readNote('programs')?.[file] ?? [];
}

/**
 * Packages that are bundled in a folder with a build of its own.
 *
 * @param {string} folder
 * @returns {string[]}
 */
function bundledInFolder(folder) {
  return readNote(relative('dist', folder).replaceAll('/', '-')) ?? [];
}

/** Reads a list that tools/bundled-from.mjs wrote. @param {string} name */
function readNote(name) {
  const file = join(root, 'dist', 'bundled-from', `${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** @param {string} path relative to the root of the workspace; the same in the image */
function copy(path) {
  const to = join(target, path);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(root, path), to, { recursive: true, dereference: true });
}

/**
 * Files of the programs and all their imports, with the source maps.
 *
 * @param {readonly string[]} programs
 */
async function importedBy(programs) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: programs.map((program) => `dist/${program}`),
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'dist',
    logLevel: 'error',
  });
  const files = Object.keys(metafile.inputs);
  return [...files, ...files.map((file) => `${file}.map`).filter((file) => existsSync(join(root, file)))];
}

/**
 * Folders of these packages and of their dependencies that are installed. Of a package with one
 * build per kind of machine, only the build for this machine is installed.
 *
 * @param {readonly string[]} names
 */
function packageFolders(names) {
  /** @type {Set<string>} */
  const found = new Set();
  const waiting = names.map((name) => ({ name, from: root }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { name, from } = next;
    const folder = folderOf(name, from);
    if (!folder || found.has(folder)) continue;
    found.add(folder);
    /** @type {{ dependencies?: object, optionalDependencies?: object }} */
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    );
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies }))
      waiting.push({ name: needed, from: join(root, folder) });
  }
  return [...found];
}

/**
 * @param {string} name
 * @param {string} from
 */
function folderOf(name, from) {
  const folders = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  const folder = folders.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')));
  return folder && relative(root, folder);
}
