import { readFile } from 'node:fs/promises';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { printable } from './printable.js';

/**
 * Parses the params of a call: a JSON object, or `@` and the name of a file with one.
 *
 * @throws CommandError if they are no JSON object or contain a number that is too large, or if the
 * file does not exist, is a folder or cannot be read.
 */
export async function parseParams(text: string): Promise<Record<string, unknown>> {
  const json = text.startsWith('@') ? await fileText(text.slice(1)) : text;
  const params = parsed(json);
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new CommandError('The params must be a JSON object, such as {"text": "Buy milk"}.', ExitCode.usage);
  }
  return params as Record<string, unknown>;
}

async function fileText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = {
      ENOENT: 'The file does not exist',
      EISDIR: 'The path is a folder',
      EACCES: 'The file cannot be read',
    }[code ?? ''];
    if (!why) throw error;
    throw new CommandError(
      `Cannot read the params from ${printable(file) || 'a file without a name'}. ${why}.`,
      ExitCode.usage,
    );
  }
}

/**
 * Reviver for `JSON.parse` that refuses numbers such as `1e400`, which are parsed as infinity and
 * would be sent as null.
 */
function assertFinite(_key: string, value: unknown): unknown {
  if (value === Infinity || value === -Infinity) throw new Error('A number is too large.');
  return value;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json, assertFinite);
  } catch (error) {
    throw new CommandError(`The params are not JSON: ${printable((error as Error).message)}`, ExitCode.usage);
  }
}
