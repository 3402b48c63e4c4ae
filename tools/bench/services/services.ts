import { median } from '../comparing/comparison.js';
import { load } from '../load/http.js';
import { login } from '../identity/login.js';
import { me } from '../identity/me.js';
import type { Measurement } from '../comparing/measurement.js';
import { SERVICES, type Platform, type RunningService, type Service } from '../platform/platform.js';
import { refresh } from '../identity/refresh.js';

const STARTS = 5;
const LOAD_MS = 2_000;
const CONNECTIONS = 16;

export const MOST_SECONDS = 1.5;
export const MOST_MEGABYTES = 150;

export interface Footprint {
  service: Service;
  /** From the spawn to listening, migrated database, median. */
  startSeconds: number;
  /** Resident memory right after a start (median), and under load. */
  idleMegabytes: number;
  loadedMegabytes: number;
}

/** Starts each service several times, alone, and puts the last one under load. */
export async function measureServices(platform: Platform, progress: (text: string) => void): Promise<Footprint[]> {
  const footprints: Footprint[] = [];
  for (const service of SERVICES) {
    const seconds: number[] = [];
    const idle: number[] = [];
    for (let start = 1; ; start++) {
      progress(`${service}, start ${start} of ${STARTS}`);
      const started = performance.now();
      const running = await platform.startService(service);
      seconds.push((performance.now() - started) / 1000);
      try {
        idle.push(await residentMegabytes(running));
        if (start < STARTS) continue;
        await loads[service](platform, running);
        const loadedMegabytes = await residentMegabytes(running);
        footprints.push({ service, startSeconds: median(seconds), idleMegabytes: median(idle), loadedMegabytes });
        break;
      } finally {
        await running.stop();
      }
    }
  }
  return footprints;
}

const health = (_platform: Platform, { url }: RunningService): Promise<unknown> =>
  load(url, CONNECTIONS, LOAD_MS, (send) => send({ method: 'GET', path: '/readyz' }));

const loads: Record<Service, (platform: Platform, service: RunningService) => Promise<unknown>> = {
  'auth-gateway': async (platform, { url }) => {
    for (const measurement of [me, login, refresh]) await subjectOnly(measurement, platform, url);
  },
  registry: health,
  'ext-webhook-host': health,
};

async function subjectOnly(measurement: Measurement, platform: Platform, url: string): Promise<void> {
  const { subject, stop } = await measurement.prepare(platform, url);
  try {
    await subject(LOAD_MS);
  } finally {
    await stop?.();
  }
}

/** As the service itself reports it, which works alike on Linux and macOS. */
export async function residentMegabytes({ metricsUrl }: RunningService): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text();
  const bytes = /^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)$/m.exec(metrics)?.[1];
  if (!bytes) throw new Error(`${metricsUrl} does not tell the memory.`);
  return Number(bytes) / 1e6;
}
