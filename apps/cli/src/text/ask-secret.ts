import type { ReadStream } from 'node:tty';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const BACKSPACES = ['\u0008', '\u007f'];

/**
 * Asks for a line at a terminal without showing it. Empty if the user ends the input. Ctrl-C
 * interrupts this process.
 */
export function askSecret(question: string, input: ReadStream, output: NodeJS.WritableStream): Promise<string> {
  output.write(question);
  input.setEncoding('utf8');
  // Raw mode, so that the terminal does not show the text. In this mode, Ctrl-C arrives as a
  // character and not as a signal.
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
