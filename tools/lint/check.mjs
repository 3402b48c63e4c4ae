// Types and lint of the whole workspace: one TypeScript program serves both, because each would take its time to work out the same types. With `--types` or `--lint` only that.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ESLint } from 'eslint';
import ts from 'typescript';

const WEB = 'apps/panel/web';
/** Folders that each program covers, and those below them that another one does. */
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
for (const { config, folders, without } of PARTS) {
  const program = programOf(config);
  if (all || values.types) report(typeErrors(program));
  if (all || values.lint) report(await lintErrors(program, folders, without));
}
process.exitCode = failures ? 1 : 0;

/** @param {string} text empty where nothing was found */
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
 * Warnings count, too.
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
