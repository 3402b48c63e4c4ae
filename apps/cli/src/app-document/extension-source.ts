import type { DocumentIssue } from '@platform/app-document';
import type * as Builder from '@platform/extension-sdk/build';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { CommandError } from '../failures.js';
import { hintFor } from '../type-check/hints.js';
import { idIssues } from './app-id.js';
import type { CheckedFile, FileIssue, Place } from './document-file.js';

/** Message if esbuild is not installed. */
export const NO_BUILDER =
  'Building apps in TypeScript and JavaScript needs esbuild, which was not installed with this command. Install the command again while npm can reach a registry.';
const SOURCE = /\.[cm]?[jt]s$/;

/**
 * True if the name of the file says that it is source code of an extension (`.ts`, `.js`, `.mts`
 * and the like), and not a JSON document.
 */
export const isSource = (file: string): boolean => SOURCE.test(file);

/**
 * Builds an extension and checks its types. Errors of the source are issues in the result.
 *
 * @throws CommandError if the file does not exist or esbuild is not installed.
 */
export async function checkSource(file: string): Promise<CheckedFile> {
  if (!existsSync(file))
    throw new CommandError(`${file} does not exist. Create a src/extension.ts with \`platform init --typescript\`.`);
  const { BuildError, buildExtension } = await builder();
  try {
    // Type checks run while the build waits for its child processes.
    const [{ value, document, issues, warnings, inputs, placeOf }, types] = await Promise.all([
      buildExtension(file),
      typeIssues(file),
    ]);
    const source = await readFile(file, 'utf8');
    const locate = (issue: DocumentIssue): FileIssue => {
      const place = placeOf(issue);
      return { ...issue, ...placeIn(source, place), message: `${place && `${place}: `}${issue.message}` };
    };
    const ids = document ? idIssues(document, value) : [];
    const found = [...types, ...[...issues, ...ids].map(locate)];
    return {
      value,
      document: found.length ? null : document,
      issues: found,
      warnings: warnings.map(locate),
      inputs,
      locate,
    };
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    const inputs = new Set([file, ...error.issues.map((issue) => issue.file)].map((input) => resolve(input)));
    const locate = (issue: DocumentIssue): FileIssue => ({ ...issue, line: 1, column: 1 });
    return {
      value: undefined,
      document: null,
      issues: error.issues.map(toFileIssue),
      warnings: [],
      inputs: [...inputs],
      locate,
    };
  }
}

/**
 * Loads the builder of extensions, only here, because most commands do not need it.
 *
 * @throws CommandError if esbuild is not installed.
 */
async function builder(): Promise<typeof Builder> {
  try {
    return await import('@platform/extension-sdk/build');
  } catch (error) {
    // esbuild is the only package that the builder loads.
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CommandError(NO_BUILDER);
  }
}

const typeIssues = async (file: string): Promise<FileIssue[]> =>
  (await import('../type-check/check-types.js')).checkTypes(file);

function toFileIssue({ file, message, ...place }: Builder.SourceIssue): FileIssue {
  const hint = hintFor(message);
  return {
    pointer: '',
    rule: 'syntax',
    file: relative('.', file),
    message: `${message}${hint && ` ${hint}`}`,
    ...place,
  };
}

/**
 * Returns the position of a place such as `functions.add_note.params` in the source: the last of
 * its keys, as far as they appear there in this order. The first line and column if none does.
 */
function placeIn(source: string, place: string): Place {
  let [at, rest] = [0, place];
  while (rest) {
    // Names can contain dots: the longest matching key wins.
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
