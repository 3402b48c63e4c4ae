import type { Context } from '../context.js';
import { askLine } from './ask-line.js';
import { isPersonThere } from './terminal.js';

/**
 * Asks a yes/no question. Null if there is no interactive terminal, or the output is for a program.
 */
export async function isAgreed({ settings, interruption }: Context, question: string): Promise<boolean | null> {
  const { stdin, stderr } = process;
  if (!isPersonThere() || settings.json) return null;
  return /^y(es)?$/i.test(await askLine(question, { input: stdin, output: stderr, signal: interruption.signal }));
}
