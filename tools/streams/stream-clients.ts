import { StreamReader, type PlatformEvent } from '@platform/client';
import { request, type IncomingMessage } from 'node:http';

/**
 * Event stream clients in a process of their own, so that they take no processor time from the
 * gateway's process.
 */

/** Clients to open, each with its own headers. */
export interface ClientsToOpen {
  url: string;
  headers: Record<string, string>[];
  /** Number of clients, from the first on, that never read. */
  stalled: number;
}

export type ClientsCommand =
  | { open: ClientsToOpen }
  /** URL for clients that reconnect. */
  | { moveTo: string }
  | { count: true }
  /** Answered when all reading clients are connected, or after this time. */
  | { whenLive: true; withinMs: number }
  /**
   * Answered when each reading client, in their order, has this many events, or after this time.
   */
  | { whenAll: number[]; withinMs: number };

export interface ClientsReport {
  /** Reading clients that are connected. */
  live: number;
  /** Reading clients that are not connected. */
  away: number;
  received: number;
  missing: number;
  /** Events that arrived twice or after a later one. */
  doubled: number;
  /** Number of places at which an event is missing. */
  gaps: number;
  resets: number;
  /** Number of reconnects. */
  returns: number;
  /** Number of answers without a stream, after which a browser would not reconnect, by status. */
  refused: Record<number, number>;
  /** Clients without reading that were cut off. */
  stalledCut: number;
  /** Milliseconds from before the transaction until the client has the event. */
  latencies: number[];
}

const RETRY_MS = 3_000;
const OPENING_AT_ONCE = 50;
const LATENCIES_KEPT = 20_000;

class StreamClient {
  /** Number of the last event of its user. */
  last = 0;
  received = 0;
  isLive = false;
  private lastEventId = '';
  private retryMs = RETRY_MS;

  constructor(private readonly headers: Record<string, string>) {}

  /** Connects and waits for an answer; then reconnects by itself. */
  connect(): Promise<void> {
    return new Promise((done) => {
      const sent = request(`${url}/v1/events/stream`, {
        agent: false,
        headers: { ...this.headers, ...(this.lastEventId && { 'Last-Event-ID': this.lastEventId }) },
      });
      const lost = () => {
        done();
        if (this.isLive) report.live--;
        this.isLive = false;
        report.returns++;
        setTimeout(() => void this.connect(), this.retryMs);
      };
      let hasAnswer = false;
      sent.once('response', (response) => {
        hasAnswer = true;
        if (response.statusCode !== 200)
          report.refused[response.statusCode ?? 0] = (report.refused[response.statusCode ?? 0] ?? 0) + 1;
        const reader = new StreamReader({
          onEvent: (event) => this.take(event),
          onRetry: (milliseconds) => (this.retryMs = milliseconds),
          onPosition: (id) => this.liveFrom(id),
        });
        response.setEncoding('utf8');
        response.on('data', (text: string) => reader.feed(text));
        response.on('error', () => undefined); // `close` follows
        response.once('close', lost);
        done();
      });
      // After an answer, `close` handles the error.
      sent.once('error', () => hasAnswer || lost());
      sent.end();
    });
  }

  private liveFrom(id: string): void {
    this.lastEventId = id;
    if (!this.isLive) report.live++;
    this.isLive = true;
  }

  private take({ id, type, payload }: PlatformEvent): void {
    if (type === 'stream.reset') report.resets++;
    if (id === null) return;
    const { n, sentAt } = payload as { n: number; sentAt: number };
    this.received++;
    report.received++;
    if (n <= this.last) report.doubled++;
    else if (n > this.last + 1) report.gaps++;
    this.last = Math.max(this.last, n);
    if (report.latencies.length < LATENCIES_KEPT)
      report.latencies.push(performance.timeOrigin + performance.now() - sentAt);
  }
}

let url = '';
const clients: StreamClient[] = [];
const report: ClientsReport = {
  ...{ live: 0, away: 0, received: 0, missing: 0, doubled: 0, gaps: 0, resets: 0, returns: 0, stalledCut: 0 },
  refused: {},
  latencies: [],
};

function neverRead(headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((done, failed) => {
    const sent = request(`${url}/v1/events/stream`, { agent: false, headers });
    sent.once('error', failed);
    sent.once('response', (response) => {
      response.socket.pause();
      response.socket.once('close', () => report.stalledCut++);
      done(response);
    });
    sent.end();
  });
}

const kept: IncomingMessage[] = [];
async function open(wanted: ClientsToOpen): Promise<void> {
  url = wanted.url;
  const waiting = wanted.headers.entries();
  await Promise.all(
    Array.from({ length: OPENING_AT_ONCE }, async () => {
      for (const [at, headers] of waiting) {
        if (at < wanted.stalled) {
          kept.push(await neverRead(headers));
          continue;
        }
        const client = new StreamClient(headers);
        clients.push(client);
        order.set(client, at - wanted.stalled);
        await client.connect();
      }
    }),
  );
  clients.sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
}
const order = new Map<StreamClient, number>();

async function until(isSo: () => boolean, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  while (!isSo() && performance.now() < end) await new Promise((waited) => setTimeout(waited, 50));
}

async function obey(command: ClientsCommand): Promise<void> {
  if ('open' in command) await open(command.open);
  else if ('moveTo' in command) url = command.moveTo;
  else if ('whenLive' in command) await until(() => report.live === clients.length, command.withinMs);
  else if ('whenAll' in command) {
    const { whenAll: wanted, withinMs } = command;
    await until(() => clients.every(({ last }, at) => last >= (wanted[at] ?? 0)), withinMs);
    report.missing = clients.reduce((sum, { last }, at) => sum + Math.max(0, (wanted[at] ?? 0) - last), 0);
  }
  report.away = clients.length - report.live;
  process.send?.(report);
  if ('count' in command) report.latencies = [];
}

process.on('message', (command: ClientsCommand) => void obey(command));
process.once('disconnect', () => process.exit());
