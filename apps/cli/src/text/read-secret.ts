import { text } from 'node:stream/consumers';
import { askSecret } from './ask-secret.js';

/**
 * Reads a secret: typed at a terminal, or from standard input without the line break at its end.
 * Empty if the user ends the input. Command-line arguments are not used: other users of the
 * computer can read them, and shells store them.
 */
export async function readSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  return stdin.isTTY ? askSecret(question, stdin, stderr) : (await text(stdin)).replace(/\r?\n$/, '');
}
