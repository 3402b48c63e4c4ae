import { styleText } from 'node:util';
import { escapedJson } from './text/escaped-json.js';
import { showsColours } from './text/terminal.js';

export type TextStyle = 'bold' | 'dim' | 'cyan' | 'green' | 'red' | 'yellow';

/**
 * Prints results to standard output. With `--json`, everything else goes to standard error, so that
 * programs can parse the output.
 */
export class Output {
  private readonly hasColour = showsColours();

  constructor(private readonly json: boolean) {}

  /** Prints the result of the command: `value` as JSON with `--json`, otherwise `text`. */
  result(value: unknown, text: string): void {
    process.stdout.write(`${this.json ? escapedJson(value, 2) : text}\n`);
  }

  /** Prints a result among many of a continuing command; with `--json`, one object per line. */
  line(value: unknown, text: string): void {
    process.stdout.write(`${this.json ? escapedJson(value) : text}\n`);
  }

  /** Prints information that the user needs before the result; with `--json`, to standard error. */
  say(text: string): void {
    (this.json ? process.stderr : process.stdout).write(`${text}\n`);
  }

  /** Prints a note that must not go into a pipe, to standard error. */
  note(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  bold(text: string): string {
    return this.paint('bold', text);
  }

  /** Styles text for standard output. Returns it unchanged if colours are not shown there. */
  paint(style: TextStyle, text: string): string {
    return this.hasColour ? styleText(style, text) : text;
  }
}
