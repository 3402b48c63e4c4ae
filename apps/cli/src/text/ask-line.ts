import { createInterface } from 'node:readline';

export interface AskOptions {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  signal: AbortSignal;
}

/** Asks for a line of text and trims it. Empty if the input ends or `signal` aborts. */
export function askLine(question: string, { input, output, signal }: AskOptions): Promise<string> {
  output.write(question);
  // No terminal mode: it sets raw mode, in which Ctrl-C does not reach npm and the shell.
  const lines = createInterface({ input, terminal: false, signal });
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line.trim());
      lines.close();
    });
    lines.once('close', () => resolve(''));
  });
}
