import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import ts from 'typescript';

/**
 * @typedef {{ file: string; line: number; table: string; how: 'writes' | 'registers' }} Access a
 *   file that changes rows of a table, or registers
 *   rows for account deletion or retention. The table is `?` if the statement computes it.
 * @typedef {{ file: string; table: string; entity: string }} Owner
 */

/**
 * Methods of an entity manager or query builder that change rows if their first argument is an
 * entity.
 */
const CHANGES = new Set([
  'clear',
  'create',
  'decrement',
  'delete',
  'getRepository',
  'increment',
  'insert',
  'into',
  'recover',
  'remove',
  'restore',
  'save',
  'softDelete',
  'softRemove',
  'update',
  'upsert',
]);

const COMPUTED = '?';
const NAME = String.raw`(?:ONLY\s+)?((?:"?\w+"?\.)?"?\w+"?|\?)`;
const WRITES = [
  new RegExp(String.raw`\b(?:INSERT\s+INTO|MERGE\s+INTO|DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?)\s+${NAME}`, 'g'),
  new RegExp(String.raw`\bUPDATE\s+${NAME}(?:\s+(?:AS\s+)?\w+)?\s+SET\b`, 'g'),
];

/**
 * Finds the code that changes tables of a service, and the code that registers rows for account
 * deletion or retention. Ignores specs, migrations and test helpers.
 *
 * @param {string} root
 * @returns {{ owners: Owner[]; accesses: Access[] }}
 */
export function tableAccesses(root) {
  const files = sourceFiles(root);
  const owners = [...files].flatMap(([file, program]) => entitiesOf(program).map((owner) => ({ file, ...owner })));
  const tables = new Map(owners.map(({ entity, table }) => [entity, table]));
  return { owners, accesses: [...files].flatMap(([file, program]) => accessesOf(file, program, tables)) };
}

/**
 * Accesses to a table from outside of its owner's folder and the folders below it. The owner is the
 * folder of the entity. `writers` names another folder that changes the rows, for tables without an
 * entity, and for tables whose entity is in a lower folder because other features read it.
 *
 * @param {string} root
 * @param {Record<string, string>} [writers] folders by tables
 * @returns {Access[]}
 */
export function foreignAccesses(root, writers = {}) {
  const { owners, accesses } = tableAccesses(root);
  const folders = Object.fromEntries(owners.map(({ table, file }) => [table, posix.dirname(file)]));
  return accesses.filter(({ file, table, how }) => {
    const folder = how === 'writes' ? (writers[table] ?? folders[table]) : (folders[table] ?? writers[table]);
    return folder === undefined || posix.relative(folder, file).startsWith('..');
  });
}

/**
 * @param {string} root
 * @returns {Map<string, ts.SourceFile>}
 */
const sourceFiles = (root) =>
  new Map(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((path) => path.split(sep).join('/'))
      .filter(
        (path) =>
          /\.ts$/.test(path) &&
          !/\.(spec|content|d)\.ts$/.test(path) &&
          !/(^|\/)(migrations|testing|generated)\//.test(path),
      )
      .sort()
      .map((path) => [
        path,
        ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true),
      ]),
  );

/**
 * @param {ts.SourceFile} program
 * @returns {{ table: string; entity: string }[]}
 */
function entitiesOf(program) {
  return program.statements.filter(ts.isClassDeclaration).flatMap((one) =>
    (ts.getDecorators(one) ?? []).flatMap(({ expression }) => {
      if (!ts.isCallExpression(expression) || expression.expression.getText(program) !== 'Entity') return [];
      const [table] = expression.arguments;
      return table && ts.isStringLiteral(table) && one.name ? [{ table: table.text, entity: one.name.text }] : [];
    }),
  );
}

/**
 * @param {string} file
 * @param {ts.SourceFile} program
 * @param {Map<string, string>} tables table names by entity name
 * @returns {Access[]}
 */
function accessesOf(file, program, tables) {
  /** @type {Access[]} */
  const accesses = [];
  /** @type {(node: ts.Node, table: string, how: Access['how']) => void} */
  const add = (node, table, how) => {
    accesses.push({ file, line: program.getLineAndCharacterOfPosition(node.getStart(program)).line + 1, table, how });
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    const text = textOf(node);
    if (text !== undefined) {
      for (const pattern of WRITES)
        for (const [, name = ''] of text.matchAll(pattern)) add(node, tableOf(name), 'writes');
    }
    if (ts.isCallExpression(node)) {
      const { expression } = node;
      const [first] = node.arguments;
      if (
        ts.isPropertyAccessExpression(expression) &&
        CHANGES.has(expression.name.text) &&
        first &&
        ts.isIdentifier(first)
      ) {
        const table = tables.get(first.text);
        if (table) add(node, table, 'writes');
      }
      if (ts.isIdentifier(expression) && expression.text === 'rowsOfUser') {
        for (const argument of node.arguments) add(argument, textOf(argument) ?? COMPUTED, 'registers');
      }
    }
    const expired = ts.isObjectLiteralExpression(node) ? tableOfExpiredRows(node) : undefined;
    if (expired) add(node, expired, 'registers');
    ts.forEachChild(node, visit);
  };
  visit(program);
  return accesses;
}

/**
 * Text of a string or template. Each computed part of a template becomes a `?`.
 *
 * @param {ts.Node} node
 * @returns {string | undefined}
 */
function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => ` ${COMPUTED} ${literal.text}`).join('');
}

/** @param {string} name can have a schema and quotes */
const tableOf = (name) => name.replaceAll('"', '').split('.').at(-1) ?? name;

/**
 * Table name in an object `{ table, key, where }`.
 *
 * @param {ts.ObjectLiteralExpression} node
 * @returns {string | undefined}
 */
function tableOfExpiredRows(node) {
  /** @type {Map<string, ts.Expression | undefined>} */
  const properties = new Map(
    node.properties.flatMap((one) => {
      if (!one.name || !ts.isIdentifier(one.name)) return [];
      return [[one.name.text, ts.isPropertyAssignment(one) ? one.initializer : undefined]];
    }),
  );
  if (!['table', 'key', 'where'].every((name) => properties.has(name))) return undefined;
  const table = properties.get('table');
  return (table && textOf(table)) ?? COMPUTED;
}
