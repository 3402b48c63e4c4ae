import type { Context } from '../context.js';
import { askLine } from './ask-line.js';
import { isPersonThere } from './terminal.js';

/**
 * Asks a yes/no question. True for `y` and `yes`, false for any other answer. Null if nobody can be
 * asked: without an interactive terminal, in CI, and with `--json`.
 */
export async function isAgreed({ settings, interruption }: Context, question: string): Promise<boolean | null> {
  const { stdin, stderr } = process;
  if (!isPersonThere() || settings.json) return null;
  return /^y(es)?$/i.test(await askLine(question, { input: stdin, output: stderr, signal: interruption.signal }));
}
