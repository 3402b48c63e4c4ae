import { median } from '../comparing/statistics.js';
import type { Comparison } from '../comparing/comparison.js';
import { login } from '../identity/login.js';
import { me } from '../identity/me.js';
import { refresh } from '../identity/refresh.js';
import { load } from '../load/http.js';
import type { Context, Measurement } from '../measurement.js';
import { SERVICES, type BenchPlatform, type RunningService, type Service } from '../platform/bench-platform.js';
import type { Sizes } from '../platform/size.js';
import { mark, type Table } from '../table.js';

const SIZES: Sizes<{ starts: number; loadMs: number }> = {
  full: { starts: 5, loadMs: 2_000 },
  tiny: { starts: 1, loadMs: 10 },
};
const CONNECTIONS = 16;

const MOST_SECONDS = 1.5;
const MOST_MEGABYTES = 150;

interface Footprint {
  service: Service;
  /** Median time from the spawn until it listens, on a migrated database. */
  startSeconds: number;
  /** Resident memory right after a start (median), and under load. */
  idleMegabytes: number;
  loadedMegabytes: number;
}

/** Starts each service several times, alone, and puts load on the last one. */
export const services: Measurement[] = SERVICES.map((service) => ({
  title: `Start-up and memory of ${service}`,
  async measure(context) {
    const footprint = await footprintOf(service, context);
    const { startSeconds, idleMegabytes, loadedMegabytes } = footprint;
    return {
      table: footprintTable(footprint),
      isReached: isSmallEnough(footprint),
      figures: [startSeconds, idleMegabytes, loadedMegabytes],
    };
  },
}));

async function footprintOf(service: Service, { platform, progress }: Context): Promise<Footprint> {
  const { starts } = SIZES[platform.size];
  const seconds: number[] = [];
  const idle: number[] = [];
  for (let start = 1; ; start++) {
    progress(`${service}, start ${start} of ${starts}`);
    const started = performance.now();
    const running = await platform.startService(service);
    seconds.push((performance.now() - started) / 1000);
    try {
      idle.push(await residentMegabytes(running));
      if (start < starts) continue;
      await loads[service](platform, running);
      const loadedMegabytes = await residentMegabytes(running);
      return { service, startSeconds: median(seconds), idleMegabytes: median(idle), loadedMegabytes };
    } finally {
      await running.stop();
    }
  }
}

/**
 * True if start-up time and idle memory reach their bars. Memory under load can be higher; the
 * table shows it.
 */
const isSmallEnough = ({ startSeconds, idleMegabytes }: Footprint): boolean =>
  startSeconds < MOST_SECONDS && idleMegabytes < MOST_MEGABYTES;

const footprintTable = (footprint: Footprint): Table => ({
  head: ['', 'start-up', 'memory idle', 'under load', 'bar', ''],
  rows: [
    [
      footprint.service,
      `${footprint.startSeconds.toFixed(2)} s`,
      `${footprint.idleMegabytes.toFixed(0)} MB`,
      `${footprint.loadedMegabytes.toFixed(0)} MB`,
      `< ${MOST_SECONDS} s, < ${MOST_MEGABYTES} MB`,
      mark(isSmallEnough(footprint)),
    ],
  ],
});

const health = ({ size }: BenchPlatform, { url }: RunningService): Promise<unknown> =>
  load(url, CONNECTIONS, SIZES[size].loadMs, (send) => send({ method: 'GET', path: '/readyz' }));

const loads: Record<Service, (platform: BenchPlatform, service: RunningService) => Promise<unknown>> = {
  'auth-gateway': async (platform, { url }) => {
    for (const comparison of [me, login, refresh]) await subjectOnly(comparison, platform, url);
  },
  registry: health,
  'ext-webhook-host': health,
};

async function subjectOnly(comparison: Comparison, platform: BenchPlatform, url: string): Promise<void> {
  const { subject, stop } = await comparison.prepare(platform, url);
  try {
    await subject(SIZES[platform.size].loadMs);
  } finally {
    await stop?.();
  }
}

/** Memory that the service itself reports, which works the same on Linux and macOS. */
export async function residentMegabytes({ metricsUrl }: RunningService): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text();
  const bytes = /^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)$/m.exec(metrics)?.[1];
  if (!bytes) throw new Error(`${metricsUrl} has no process_resident_memory_bytes.`);
  return Number(bytes) / 1e6;
}
