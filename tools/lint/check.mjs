// Checks the types and lint rules of the whole workspace. Makes the types of the client before. One TypeScript program serves both,
// because each alone would compute the same types. `--types` or `--lint` runs only that part.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ESLint } from 'eslint';
import ts from 'typescript';
import { makeClientTypes } from '../client.mjs';

const WEB = 'apps/panel/web';
/** Folders that each program covers, and folders below them that another program covers. */
const PARTS = [
  { config: 'tsconfig.json', folders: ['apps', 'libs', 'tools', 'examples'], without: [WEB] },
  { config: join(WEB, 'tsconfig.json'), folders: [WEB], without: [] },
];
const host = {
  getCanonicalFileName: (/** @type {string} */ name) => name,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => '\n',
};

const { values } = parseArgs({ options: { types: { type: 'boolean' }, lint: { type: 'boolean' } } });
const all = !values.types && !values.lint;
let failures = 0;
await makeClientTypes(process.cwd());
for (const { config, folders, without } of PARTS) {
  const program = programOf(config);
  if (all || values.types) report(typeErrors(program));
  if (all || values.lint) report(await lintErrors(program, folders, without));
}
process.exitCode = failures ? 1 : 0;

/** @param {string} text empty if there is no finding */
function report(text) {
  if (!text) return;
  console.error(text);
  failures++;
}

/** @param {string} config */
function programOf(config) {
  const { config: read, error } = ts.readConfigFile(config, ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent(read, ts.sys, resolve(config, '..'));
  const errors = error ? [error, ...parsed.errors] : parsed.errors;
  if (errors.length) throw new Error(ts.formatDiagnostics(errors, host));
  return ts.createProgram(parsed.fileNames, parsed.options);
}

/** @param {ts.Program} program */
function typeErrors(program) {
  const diagnostics = ts.getPreEmitDiagnostics(program);
  return diagnostics.length ? ts.formatDiagnosticsWithColorAndContext(diagnostics, host) : '';
}

/**
 * Lints the folders. Warnings count, too.
 *
 * @param {ts.Program} program
 * @param {string[]} folders
 * @param {string[]} without
 */
async function lintErrors(program, folders, without) {
  const parserOptions = { projectService: false, programs: [program] };
  const eslint = new ESLint({ ignorePatterns: without, overrideConfig: { languageOptions: { parserOptions } } });
  const results = await eslint.lintFiles(folders);
  const formatter = await eslint.loadFormatter('stylish');
  return formatter.format(results);
}
