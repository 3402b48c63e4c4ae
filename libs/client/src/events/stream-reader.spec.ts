import { StreamReader, type PlatformEvent } from './stream-reader.js';

const EVENT = 'id: 7\ndata: {"type":"system.tested","payload":{"n":"ü"},"ts":"2026-11-27T12:00:00.000Z"}\n\n';
const TEXT = `retry: 4000\n\nid: 5\n\n${EVENT}:\n\ndata: {"type":"stream.reset","payload":{},"ts":"2026-11-27T12:00:00.000Z"}\n\nid: 9\n\n`;

it.each([TEXT.length, 1, 2, 7])(
  'reads events, positions without one, and when to come back, in pieces of %d',
  (length) => {
    const told: unknown[] = [];
    const reader = new StreamReader({
      onEvent: ({ id, type, payload }: PlatformEvent) => told.push([id, type, payload]),
      onRetry: (milliseconds) => told.push(milliseconds),
      onPosition: (id) => told.push(id),
    });
    for (let at = 0; at < TEXT.length; at += length) reader.feed(TEXT.slice(at, at + length));
    // Ignores repeated positions.
    const changes = told.filter(
      (each, at) =>
        typeof each !== 'string' || each !== told.slice(0, at).findLast((before) => typeof before === 'string'),
    );
    expect(changes).toEqual([4000, '5', ['7', 'system.tested', { n: 'ü' }], '7', [null, 'stream.reset', {}], '9']);
  },
);
