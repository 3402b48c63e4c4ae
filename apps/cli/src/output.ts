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

  /** The result of the command. */
  result(value: unknown, text: string): void {
    process.stdout.write(`${this.json ? escapedJson(value, 2) : text}\n`);
  }

  /** A result among many of a continuing command; with `--json`, one object per line. */
  line(value: unknown, text: string): void {
    process.stdout.write(`${this.json ? escapedJson(value) : text}\n`);
  }

  /** Information that the user needs before the result. */
  say(text: string): void {
    (this.json ? process.stderr : process.stdout).write(`${text}\n`);
  }

  /** Notes that must not go into a pipe. */
  note(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  bold(text: string): string {
    return this.paint('bold', text);
  }

  /** Styles text for standard output; unchanged if it shows no colours. */
  paint(style: TextStyle, text: string): string {
    return this.hasColour ? styleText(style, text) : text;
  }
}
