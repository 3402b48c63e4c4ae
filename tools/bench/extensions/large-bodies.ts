import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { sendOnce } from '../load/http.js';
import type { Measurement } from '../measurement.js';
import type { Platform } from '../platform/platform.js';
import { RunningApp, SECRET } from '../platform/running-app.js';
import type { Sizes } from '../platform/size.js';

const MEBIBYTE = 1024 * 1024;
const SIZES: Sizes<{ bodies: number; bytes: number }> = {
  full: { bodies: 50, bytes: 10 * MEBIBYTE },
  tiny: { bodies: 3, bytes: MEBIBYTE },
};
const LONGEST_HEALTH_MS = 100;

export const largeBodies: Measurement = {
  title: 'Whether large bodies hold others up',
  async measure({ platform }) {
    const { bodies, bytes } = SIZES[platform.size];
    const { p50Ms, slowestMs, seconds } = await healthUnderBodies(platform);
    return {
      text:
        `While ${bodies} bodies of ${bytes / MEBIBYTE} MiB come at once (${seconds.toFixed(1)} s), /healthz takes ${p50Ms.toFixed(0)} ms (p50), ` +
        `${slowestMs.toFixed(0)} ms at most (bar: < ${LONGEST_HEALTH_MS} ms)`,
      isReached: slowestMs < LONGEST_HEALTH_MS,
      figures: [p50Ms, slowestMs, seconds],
    };
  },
};

interface HealthUnderBodies {
  /** Of all questions that were asked meanwhile. */
  p50Ms: number;
  slowestMs: number;
  /** From the first byte to the last answer. */
  seconds: number;
}

/** How long `/healthz` of the host takes while webhooks with random bodies come at once and have their signatures checked. */
async function healthUnderBodies(platform: Platform): Promise<HealthUnderBodies> {
  const app = await RunningApp.inCommon(platform);
  try {
    const { url } = app.host;
    const workerData = { url: `${url}/v1/ext/bench/webhook/bytes`, ...SIZES[platform.size], secret: SECRET };
    const started = performance.now();
    const sender = new Worker(SENDER, { eval: true, workerData });
    const sent = once(sender, 'exit').then(([code]) => {
      if (code !== 0) throw new Error('A body was not answered as it should be.');
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
  } finally {
    await app.stop();
  }
}

/** In a thread of its own, so that sending is not on the clock. Who is told to come again (503) does so, as a provider does. */
const SENDER = `
  const { workerData: { url, bodies, bytes, secret } } = require('node:worker_threads');
  const { createHmac, randomBytes } = require('node:crypto');
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
