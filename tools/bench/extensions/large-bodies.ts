import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { median } from '../comparing/statistics.js';
import { sendOnce } from '../load/http.js';
import type { Measurement } from '../measurement.js';
import { RunningApp, SECRET } from '../platform/running-app.js';
import type { Sizes } from '../platform/size.js';

const MEBIBYTE = 1024 * 1024;
const SIZES: Sizes<{ bodies: number; bytes: number; rounds: number; warmUps: number }> = {
  full: { bodies: 50, bytes: 10 * MEBIBYTE, rounds: 3, warmUps: 10 },
  tiny: { bodies: 3, bytes: MEBIBYTE, rounds: 1, warmUps: 0 },
};
/** Size of the bodies in the warm-up, after which the host runs at full speed. */
const WARM_UP_BYTES = 64 * 1024;
const LONGEST_HEALTH_MS = 100;
/** Limit for the slowest answer of all rounds. */
const LONGEST_OF_ALL_MS = 200;

export const largeBodies: Measurement = {
  title: 'Delay of other requests by large bodies',
  async measure({ platform }) {
    const { bodies, bytes, rounds: count, warmUps } = SIZES[platform.size];
    const app = await RunningApp.inCommon(platform);
    const rounds: HealthUnderBodies[] = [];
    try {
      for (let at = 0; at < warmUps; at++) await healthUnderBodies(app, { bodies, bytes: WARM_UP_BYTES });
      while (rounds.length < count) rounds.push(await healthUnderBodies(app, { bodies, bytes }));
    } finally {
      await app.stop();
    }
    const middle = (figure: keyof HealthUnderBodies) => median(rounds.map((round) => round[figure]));
    const [p50Ms, slowestMs, seconds] = [middle('p50Ms'), middle('slowestMs'), middle('seconds')];
    return {
      text:
        `While ${bodies} bodies of ${bytes / MEBIBYTE} MiB come at once (${seconds.toFixed(1)} s), /healthz takes ${p50Ms.toFixed(0)} ms (p50), ` +
        `the slowest ${slowestMs.toFixed(0)} ms (median of ${rounds.map((round) => round.slowestMs.toFixed(0)).join(', ')}; bar: < ${LONGEST_HEALTH_MS} ms, each < ${LONGEST_OF_ALL_MS} ms)`,
      isReached:
        slowestMs < LONGEST_HEALTH_MS && Math.max(...rounds.map((round) => round.slowestMs)) < LONGEST_OF_ALL_MS,
      figures: [p50Ms, slowestMs, seconds],
    };
  },
};

interface HealthUnderBodies {
  /** Median over all health requests in this time. */
  p50Ms: number;
  slowestMs: number;
  /** Time from the first byte to the last answer. */
  seconds: number;
}

/**
 * Measures how long `/healthz` of the host takes while webhooks with random bodies arrive at once
 * and have their signatures checked.
 */
async function healthUnderBodies(
  { host: { url } }: RunningApp,
  { bodies, bytes }: { bodies: number; bytes: number },
): Promise<HealthUnderBodies> {
  const workerData = { url: `${url}/v1/ext/bench/webhook/bytes`, bodies, bytes, secret: SECRET };
  const started = performance.now();
  const sender = new Worker(SENDER, { eval: true, workerData });
  const sent = once(sender, 'exit').then(([code]) => {
    if (code !== 0) throw new Error('A request with a large body got a wrong answer.');
    return performance.now() - started;
  });
  const times: number[] = [];
  const isOver = Promise.race([sent, once(sender, 'error')]).then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([isOver, delay(10, false)]))) {
    const asked = performance.now();
    await sendOnce(url, { method: 'GET', path: '/healthz' });
    times.push(performance.now() - asked);
  }
  const seconds = (await sent) / 1_000;
  times.sort((one, other) => one - other);
  return { p50Ms: times[Math.floor(times.length / 2)] ?? 0, slowestMs: times.at(-1) ?? 0, seconds };
}

/**
 * Sends the bodies from a thread with low priority (`nice` of this thread, on Linux), so
 * that sending does not affect the measurement: real senders have machines of their own. After an
 * answer 503 it sends again, as a provider does.
 */
const SENDER = `
  const { workerData: { url, bodies, bytes, secret } } = require('node:worker_threads');
  const { createHmac, randomBytes } = require('node:crypto');
  require('node:os').setPriority(15);
  const body = randomBytes(bytes);
  const headers = { 'x-hub-signature-256': 'sha256=' + createHmac('sha256', secret).update(body).digest('hex') };
  const send = async () => {
    const response = await fetch(url, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status === 503) return send();
    if (response.status !== 200 || JSON.parse(text).valid !== true) throw new Error(response.status + ' ' + text);
  };
  Promise.all(Array.from({ length: bodies }, send)).catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
`;
