import type { TokenResponse } from '@platform/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import { OwnDatabases } from '../bench/platform/databases.js';
import { BenchPlatform, type Started } from '../bench/platform/bench-platform.js';
import { ClientsProcess } from './clients-process.js';
import { EventPublisher } from './event-publisher.js';
import { MemoryWatch } from './memory-watch.js';
import type { Options } from './options.js';
import type { ClientsReport } from './stream-clients.js';

const STALLED = 0.05;
const MOST_KB_OF_A_STREAM = 30;
/** Limit for the memory at the end, as a multiple of the memory at the beginning. */
const MOST_GROWTH = 1.1;
const SETTLE_MS = 10_000;
const LAST_EVENTS_MS = 30_000;
/** Seconds in which events are published while the process is killed and its clients reconnect. */
const SECONDS_AWAY = 15;
const ISSUING_AT_ONCE = 8;
const WARM_UP = 300;
/** Most events that wait for their transactions. */
const MOST_WAITING = 500;

interface Client {
  userId: string;
  headers: Record<string, string>;
}

/** Runs the test and prints the steps and results. Returns true if all checks passed. */
export async function runStreams(options: Options, print: (line: string) => void): Promise<boolean> {
  const platform = await BenchPlatform.start('full', await OwnDatabases.start());
  const clients = ClientsProcess.start();
  let publisher: EventPublisher | undefined;
  const interrupt = () => void platform.stop().finally(() => process.exit(130));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const env = {
      WORKERS: 'off',
      EVENT_STREAMS: String(2 * options.streams),
      ...(options.redisUrl && { REDIS_URL: options.redisUrl }),
    };
    const first = await platform.startService('auth-gateway', { env });
    const second = await platform.startService('auth-gateway', { env, publicUrl: first.url });
    publisher = await EventPublisher.start({ ...platform.environment(first.url), ...env });
    return await new StreamsRun(options, { platform, clients, publisher, first, second }, print).run();
  } finally {
    clients.stop();
    await publisher?.stop();
    await platform.stop();
  }
}

interface Parts {
  platform: BenchPlatform;
  clients: ClientsProcess;
  publisher: EventPublisher;
  first: Started;
  second: Started;
}

class StreamsRun {
  /** Number of published events by user. */
  private readonly published = new Map<string, number>();
  private isGood = true;

  constructor(
    private readonly options: Options,
    private readonly parts: Parts,
    private readonly print: (line: string) => void,
  ) {}

  async run(): Promise<boolean> {
    const { clients: process, first, second } = this.parts;
    const { streams, seconds, perSecond, redisUrl } = this.options;
    const stalled = Math.floor(streams * STALLED);
    this.print(
      `${streams} streams at one process, ${stalled} of which never read; ${perSecond} events per second; on ${redisUrl ? 'Redis' : 'PostgreSQL'}`,
    );
    const all = await this.signIn(streams);
    const reading = all.slice(stalled);

    await this.warmUp(all.slice(0, WARM_UP));
    const memory = new MemoryWatch(first.metricsUrl);
    await delay(SETTLE_MS);
    const before = await memory.look();
    const opening = performance.now();
    await process.ask({ open: { url: first.url, headers: all.map(({ headers }) => headers), stalled } });
    await process.allLive();
    this.print(`all are live after ${((performance.now() - opening) / 1_000).toFixed(1)} s`);
    await delay(SETTLE_MS);

    memory.start();
    await this.publish(all, seconds);
    await memory.stop();
    const after = await process.ask({ whenAll: this.counts(reading), withinMs: LAST_EVENTS_MS });
    this.judge('while the process runs', after);
    const { begin, end, most } = memory.summary();
    const kilobytes = (begin.residentBytes - before.residentBytes) / streams / 1_024;
    const mib = (bytes: number) => `${(bytes / 1_024 / 1_024).toFixed(0)} MiB`;
    this.print(
      `memory: ${mib(before.residentBytes)} before, ${mib(begin.residentBytes)} with all, ${mib(end.residentBytes)} at the end, ${mib(most)} at most; used by objects ${mib(before.heapBytes)}, ${mib(begin.heapBytes)}, ${mib(end.heapBytes)}`,
    );
    this.hold(`a stream takes ${kilobytes.toFixed(1)} kB`, kilobytes < MOST_KB_OF_A_STREAM);
    this.hold(
      `memory grows by ${((end.residentBytes / begin.residentBytes - 1) * 100).toFixed(1)} % while events are published`,
      end.residentBytes <= begin.residentBytes * MOST_GROWTH,
    );

    await process.ask({ count: true });
    const publishing = this.publish(all, SECONDS_AWAY);
    await delay((SECONDS_AWAY / 3) * 1_000);
    await process.ask({ moveTo: second.url });
    first.process.kill('SIGKILL');
    await publishing;
    await process.allLive();
    await this.publish(all, SECONDS_AWAY / 3);
    this.judge(
      'after SIGKILL, at another process',
      await process.ask({ whenAll: this.counts(reading), withinMs: LAST_EVENTS_MS }),
    );
    return this.isGood;
  }

  /**
   * Loads and compiles the code of the first streams, so that it does not count as memory of a
   * stream.
   */
  private async warmUp(some: readonly Client[]): Promise<void> {
    const { first } = this.parts;
    const clients = ClientsProcess.start();
    await clients.ask({ open: { url: first.url, headers: some.map(({ headers }) => headers), stalled: 0 } });
    await clients.allLive();
    clients.stop();
  }

  /** Signs in as many sessions as there are streams; some users have several. */
  private async signIn(count: number): Promise<Client[]> {
    const { platform, second } = this.parts;
    const refreshTokens = platform.refreshTokens.slice(0, count);
    if (refreshTokens.length < count) throw new Error(`There are ${refreshTokens.length} sessions.`);
    const clients: Client[] = [];
    const waiting = refreshTokens.values();
    await Promise.all(
      Array.from({ length: ISSUING_AT_ONCE }, async () => {
        for (const refresh_token of waiting) {
          const answer = await fetch(`${second.url}/v1/auth/refresh`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ refresh_token }),
          });
          if (!answer.ok) throw new Error(`a refresh answered ${answer.status}: ${await answer.text()}`);
          const { access_token } = (await answer.json()) as TokenResponse;
          const { sub } = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()) as {
            sub: string;
          };
          clients.push({ userId: sub, headers: { Authorization: `Bearer ${access_token}` } });
        }
      }),
    );
    return clients;
  }

  /**
   * Publishes this many events per second, each to a random user, or fewer if the machine is too
   * slow. Prints the real rate.
   */
  private async publish(clients: readonly Client[], seconds: number): Promise<void> {
    const { publisher } = this.parts;
    const { perSecond } = this.options;
    const began = performance.now();
    const ofUsers = new Map<string, Promise<void>>();
    let sent = 0;
    let waiting = 0;
    let failure: unknown;
    for (; !failure && performance.now() - began < seconds * 1_000; sent++) {
      const early = began + (sent / perSecond) * 1_000 - performance.now();
      if (early > 1) await delay(early);
      while (waiting >= MOST_WAITING) await delay(10);
      const { userId } = clients[Math.floor(Math.random() * clients.length)] as Client;
      const n = (this.published.get(userId) ?? 0) + 1;
      this.published.set(userId, n);
      waiting++;
      // Publishes the events of one user one after the other, because their order is checked.
      const before = ofUsers.get(userId) ?? Promise.resolve();
      ofUsers.set(
        userId,
        before
          .then(() => publisher.publish(userId, n))
          .catch((error: unknown) => (failure ??= error))
          .finally(() => waiting--)
          .then(() => undefined),
      );
    }
    await Promise.all(ofUsers.values());
    if (failure) throw failure as Error;
    const took = (performance.now() - began) / 1_000;
    this.print(`${sent} events in ${took.toFixed(1)} s, ${(sent / took).toFixed(0)} per second`);
  }

  private counts(clients: readonly Client[]): number[] {
    return clients.map(({ userId }) => this.published.get(userId) ?? 0);
  }

  private judge(
    when: string,
    { received, missing, doubled, gaps, resets, returns, away, refused, stalledCut, latencies }: ClientsReport,
  ): void {
    const sorted = latencies.sort((one, other) => one - other);
    const at = (share: number) => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0)} ms`;
    this.print(
      `${when}: ${received} deliveries in all, clients reconnected ${returns} times, clients without reading cut off: ${stalledCut} in all; publish to receipt p50 ${at(0.5)}, p99 ${at(0.99)}`,
    );
    this.hold(
      `  ${missing} missing, ${doubled} double or out of order, ${gaps} gaps, ${resets} stream resets, ${away} not connected, refused ${JSON.stringify(refused)}`,
      !missing && !doubled && !gaps && !resets && !away && !Object.keys(refused).length,
    );
  }

  private hold(what: string, isSo: boolean): void {
    this.isGood &&= isSo;
    this.print(`${isSo ? '✔' : '✘'} ${what}`);
  }
}
