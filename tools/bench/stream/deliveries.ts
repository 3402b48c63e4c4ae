import { ClientsProcess } from '../../streams/clients-process.js';
import { EventPublisher } from '../../streams/event-publisher.js';
import { interleave, summarise, type Side } from '../comparing/statistics.js';
import type { Measurement } from '../measurement.js';
import type { BenchPlatform } from '../platform/bench-platform.js';
import type { Sizes } from '../platform/size.js';
import { mark } from '../table.js';
import { CountingProcess } from './counting-process.js';

const LEAST_RATIO = 0.5;
const SIZES: Sizes<{
  clients: number;
  events: number;
  sliceMs: number;
  maxWarmUpMs: number;
  users: number;
  single: number;
}> = {
  full: { clients: 100, events: 1_000, sliceMs: 1_000, maxWarmUpMs: 20_000, users: 500, single: 1_000 },
  tiny: { clients: 2, events: 5, sliceMs: 1, maxWarmUpMs: 1, users: 2, single: 4 },
};
const SINGLE_PER_SECOND = 100;
const PATIENCE_MS = 30_000;

/**
 * Measures how many events per second the clients of one tenant receive, from the commit of a
 * thousand events on, compared with a server that writes them in a loop. Then measures the time of
 * single events for one user each.
 */
export const deliveries: Measurement = {
  title: 'Events to stream clients, against a loop of node:http',
  async measure({ platform, rounds, progress }) {
    const size = SIZES[platform.size];
    const databaseUrl = await platform.createDatabase('streams');
    const gateway = await platform.startService('auth-gateway', { databaseUrl, env: { WORKERS: 'off' } });
    const bare = await platform.startBareStream();
    const publisher = await EventPublisher.start(platform.environment(gateway.url, databaseUrl));
    const counting = [CountingProcess.start(), CountingProcess.start()] as const;
    try {
      const [ofBare, ofGateway] = counting;
      await ofBare.ask({ open: { url: bare.url, headers: {}, clients: size.clients } });
      await ofGateway.ask({
        open: { url: `${gateway.url}/v1/events/stream`, headers: backend(platform), clients: size.clients },
      });
      const side =
        (clients: CountingProcess, burst: () => Promise<unknown>): Side =>
        async (milliseconds) => {
          const began = performance.now();
          let bursts = 0;
          let took = 0;
          while (performance.now() - began < milliseconds || !bursts) {
            const arrived = clients.ask({ expect: size.events * size.clients });
            await burst();
            const from = performance.now();
            await arrived;
            took += performance.now() - from;
            bursts++;
          }
          return (bursts * size.events * size.clients * 1_000) / took;
        };
      const sides = {
        baseline: side(ofBare, () => Promise.resolve(void fetch(`${bare.url}/${size.events}`, { method: 'POST' }))),
        subject: side(ofGateway, () => publisher.publishAtOnce(size.events)),
      };
      progress('Deliveries per second');
      const { ratio, lowest, highest, subject, baseline } = summarise(await interleave(sides, { rounds, ...size }));
      progress('Time of single events');
      const { p50, p99 } = await latency(platform, gateway.url, publisher, size);
      return {
        table: {
          head: ['', 'against', 'ratio', 'spread', 'bar', '', 'per second'],
          rows: [
            [
              `${size.events} events to ${size.clients} clients`,
              'a loop of node:http',
              ratio.toFixed(2),
              `${lowest.toFixed(2)}–${highest.toFixed(2)}`,
              `≥ ${LEAST_RATIO.toFixed(2)}`,
              mark(ratio >= LEAST_RATIO),
              `${subject.toFixed(0)} of ${baseline.toFixed(0)}`,
            ],
          ],
        },
        text: `From before the transaction that publishes an event until its client has it, ${SINGLE_PER_SECOND} per second: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms.`,
        isReached: ratio >= LEAST_RATIO,
        figures: [ratio, lowest, highest, subject, baseline, p50, p99],
      };
    } finally {
      for (const process of counting) process.stop();
      await publisher.stop();
      await Promise.all([gateway.stop(), bare.stop()]);
    }
  },
};

const backend = ({ serviceToken }: BenchPlatform): Record<string, string> => ({ 'X-Service-Token': serviceToken });

async function latency(
  platform: BenchPlatform,
  url: string,
  publisher: EventPublisher,
  { users, single }: { users: number; single: number },
): Promise<{ p50: number; p99: number }> {
  const ids = await publisher.addUsers(users);
  const clients = ClientsProcess.start();
  try {
    const headers = ids.map((id) => ({ ...backend(platform), 'X-Acting-User': id }));
    await clients.ask({ open: { url, headers, stalled: 0 } });
    await clients.allLive();
    const began = performance.now();
    const published: Promise<void>[] = [];
    for (let at = 0; at < single; at++) {
      const early = began + (at * 1_000) / SINGLE_PER_SECOND - performance.now();
      if (early > 0) await new Promise((waited) => setTimeout(waited, early));
      published.push(publisher.publish(ids[at % users] as string, Math.floor(at / users) + 1));
    }
    await Promise.all(published);
    const { latencies, missing } = await clients.ask({
      whenAll: ids.map(() => Math.floor(single / users)),
      withinMs: PATIENCE_MS,
    });
    if (missing) throw new Error(`${missing} events did not arrive.`);
    const sorted = latencies.sort((one, other) => one - other);
    const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? NaN;
    return { p50: quantile(0.5), p99: quantile(0.99) };
  } finally {
    clients.stop();
  }
}
