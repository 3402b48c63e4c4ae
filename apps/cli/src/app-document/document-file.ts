import { parse, type DocumentNode, type ValueNode } from '@humanwhocodes/momoa';
import type { AppDocument, DocumentIssue } from '@platform/app-document';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { printable } from '../text/printable.js';
import { idIssues } from './app-id.js';
import { checkSource, isSource } from './extension-source.js';

export const DEFAULT_FILE = 'app.json';
const SOURCES = ['src/extension.ts', 'extension.ts', 'src/extension.js', 'extension.js'];

/**
 * Default file of commands: the document in this folder, or else the source of an extension. The
 * name of the document if there is neither.
 */
export const defaultFile = (): string => [DEFAULT_FILE, ...SOURCES].find((file) => existsSync(file)) ?? DEFAULT_FILE;

/** Line and column, both starting at 1. */
export interface Place {
  line: number;
  column: number;
}

/** An issue with its place. */
export interface FileIssue extends Omit<DocumentIssue, 'rule'>, Place {
  rule: DocumentIssue['rule'] | 'types';
  /** Set if the issue is in another file than the named one. */
  file?: string;
}

export interface CheckedFile {
  /** Content of the file; undefined if it is not JSON. */
  value: unknown;
  /** Null if there are issues. */
  document: AppDocument | null;
  issues: FileIssue[];
  warnings: FileIssue[];
  /** Absolute paths of the files that the document was built from. */
  inputs: string[];
  /** Finds the place of an issue that another check reported, such as the platform. */
  locate: (issue: DocumentIssue) => FileIssue;
}

/**
 * Checks a document, or builds the source of an extension (a `.ts` or `.js` file) and checks the
 * result. Issues are part of the result, also a file that is not JSON, a key that appears twice,
 * and an id that a new app cannot have.
 *
 * @throws CommandError if the file does not exist or is a folder, or if a source cannot be built
 * because esbuild is not installed.
 */
export async function checkDocumentFile(file: string): Promise<CheckedFile> {
  if (isSource(file)) return checkSource(file);
  const inputs = [resolve(file)];
  const text = await readText(file);
  const tree = parseText(text);
  if ('issue' in tree)
    return { value: undefined, document: null, issues: [tree.issue], warnings: [], inputs, locate: () => tree.issue };
  const { parseAppDocument } = await import('@platform/app-document'); // Loaded only here: most commands do not need it
  const value: unknown = JSON.parse(text);
  const places = new Places(tree.document);
  const locate = (issue: DocumentIssue): FileIssue => places.locate(issue);
  const result = parseAppDocument(value);
  const found = result.ok ? idIssues(result.document, value) : result.issues;
  const issues = [...places.repeatedKeys, ...found.map(locate)];
  return {
    value,
    document: result.ok && !issues.length ? result.document : null,
    issues: issues.sort(byPlace),
    warnings: result.ok ? result.warnings.map(locate).sort(byPlace) : [],
    inputs,
    locate,
  };
}

const byPlace = (one: FileIssue, other: FileIssue): number => one.line - other.line || one.column - other.column;

async function readText(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new CommandError(`${file} does not exist. Create an ${DEFAULT_FILE} with \`platform init\`.`);
    if (code === 'EISDIR') throw new CommandError(`${file} is a folder. Pass the path of a file in it.`);
    throw error;
  }
}

function parseText(text: string): { document: DocumentNode } | { issue: FileIssue } {
  try {
    return { document: parse(text, { mode: 'json' }) };
  } catch (error) {
    const { message, line, column } = error as { message: string; line?: number; column?: number };
    // The place is printed separately.
    const reason = message.replace(/[\s.]*(\(\d+:\d+\)\.?)?$/, '');
    return {
      issue: { pointer: '', rule: 'json', message: `Invalid JSON: ${reason}.`, line: line ?? 1, column: column ?? 1 },
    };
  }
}

/** Positions of the keys and values of a file, by JSON pointer. */
class Places {
  readonly repeatedKeys: FileIssue[] = [];
  private readonly values = new Map<string, Place>();
  private readonly keys = new Map<string, Place>();

  constructor(document: DocumentNode) {
    this.visit(document.body, '');
  }

  locate(issue: DocumentIssue): FileIssue {
    const places = issue.rule === 'unknown_key' ? this.keys : this.values;
    const { line, column } = places.get(issue.pointer) ?? { line: 1, column: 1 };
    return { ...issue, line, column };
  }

  private visit(node: ValueNode, pointer: string): void {
    this.values.set(pointer, node.loc.start);
    if (node.type === 'Array') {
      for (const [at, element] of node.elements.entries()) this.visit(element.value, `${pointer}/${at}`);
    } else if (node.type === 'Object') {
      for (const { name, value } of node.members) {
        const key = name.type === 'String' ? name.value : name.name;
        const place = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        const { line, column } = name.loc.start;
        if (this.keys.has(place)) {
          this.repeatedKeys.push({
            pointer: place,
            rule: 'duplicate',
            message: `The key "${key}" appears twice.`,
            line,
            column,
          });
        }
        this.keys.set(place, { line, column });
        this.visit(value, place);
      }
    }
  }
}

/**
 * Formats issues as lines such as `app.json:12:7: must be a text (type, /steps/0/action)`, a form
 * that editors and terminals make clickable.
 *
 * @param named file of the issues that name no other file.
 */
export const issueLines = (named: string, issues: readonly FileIssue[]): string[] =>
  issues.map(({ file = named, line, column, message, rule, pointer }) => {
    return `${file}:${line}:${column}: ${printable(message)} (${rule}${pointer && `, ${printable(pointer)}`})`;
  });

export const countOf = ({ length }: readonly FileIssue[]): string =>
  length === 1 ? 'Found 1 issue.' : `Found ${length} issues.`;

/**
 * Returns the document of a checked file.
 *
 * @param consequence last sentence of the error.
 * @throws CommandError `invalid_app` with all issues if there are any.
 */
export function acceptable(
  file: string,
  { document, issues }: CheckedFile,
  consequence = 'Nothing was deployed.',
): AppDocument {
  if (document) return document;
  const message = [...issueLines(file, issues), `${countOf(issues)} ${consequence}`].join('\n');
  throw new CommandError(message, ExitCode.failure, { code: 'invalid_app', details: { issues } });
}

/**
 * Reads the id of the app in a file, even if the document has issues.
 *
 * @throws CommandError if there is no id, also because the file is not JSON or its source does not
 * compile; or if the file does not exist, or esbuild is needed and not installed.
 */
export async function appIdInFile(file: string): Promise<string> {
  const { value } = await checkDocumentFile(file);
  const { app_id, app } = (value ?? {}) as { app_id?: unknown; app?: { id?: unknown } };
  const id = app_id ?? app?.id;
  if (typeof id !== 'string') throw new CommandError(`${file} contains no app id.`);
  return id;
}
