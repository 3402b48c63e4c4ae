import { setTimeout as delay } from 'node:timers/promises';

/** The pauses between two probes: most waits are short. */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 20;
/** Shorter than Jest's limit of a test, which would not say which wait was in vain. */
const LIMIT_MS = 80_000;

/** Called again and again while a spec waits. Each begins work that goes on only then, such as jobs, and returns at once. */
export const whileWaiting = new Set<() => void>();

let waits = 0;

/** True while a spec waits by `until`. */
export const isWaiting = (): boolean => waits > 0;

/** Resolves with the answer to a request that itself waits for jobs: they run meanwhile. */
export async function withJobs<T>(request: Promise<T>): Promise<T> {
  let isOver = false;
  const over = (): void => void (isOver = true);
  request.then(over, over);
  await until(() => isOver);
  return request;
}

/**
 * Waits until `probe` returns something other than undefined, null or false, and returns it. Meanwhile the jobs run of services that have no workers.
 *
 * @throws Error with the place of the call after `limitMs`
 */
export async function until<T>(probe: () => Promise<T> | T, limitMs = LIMIT_MS): Promise<NonNullable<T>> {
  const inVain = new Error(`Waited in vain for ${limitMs / 1_000} s.`);
  const deadline = process.uptime() + limitMs / 1_000; // a clock that specs do not move
  waits++;
  try {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const found = await probe();
      if (found) return found;
      if (process.uptime() > deadline) throw inVain;
      for (const work of whileWaiting) work();
      await delay(pause);
    }
  } finally {
    waits--;
  }
}
