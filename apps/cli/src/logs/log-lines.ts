import type { AppLogLine } from '@platform/client';
import type { Output, TextStyle } from '../output.js';
import { printable } from '../text/printable.js';
import { moment } from '../text/times.js';

const STYLES: Record<AppLogLine['level'], TextStyle | null> = { info: null, warning: 'yellow', error: 'red' };

/** Formats a log line. Further lines of the message are indented. */
export function lineText({ at, level, kind, handler, message }: AppLogLine, output: Output): string {
  const [first = '', ...rest] = message.split(/\r?\n/).map(printable);
  const style = STYLES[level];
  const painted = (text: string): string => (style ? output.paint(style, text) : text);
  const time = output.paint('dim', `${moment(at)}:${at.slice(17, 19)}`);
  const where = output.paint('cyan', `${printable(kind)} ${printable(handler)}`);
  return [
    `${time}  ${painted(level.padEnd(7))}  ${where}  ${painted(first)}`,
    ...rest.map((line) => painted(`    ${line}`)),
  ].join('\n');
}
