import { readFile } from 'node:fs/promises';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { printable } from './printable.js';

/** The params of a call: a JSON object, or `@` and the name of a file that has it. @throws CommandError that says what is wrong. */
export async function parseParams(text: string): Promise<Record<string, unknown>> {
  const json = text.startsWith('@') ? await readFile(text.slice(1), 'utf8') : text;
  const params = parsed(json);
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new CommandError('The params must be a JSON object, such as {"text": "Buy milk"}.', ExitCode.usage);
  }
  return params as Record<string, unknown>;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new CommandError(`The params are not JSON: ${printable((error as Error).message)}`, ExitCode.usage);
  }
}
