import { text } from 'node:stream/consumers';
import { askSecret } from './ask-secret.js';

/**
 * What must not be seen: typed at a terminal, or the standard input without the line break that ends a file. Never from the command line, which
 * others on the machine can read, and shells remember.
 */
export async function readSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  return stdin.isTTY ? askSecret(question, stdin, stderr) : (await text(stdin)).replace(/\r?\n$/, '');
}
