import { styleText } from 'node:util';
import { escapedJson } from './text/escaped-json.js';
import { showsColours } from './text/terminal.js';

export type TextStyle = 'bold' | 'dim' | 'cyan' | 'green' | 'red' | 'yellow';

/** Results go to standard output. With `--json` nothing else does, so that a program can read it. */
export class Output {
  private readonly hasColour = showsColours();

  constructor(private readonly json: boolean) {}

  /** What the command was run for. */
  result(value: unknown, text: string): void {
    process.stdout.write(`${this.json ? escapedJson(value, 2) : text}\n`);
  }

  /** One of the results of a command that goes on: with `--json` an object a line. */
  line(value: unknown, text: string): void {
    process.stdout.write(`${this.json ? escapedJson(value) : text}\n`);
  }

  /** What a person needs to read on the way. */
  say(text: string): void {
    (this.json ? process.stderr : process.stdout).write(`${text}\n`);
  }

  /** What does not belong into a pipe. */
  note(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  bold(text: string): string {
    return this.paint('bold', text);
  }

  /** For standard output; as it is where that shows no colours. */
  paint(style: TextStyle, text: string): string {
    return this.hasColour ? styleText(style, text) : text;
  }
}
