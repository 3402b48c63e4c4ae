import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 20;
const MOST_PAUSES = 3_000;

/**
 * Calls `probe` every 20 ms until it returns a truthy value, and returns that. This library is
 * below `@platform/testing` and cannot use its `until`.
 *
 * @throws Error after about a minute without a value; an error of `probe` at once.
 */
export async function until<T>(probe: () => T | Promise<T>): Promise<T> {
  for (let pauses = 0; ; pauses++) {
    const found = await probe();
    if (found) return found;
    if (pauses > MOST_PAUSES) throw new Error('Waited in vain for a minute.');
    await delay(PAUSE_MS);
  }
}
