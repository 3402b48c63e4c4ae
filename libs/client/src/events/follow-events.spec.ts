import type { ServerResponse } from 'node:http';
import { createPlatformClient } from '../client.js';
import { ApiError, ConnectionError, SignedOutError } from '../errors.js';
import { ScriptedServer } from '../testing/scripted-server.js';
import { followEvents, type FollowOptions } from './follow-events.js';

let server: ScriptedServer;
beforeAll(async () => (server = await ScriptedServer.start()));
afterEach(() => (server.requests.length = 0));
afterAll(() => server.stop());

const BEGIN = 'retry: 1\n\n';
const event = (id: number): string =>
  `id: ${id}\ndata: {"type":"system.tested","payload":{"n":${id}},"ts":"2026-11-27T12:00:00.000Z"}\n\n`;
const own = (type: string, payload = {}): string =>
  `data: ${JSON.stringify({ type, payload, ts: '2026-11-27T12:00:00.000Z' })}\n\n`;

/** A stream: its text, and the end of its connection; or an error answer. */
type Stream = [text: string, end: 'open' | 'ended' | 'broken'] | [status: number, json: object];

function streams(...all: Stream[]): void {
  let at = 0;
  server.script = (_request, response: ServerResponse) => {
    const [text, end] = all[at++] ?? [500, {}];
    if (typeof text === 'number') {
      response.writeHead(text, { 'Content-Type': 'application/json' }).end(JSON.stringify(end));
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(`${BEGIN}${text}`);
    if (end === 'ended') response.end();
    if (end === 'broken') setImmediate(() => response.destroy());
  };
}

async function numbers(count: number, options: FollowOptions = {}, timeoutMs?: number): Promise<unknown[]> {
  const found: unknown[] = [];
  const client = createPlatformClient({ baseUrl: server.url, ...(timeoutMs !== undefined && { timeoutMs }) });
  for await (const { type, payload } of followEvents(client, options)) {
    found.push(payload['n'] ?? type);
    if (found.length === count) break;
  }
  return found;
}
const positions = () => server.requests.map(({ headers }) => headers['last-event-id']);

describe('followEvents', () => {
  it('goes on where it was when a stream ends and when it breaks, and tells of it once', async () => {
    const told: string[] = [];
    const options = {
      after: '6',
      onOpen: () => told.push('open'),
      onTrouble: ({ message }: Error) => told.push(message),
    };
    streams(
      [event(7) + event(8), 'ended'],
      [503, { detail: 'Later.', code: 'unavailable' }],
      [event(9), 'broken'],
      [event(10), 'open'],
    );
    expect(await numbers(4, options)).toEqual([7, 8, 9, 10]);
    expect(positions()).toEqual(['6', '8', '8', '9']);
    expect(told).toEqual([
      'open',
      'The connection was interrupted.',
      'open',
      'The connection was interrupted.',
      'open',
    ]);
  });

  it('tells that more was missed, and comes back when the platform says so', async () => {
    streams(
      [own('stream.reset') + event(3) + own('stream.closed', { reason: 'time_is_up' }), 'open'],
      [event(4), 'open'],
    );
    expect(await numbers(3)).toEqual(['stream.reset', 3, 4]);
    expect(positions()).toEqual([undefined, '3']);
  });

  it('asks for the sources that are wanted', async () => {
    streams([event(1), 'open']);
    await numbers(1, { sources: ['billing', 'task'] });
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/events/stream?source_types=billing%2Ctask']);
  });

  it('is not ended by the time that other requests may take', async () => {
    server.script = (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(BEGIN + event(1));
      setTimeout(() => response.write(event(2)), 3_500);
    };
    expect(await numbers(2, {}, 3_000)).toEqual([1, 2]);
    expect(server.requests).toHaveLength(1);
  });

  it('ends when the session has, when the platform refuses, and where nobody answers to begin with', async () => {
    streams([own('stream.closed', { reason: 'session_ended' }), 'open']);
    await expect(numbers(1)).rejects.toThrow(SignedOutError);
    streams([event(1), 'ended'], [401, { detail: 'No.', code: 'invalid_token' }]);
    await expect(numbers(2)).rejects.toThrow(SignedOutError);
    streams([403, { detail: 'No.', code: 'insufficient_scope' }]);
    await expect(numbers(1)).rejects.toThrow(ApiError);
    streams([503, { detail: 'Later.', code: 'unavailable' }]);
    await expect(numbers(1)).rejects.toThrow(ApiError);
    server.answer({ status: 200, json: {} });
    await expect(numbers(1)).rejects.toThrow(ConnectionError);
    expect(server.requests).toHaveLength(6);
  });

  it('ends with its signal, also while it waits to come back, and closes the connection', async () => {
    const closed = new Promise((done) => {
      server.script = (_request, response) => {
        response.on('close', done);
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(BEGIN + event(1));
      };
    });
    const aborter = new AbortController();
    const following = numbers(2, {
      signal: aborter.signal,
      onOpen: () => setImmediate(() => aborter.abort(new Error('enough'))),
    });
    await expect(following).rejects.toThrow('enough');
    await closed;
    streams([`retry: 60000\n\n${event(1)}`, 'ended']);
    const waiting = new AbortController();
    await expect(
      numbers(2, { signal: waiting.signal, onTrouble: () => setImmediate(() => waiting.abort(new Error('enough'))) }),
    ).rejects.toThrow('enough');
  });
});
