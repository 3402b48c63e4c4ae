import { createInterface } from 'node:readline';

export interface AskOptions {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  signal: AbortSignal;
}

/** The line that somebody types, without spaces around it; empty at the end of the input. */
export function askLine(question: string, { input, output, signal }: AskOptions): Promise<string> {
  output.write(question);
  // No terminal: raw mode would keep Ctrl-C from reaching npm and the shell.
  const lines = createInterface({ input, terminal: false, signal });
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line.trim());
      lines.close();
    });
    lines.once('close', () => resolve(''));
  });
}
