import type { PlatformEvent } from '@platform/client';
import type { Output } from '../output.js';
import { columnsOf, fitted, padded } from '../text/columns.js';
import { printable } from '../text/printable.js';
import { moment } from '../text/times.js';

const SHORTEST_PAYLOAD = 40;

/**
 * Formats events as lines for people: time, type and the beginning of the payload. Columns can
 * become wider, but never narrower.
 */
export class EventText {
  private typeWidth = 24;

  constructor(private readonly output: Output) {}

  of({ type, payload, ts }: PlatformEvent): string {
    const name = printable(type);
    this.typeWidth = Math.max(this.typeWidth, columnsOf(name));
    const time = `${moment(ts)}:${ts.slice(17, 19)}`;
    // A file or a pipe has no width and gets the full text.
    const room = (process.stdout.columns || Infinity) - time.length - this.typeWidth - 4;
    const text = fitted(payloadText(payload), Math.max(room, SHORTEST_PAYLOAD));
    return `${this.output.paint('dim', time)}  ${this.output.paint('cyan', padded(name, this.typeWidth))}  ${text}`.trimEnd();
  }
}

/**
 * Formats a payload as `app_id=notes version="1.0 beta"`: only values that need quotes have them.
 */
const payloadText = (payload: Record<string, unknown>): string =>
  Object.entries(payload)
    .map(([key, value]) =>
      printable(`${key}=${typeof value === 'string' && /^[\w.:@/+-]+$/.test(value) ? value : JSON.stringify(value)}`),
    )
    .join(' ');
