import type { PlatformEvent } from '@platform/client';
import type { Output } from '../output.js';
import { columnsOf, fitted, padded } from '../text/columns.js';
import { printable } from '../text/printable.js';
import { moment } from '../text/times.js';

const SHORTEST_PAYLOAD = 40;

/** Events as lines for a person: when, what, and the beginning of what they say. Columns become wider, and never narrower. */
export class EventText {
  private typeWidth = 24;

  constructor(private readonly output: Output) {}

  of({ type, payload, ts }: PlatformEvent): string {
    const name = printable(type);
    this.typeWidth = Math.max(this.typeWidth, columnsOf(name));
    const time = `${moment(ts)}:${ts.slice(17, 19)}`;
    // A file or a pipe has no width, and gets all.
    const room = (process.stdout.columns || Infinity) - time.length - this.typeWidth - 4;
    const text = fitted(payloadText(payload), Math.max(room, SHORTEST_PAYLOAD));
    return `${this.output.paint('dim', time)}  ${this.output.paint('cyan', padded(name, this.typeWidth))}  ${text}`.trimEnd();
  }
}

/** `app_id=notes version="1.0 beta"`: what needs no quotes has none. */
const payloadText = (payload: Record<string, unknown>): string =>
  Object.entries(payload)
    .map(([key, value]) => printable(`${key}=${typeof value === 'string' && /^[\w.:@/+-]+$/.test(value) ? value : JSON.stringify(value)}`))
    .join(' ');
