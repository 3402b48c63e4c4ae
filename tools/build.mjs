// Compiles the whole workspace into dist/, after it has made the types of the client. It is one TypeScript program with Nest's Swagger plugin,
// which writes the OpenAPI schemas of request and response classes from their types, validators and
// comments. `refusals.json` lists the errors of each route. Then the @platform/* aliases become
// relative paths. The programs of the platform are bundled. The panel's front end, the sandbox and
// the packages that a platform serves have builds of their own.
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as swaggerPlugin from '@nestjs/swagger/plugin';
import { replaceTscAliasPaths } from 'tsc-alias';
import ts from 'typescript';
import { hashSources, stampOf } from './bootstrap/build.mjs';
import { buildChecks } from './build-checks.mjs';
import { buildSandbox } from './build-sandbox.mjs';
import { buildWeb } from './build-web.mjs';
import { bundlePrograms } from './bundle-programs.mjs';
import { makeClientTypes } from './client.mjs';
import { buildPackages } from './packages/build-packages.mjs';
import { refusalsOf } from './refusals.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const configFile = join(root, 'tsconfig.build.json');
const formatHost = {
  getCanonicalFileName: (/** @type {string} */ name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
};

const sources = hashSources(root);
await makeClientTypes(root);
const parsed = ts.parseJsonConfigFileContent(ts.readConfigFile(configFile, ts.sys.readFile).config, ts.sys, root);
const program = ts.createProgram(parsed.fileNames, parsed.options);
const diagnostics = ts.getPreEmitDiagnostics(program);
if (diagnostics.length) {
  console.error(ts.formatDiagnosticsWithColorAndContext(diagnostics, formatHost));
  process.exit(1);
}
rmSync(join(root, 'dist'), { recursive: true, force: true });
program.emit(undefined, undefined, undefined, false, {
  before: [
    swaggerPlugin.before(
      { introspectComments: true, classValidatorShim: true, esmCompatible: true, dtoFileNameSuffix: ['.dto.ts'] },
      program,
    ),
  ],
});
await replaceTscAliasPaths({ configFile, resolveFullPaths: true });
writeFileSync(join(root, 'dist', 'refusals.json'), JSON.stringify(refusalsOf(program)));
cpSync(join(root, 'package.json'), join(root, 'dist', 'package.json'));
await Promise.all([
  bundlePrograms(root),
  buildChecks(root),
  buildPackages(root, declarationsOf),
  buildSandbox(root),
  buildWeb(root),
]);
writeFileSync(stampOf(root), sources);
writeFileSync(join(root, 'dist', '.build'), hashOf(join(root, 'dist'))); // last, for programs that wait for a complete build

/** @param {string} file */
function declarationsOf(file) {
  let declarations = '';
  const source = program.getSourceFile(file);
  if (!source) throw new Error(`${file} is not part of the build.`);
  // The last argument forces declarations, though the build as a whole writes none. TypeScript uses
  // it for its own builds and does not declare it in its types.
  const emit = /** @type {(...parameters: unknown[]) => unknown} */ (program.emit);
  emit(
    source,
    (/** @type {string} */ _path, /** @type {string} */ text) => (declarations = text),
    undefined,
    true,
    undefined,
    true,
  );
  if (!declarations) throw new Error(`${file} has no declarations: TypeScript wrote none.`);
  return declarations;
}

/**
 * Hash of the paths and contents of all files, so that two builds of the same sources have the same
 * hash.
 *
 * @param {string} folder
 */
function hashOf(folder) {
  const hash = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).sort())
    hash.update(`${path}\0`).update(readFileSync(path));
  return hash.digest('hex');
}
