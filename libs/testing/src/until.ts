import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two probes; short, because most waits are short. */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 20;
/** Shorter than Jest's time limit, because Jest's error does not name the wait. */
const LIMIT_MS = 80_000;

/**
 * Functions that `until` calls repeatedly while it waits. Each starts work, such as jobs, and
 * returns at once.
 */
export const waitCallbacks = new Set<() => void>();

let waits = 0;

/** True while a spec waits with `until`. */
export const isWaiting = (): boolean => waits > 0;

/**
 * Waits for a request that itself waits for jobs, and runs the jobs meanwhile. Returns its answer,
 * or throws its error.
 */
export async function withJobs<T>(request: Promise<T>): Promise<T> {
  let isOver = false;
  const over = (): void => void (isOver = true);
  request.then(over, over);
  await until(() => isOver);
  return request;
}

/**
 * Waits until `probe` returns a truthy value, and returns it. Meanwhile it runs the jobs of
 * services without workers.
 *
 * @throws Error with the caller's stack after `limitMs`, 80 seconds by default; an error of `probe`
 * at once.
 */
export async function until<T>(probe: () => Promise<T> | T, limitMs = LIMIT_MS): Promise<NonNullable<T>> {
  const inVain = new Error(`Waited in vain for ${limitMs / 1_000} s.`);
  const deadline = process.uptime() + limitMs / 1_000; // specs do not fake this clock
  waits++;
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const found = await probe();
      if (found) return found;
      if (process.uptime() > deadline) throw inVain;
      for (const work of waitCallbacks) work();
      await delay(pause);
    }
  } finally {
    waits--;
  }
}
