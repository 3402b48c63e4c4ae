import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { GENERAL_CODES, isErrorCode, OAUTH_CODES } from './error-codes.js';

const ROOT = join(import.meta.dirname, '../../..');
const BARE: ReadonlySet<string> = new Set([...GENERAL_CODES, ...OAUTH_CODES]);

interface Code {
  code: string;
  /** Source position. */
  at: string;
}

/**
 * Error codes in the sources of all services: arguments of `AppError`, of functions that create
 * one, and arguments of these.
 */
const codes = sources().flatMap(codesOf);

it('finds the codes of every service', () => {
  const found = new Set(codes.map(({ code }) => code));
  expect([...found]).toEqual(
    expect.arrayContaining([
      'rate_limited',
      'role.in_use',
      'app.exists',
      'webhook.busy',
      'csrf',
      'secret.not_set',
      'invalid_grant',
    ]),
  );
  expect(found.size).toBeGreaterThan(150);
});

it('are of one style: <thing>.<reason>, or of the list of those that any route may answer', () => {
  expect(codes.filter(({ code }) => !isErrorCode(code))).toEqual([]);
  for (const other of ['http_502', 'in_use', 'Role.in_use', 'role.in-use', 'role.', 'role.in_use.now', ''])
    expect(isErrorCode(other)).toBe(false);
});

it('are in the list only as long as something answers them', () => {
  const found = new Set(codes.map(({ code }) => code));
  expect([...BARE].filter((code) => !found.has(code))).toEqual([]);
});

function sources(): string[] {
  return ['apps', 'libs']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter(
      (file) =>
        file.endsWith('.ts') &&
        !/\.spec\.ts$|\.d\.ts$|\/(?:generated|testing|dist|node_modules)\/|error-codes\.ts$/.test(file),
    );
}

function codesOf(file: string): Code[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (!/AppError|limited\(|code:/.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const makers = makersIn(source);
  const found: Code[] = [];
  const take = (node: ts.Node | undefined): void => {
    if (!node) return;
    if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(take);
    else if (ts.isStringLiteral(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({ code: node.text, at: `${file}:${line + 1}` });
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'AppError') take(node.arguments?.[1]);
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText();
      if (called === 'super' && extendsAppError(node)) take(node.arguments[1]);
      else if (called === 'Errors.limited') take(node.arguments[0]);
      else take(node.arguments[makers.get(called) ?? -1]);
    }
    // Codes that are written directly into the body of an answer.
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'code' && isErrorBody(node.parent))
      take(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Functions of a file with an `ErrorCode` parameter, and the index of the parameter. */
function makersIn(source: ts.SourceFile): Map<string, number> {
  const makers = new Map<string, number>();
  const note = (name: ts.Node | undefined, parameters: readonly ts.ParameterDeclaration[]): void => {
    const at = parameters.findIndex(({ type }) => type?.getText() === 'ErrorCode');
    if (name && at >= 0) makers.set(name.getText(), at);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node)) note(node.name, node.parameters);
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isArrowFunction(node.initializer))
      note(node.name, node.initializer.parameters);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return makers;
}

function extendsAppError(node: ts.Node): boolean {
  const clauses = ts.findAncestor(node, ts.isClassDeclaration)?.heritageClauses ?? [];
  return clauses.some((clause) => clause.getText() === 'extends AppError');
}

function isErrorBody(node: ts.Node): boolean {
  return (
    ts.isObjectLiteralExpression(node) && node.properties.some((property) => property.name?.getText() === 'detail')
  );
}
