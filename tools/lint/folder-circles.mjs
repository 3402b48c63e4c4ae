import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

/**
 * @typedef {{ from: string; to: string; file: string; source: string }} Arrow one import of a
 *   value, between two folders
 * @typedef {{ folders: string[]; arrows: Arrow[] }} Circle folders that reach each other, and the
 *   imports among them
 */

/**
 * Imports of values between the folders below `root`. Type imports do not count, because they do
 * not exist at run time; specs can import everything.
 *
 * @param {string} root
 * @param {string[]} [except] folders and files of `root` to ignore
 * @returns {Arrow[]}
 */
export function arrowsBetweenFolders(root, except = []) {
  /** @type {Arrow[]} */
  const arrows = [];
  for (const file of sourceFiles(root)) {
    const path = relative(root, file).split(sep).join('/');
    if (isExcepted(path, except)) continue;
    const from = posix.dirname(path);
    for (const source of importedValues(file)) {
      const target = relative(root, resolve(dirname(file), source))
        .split(sep)
        .join('/');
      if (target.startsWith('..') || isExcepted(target, except)) continue;
      const to = posix.dirname(target);
      if (to !== from) arrows.push({ from, to, file: path, source });
    }
  }
  return arrows;
}

/**
 * Import cycles among the folders below `root`: each is a set of folders that reach each other by
 * imports of values.
 *
 * @param {string} root
 * @param {string[]} [except]
 * @returns {Circle[]}
 */
export function folderCircles(root, except = []) {
  const arrows = arrowsBetweenFolders(root, except);
  return stronglyConnected(arrows)
    .filter((folders) => folders.length > 1)
    .map((folders) => ({
      folders: folders.sort(),
      arrows: arrows.filter(({ from, to }) => folders.includes(from) && folders.includes(to)),
    }));
}

/**
 * @param {string} path
 * @param {string[]} except
 */
const isExcepted = (path, except) =>
  except.some((one) => path === one || path.replace(/\.(ts|js)$/, '') === one || path.startsWith(`${one}/`));

/**
 * @param {string} root
 * @returns {string[]}
 */
const sourceFiles = (root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(spec|content|d)\.tsx?$/.test(path))
    .map((path) => join(root, path))
    .sort();

/**
 * Relative paths from which a file imports or exports values.
 *
 * @param {string} file
 * @returns {string[]}
 */
function importedValues(file) {
  const program = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, false);
  /** @type {string[]} */
  const sources = [];
  /** @param {ts.Expression | undefined} source */
  const add = (source) => {
    if (source && ts.isStringLiteral(source) && source.text.startsWith('.')) sources.push(source.text);
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) {
      if (!importsTypesAlone(node.importClause)) add(node.moduleSpecifier);
    } else if (ts.isExportDeclaration(node)) {
      if (!exportsTypesAlone(node)) add(node.moduleSpecifier);
    } else {
      if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0]);
      ts.forEachChild(node, visit);
    }
  };
  visit(program);
  return sources;
}

/** @param {ts.ImportClause | undefined} clause */
const importsTypesAlone = (clause) =>
  clause !== undefined &&
  (clause.phaseModifier === ts.SyntaxKind.TypeKeyword ||
    (clause.name === undefined &&
      clause.namedBindings !== undefined &&
      ts.isNamedImports(clause.namedBindings) &&
      clause.namedBindings.elements.length > 0 &&
      clause.namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly)));

/** @param {ts.ExportDeclaration} node */
const exportsTypesAlone = (node) =>
  node.isTypeOnly ||
  (node.exportClause !== undefined &&
    ts.isNamedExports(node.exportClause) &&
    node.exportClause.elements.length > 0 &&
    node.exportClause.elements.every(({ isTypeOnly }) => isTypeOnly));

/**
 * Sets of folders that reach each other, by Tarjan's algorithm for strongly connected components.
 *
 * @param {Arrow[]} arrows
 * @returns {string[][]}
 */
function stronglyConnected(arrows) {
  /** @type {Map<string, Set<string>>} */
  const next = new Map();
  for (const { from, to } of arrows) next.set(from, (next.get(from) ?? new Set()).add(to));
  /** @type {Map<string, { index: number; low: number }>} */
  const seen = new Map();
  /** @type {string[]} */
  const stack = [];
  /** @type {string[][]} */
  const found = [];

  /** @param {string} folder */
  const visit = (folder) => {
    const own = { index: seen.size, low: seen.size };
    seen.set(folder, own);
    stack.push(folder);
    for (const to of next.get(folder) ?? []) {
      const other = seen.get(to) ?? visit(to);
      if (stack.includes(to)) own.low = Math.min(own.low, other.low);
    }
    if (own.low === own.index) found.push(stack.splice(stack.indexOf(folder)));
    return own;
  };
  for (const folder of next.keys()) if (!seen.has(folder)) visit(folder);
  return found;
}
