import { truncateText } from '@platform/contracts/text-lengths';
import { Parser, type Identifier, type Literal, type Options, type Program, type Statement } from 'acorn';

/** Version of JavaScript that the sandbox of the platform supports. */
const LANGUAGE = { ecmaVersion: 2023, sourceType: 'module', locations: true } as const satisfies Options;

/** Maximum nesting of blocks and functions, and maximum sum of the depths of all declarations. */
const MAX_SCOPES = 256;
const MAX_WORK = 1_000_000;

/** Line and column, both from 1. */
export interface SourcePlace {
  line: number;
  column: number;
}

export interface ModuleImport {
  specifier: string;
  /** Imported name; null: the whole module. */
  name: string | null;
  place: SourcePlace;
}

/** Imports and exports of a module. */
export interface ModuleSource {
  imports: ModuleImport[];
  /**
   * Re-exported name of another module; null if the module exports its own value, or a value that
   * it imported before.
   */
  exports: Map<string, { specifier: string; name: string } | null>;
  /** Modules from which it re-exports everything. */
  stars: string[];
}

export class SourceError extends Error {
  constructor(
    message: string,
    readonly place: SourcePlace,
  ) {
    super(message);
  }
}

/**
 * Parses the source of a module, and returns its imports and exports, in less than a second for
 * every source up to the size limit.
 *
 * @throws SourceError if it is not a valid module, is nested too deeply, or has too many
 * declarations.
 */
export function readModuleSource(source: string): ModuleSource {
  const found: ModuleSource = { imports: [], exports: new Map(), stars: [] };
  for (const node of parse(source).body) collect(node, found);
  return found;
}

function parse(source: string): Program {
  try {
    return BoundedParser.parse(source, LANGUAGE);
  } catch (error) {
    if (error instanceof RangeError) throw new SourceError('This is nested too deeply', { line: 1, column: 1 });
    const { message, loc } = error as Error & { loc?: { line: number; column: number } };
    if (!loc) throw error;
    throw new SourceError(truncateText(message.replace(/ \(\d+:\d+\)$/, ''), 200), placeOf(loc));
  }
}

/**
 * Refuses `await` outside functions, because a handler cannot wait while its module loads. It also
 * limits the time for declarations: each one searches all others of its scope, and a `var` searches
 * all scopes around it.
 */
class BoundedParser extends (Parser as unknown as AcornInternals) {
  private work = 0;

  override get canAwait(): boolean {
    return super.canAwait && this.inAsync;
  }

  override enterScope(flags: number): void {
    if (this.scopeStack.length >= MAX_SCOPES)
      this.raise(this.start, `Blocks and functions may be nested ${MAX_SCOPES} levels deep`);
    super.enterScope(flags);
    Object.assign(this.currentScope(), { var: new Names(), lexical: new Names(), functions: new Names() });
  }

  override declareName(name: string, bindingType: number, position: number): void {
    this.work += this.scopeStack.length;
    if (this.work > MAX_WORK) this.raise(position, 'There are too many declarations');
    super.declareName(name, bindingType, position);
  }
}

/** Members of the acorn parser that are not in its documented interface. */
type AcornInternals = (new (
  options: Options,
  input: string,
  startPos?: number,
) => {
  start: number;
  scopeStack: object[];
  get canAwait(): boolean;
  get inAsync(): boolean;
  currentScope(): object;
  enterScope(flags: number): void;
  declareName(name: string, bindingType: number, position: number): void;
  raise(position: number, message: string): never;
}) &
  Pick<typeof Parser, 'parse'>;

/**
 * A list of names, of which the parser only asks if it contains a name, and if a name is the first
 * one. `indexOf` returns 0 for each name that it contains, otherwise -1.
 */
class Names extends Array<string> {
  private readonly known = new Set<string>();

  override push(name: string): number {
    this.known.add(name);
    return super.push(name);
  }

  override indexOf(name: string): number {
    return this.known.has(name) ? 0 : -1;
  }
}

function collect(node: Program['body'][number], { imports, exports, stars }: ModuleSource): void {
  switch (node.type) {
    case 'ImportDeclaration': {
      const specifier = String(node.source.value);
      const names = node.specifiers.map((each) => {
        if (each.type === 'ImportNamespaceSpecifier') return null;
        return each.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(each.imported);
      });
      for (const name of names.length ? names : [null])
        imports.push({ specifier, name, place: placeOf(node.loc?.start) });
      return;
    }
    case 'ExportAllDeclaration': {
      const specifier = String(node.source.value);
      imports.push({ specifier, name: null, place: placeOf(node.loc?.start) });
      if (node.exported) exports.set(nameOf(node.exported), null);
      else stars.push(specifier);
      return;
    }
    case 'ExportNamedDeclaration': {
      const specifier = node.source ? String(node.source.value) : null;
      if (specifier !== null && !node.specifiers.length)
        imports.push({ specifier, name: null, place: placeOf(node.loc?.start) });
      for (const { local, exported } of node.specifiers) {
        exports.set(nameOf(exported), specifier === null ? null : { specifier, name: nameOf(local) });
        if (specifier !== null) imports.push({ specifier, name: nameOf(local), place: placeOf(node.loc?.start) });
      }
      for (const name of node.declaration ? declaredBy(node.declaration) : []) exports.set(name, null);
      return;
    }
    case 'ExportDefaultDeclaration':
      exports.set('default', null);
      return;
    default:
  }
}

function declaredBy(declaration: Statement & { id?: Identifier | null }): string[] {
  if (declaration.type !== 'VariableDeclaration') return declaration.id ? [declaration.id.name] : [];
  return declaration.declarations.flatMap(({ id }) => boundNames(id));
}

type Pattern = Extract<Statement, { type: 'VariableDeclaration' }>['declarations'][number]['id'];

function boundNames(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element ? boundNames(element) : []));
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        boundNames(property.type === 'RestElement' ? property.argument : property.value),
      );
    case 'RestElement':
      return boundNames(pattern.argument);
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    default:
      return [];
  }
}

const nameOf = (name: Identifier | Literal): string => (name.type === 'Identifier' ? name.name : String(name.value));

const placeOf = (start: { line: number; column: number } | null | undefined): SourcePlace => ({
  line: start?.line ?? 1,
  column: (start?.column ?? 0) + 1,
});
