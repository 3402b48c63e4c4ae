import type { DocumentIssue } from '@platform/app-document';
import type * as Builder from '@platform/extension-sdk/build';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { CommandError } from '../failures.js';
import { hintFor } from '../type-check/hints.js';
import { idIssues } from './app-id.js';
import type { CheckedFile, FileIssue, Place } from './document-file.js';

/** What is said where the builder is missing. */
export const NO_BUILDER =
  'Apps in TypeScript and JavaScript are built with esbuild, which was not installed with this command. Install the command again while npm can reach a registry.';
const SOURCE = /\.[cm]?[jt]s$/;

/** Whether it is the source of an extension, rather than a document. */
export const isSource = (file: string): boolean => SOURCE.test(file);

/** Builds an extension. @throws CommandError when there is no such file. */
export async function checkSource(file: string): Promise<CheckedFile> {
  if (!existsSync(file))
    throw new CommandError(`There is no ${file}. \`platform init --typescript\` writes a src/extension.ts to begin with.`);
  const { BuildError, buildExtension } = await builder();
  try {
    // The build waits for other processes meanwhile.
    const [{ value, document, issues, warnings, inputs, placeOf }, types] = await Promise.all([buildExtension(file), typeIssues(file)]);
    const source = await readFile(file, 'utf8');
    const locate = (issue: DocumentIssue): FileIssue => {
      const place = placeOf(issue);
      return { ...issue, ...placeIn(source, place), message: `${place && `${place}: `}${issue.message}` };
    };
    const ids = document ? idIssues(document, value) : [];
    const found = [...types, ...[...issues, ...ids].map(locate)];
    return { value, document: found.length ? null : document, issues: found, warnings: warnings.map(locate), inputs, locate };
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    const inputs = new Set([file, ...error.issues.map((issue) => issue.file)].map((input) => resolve(input)));
    const locate = (issue: DocumentIssue): FileIssue => ({ ...issue, line: 1, column: 1 });
    return { value: undefined, document: null, issues: error.issues.map(toFileIssue), warnings: [], inputs: [...inputs], locate };
  }
}

/** Most commands need none of it. */
async function builder(): Promise<typeof Builder> {
  try {
    return await import('@platform/extension-sdk/build');
  } catch (error) {
    // Nothing else that the builder needs is a package of its own.
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CommandError(NO_BUILDER);
  }
}

const typeIssues = async (file: string): Promise<FileIssue[]> => (await import('../type-check/check-types.js')).checkTypes(file);

function toFileIssue({ file, message, ...place }: Builder.SourceIssue): FileIssue {
  const hint = hintFor(message);
  return { pointer: '', rule: 'syntax', file: relative('.', file), message: `${message}${hint && ` ${hint}`}`, ...place };
}

/** The key where a place such as `functions.add_note.params` is said, as far as the keys stand in the source one after the other. */
function placeIn(source: string, place: string): Place {
  let [at, rest] = [0, place];
  while (rest) {
    // Names may have dots in them: the longest that is there counts.
    const parts = rest.split('.');
    const keys = parts.map((_part, end) => parts.slice(0, parts.length - end).join('.'));
    const found = keys.map((key) => ({ key, next: indexOfKey(source, key, at) })).find(({ next }) => next >= 0);
    if (!found) break;
    [at, rest] = [found.next, rest.slice(found.key.length + 1)];
  }
  const before = source.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function indexOfKey(source: string, key: string, from: number): number {
  const escaped = key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`(?<![\\w.$'"])['"]?${escaped}['"]?\\s*[:(]`, 'g');
  pattern.lastIndex = from;
  return pattern.exec(source)?.index ?? -1;
}
