import type { ReadStream } from 'node:tty';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const BACKSPACES = ['\u0008', '\u007f'];

/** The line that somebody types at a terminal, which does not show it; empty when they end the input. Ctrl-C interrupts this process. */
export function askSecret(question: string, input: ReadStream, output: NodeJS.WritableStream): Promise<string> {
  output.write(question);
  input.setEncoding('utf8');
  // Raw, or the terminal would show what is typed; then it sends Ctrl-C as a character, and not as a signal.
  input.setRawMode(true);
  input.resume();
  return new Promise((resolve) => {
    let typed: string[] = [];
    const end = (line: string): void => {
      input.off('data', read);
      input.setRawMode(false);
      input.pause();
      output.write('\n');
      resolve(line);
    };
    const read = (chunk: string): void => {
      for (const character of chunk) {
        if (character === '\r' || character === '\n') {
          end(typed.join(''));
          return;
        }
        if (character === CTRL_D) {
          end('');
          return;
        }
        if (character === CTRL_C) {
          end('');
          process.kill(process.pid, 'SIGINT');
          return;
        }
        if (BACKSPACES.includes(character)) typed = typed.slice(0, -1);
        else typed.push(character);
      }
    };
    input.on('data', read);
  });
}
