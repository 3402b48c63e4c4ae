// Compiles the whole workspace into dist/: one TypeScript program with Nest's Swagger plugin, which writes the OpenAPI schemas of
// request and response classes from their types, validators and comments; then the @platform/* aliases become relative paths. What runs a
// platform is bundled; the panel's front end and the sandbox of handlers are builds of their own.
import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as swaggerPlugin from '@nestjs/swagger/plugin';
import { replaceTscAliasPaths } from 'tsc-alias';
import ts from 'typescript';
import { buildSandbox } from './build-sandbox.mjs';
import { buildWeb } from './build-web.mjs';
import { bundlePrograms } from './bundle-programs.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const configFile = join(root, 'tsconfig.build.json');
const formatHost = { getCanonicalFileName: (/** @type {string} */ name) => name, getCurrentDirectory: () => root, getNewLine: () => '\n' };

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
cpSync(join(root, 'package.json'), join(root, 'dist', 'package.json'));
await Promise.all([bundlePrograms(root), buildSandbox(root), buildWeb(root)]);
