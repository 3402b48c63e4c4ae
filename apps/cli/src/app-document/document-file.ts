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

/** What a command is about that is told no file: the document, or else the source of an extension, that is here. */
export const defaultFile = (): string => [DEFAULT_FILE, ...SOURCES].find((file) => existsSync(file)) ?? DEFAULT_FILE;

/** Both counted from 1. */
export interface Place {
  line: number;
  column: number;
}

/** An issue with its place. */
export interface FileIssue extends Omit<DocumentIssue, 'rule'>, Place {
  rule: DocumentIssue['rule'] | 'types';
  /** Where it is another file than the one that was named. */
  file?: string;
}

export interface CheckedFile {
  /** What the file holds; undefined when that is no JSON. */
  value: unknown;
  /** Null when there are issues. */
  document: AppDocument | null;
  issues: FileIssue[];
  warnings: FileIssue[];
  /** The files that it comes from, as absolute paths. */
  inputs: string[];
  /** Finds the place of an issue that came up elsewhere. */
  locate: (issue: DocumentIssue) => FileIssue;
}

/** Checks a document, or the one that the source of an extension is built to. */
export async function checkDocumentFile(file: string): Promise<CheckedFile> {
  if (isSource(file)) return checkSource(file);
  const inputs = [resolve(file)];
  const text = await readText(file);
  const tree = parseText(text);
  if ('issue' in tree) return { value: undefined, document: null, issues: [tree.issue], warnings: [], inputs, locate: () => tree.issue };
  const { parseAppDocument } = await import('@platform/app-document'); // most commands need none of it
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
    if (code === 'ENOENT') throw new CommandError(`There is no ${file}. \`platform init\` writes an ${DEFAULT_FILE} to begin with.`);
    if (code === 'EISDIR') throw new CommandError(`${file} is a folder. Name the file in it.`);
    throw error;
  }
}

function parseText(text: string): { document: DocumentNode } | { issue: FileIssue } {
  try {
    return { document: parse(text, { mode: 'json' }) };
  } catch (error) {
    const { message, line, column } = error as { message: string; line?: number; column?: number };
    // The place is told beside it.
    const reason = message.replace(/[\s.]*(\(\d+:\d+\)\.?)?$/, '');
    return { issue: { pointer: '', rule: 'json', message: `This is not JSON: ${reason}.`, line: line ?? 1, column: column ?? 1 } };
  }
}

/** Where things stand in a file. */
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
          this.repeatedKeys.push({ pointer: place, rule: 'duplicate', message: `The key "${key}" stands here twice.`, line, column });
        }
        this.keys.set(place, { line, column });
        this.visit(value, place);
      }
    }
  }
}

/** `app.json:12:7: must be a text (type, /steps/0/action)`: the form that editors and terminals make clickable. */
export const issueLines = (named: string, issues: readonly FileIssue[]): string[] =>
  issues.map(({ file = named, line, column, message, rule, pointer }) => {
    return `${file}:${line}:${column}: ${printable(message)} (${rule}${pointer && `, ${printable(pointer)}`})`;
  });

export const countOf = ({ length }: readonly FileIssue[]): string => (length === 1 ? 'There is one issue.' : `There are ${length} issues.`);

/** The document of the file, or the end of the command with all its issues. */
export function acceptable(file: string, { document, issues }: CheckedFile, consequence = 'Nothing was deployed.'): AppDocument {
  if (document) return document;
  const message = [...issueLines(file, issues), `${countOf(issues)} ${consequence}`].join('\n');
  throw new CommandError(message, ExitCode.failure, { code: 'invalid_app', details: { issues } });
}

/** The app that a file is of, whether its document is good or not. */
export async function appIdInFile(file: string): Promise<string> {
  const { value } = await checkDocumentFile(file);
  const { app_id, app } = (value ?? {}) as { app_id?: unknown; app?: { id?: unknown } };
  const id = app_id ?? app?.id;
  if (typeof id !== 'string') throw new CommandError(`${file} names no app.`);
  return id;
}
