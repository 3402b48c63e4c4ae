import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 20;
const MOST_PAUSES = 3_000;

/**
 * Waits until `probe` returns a value, for at most a minute. This library is below
 * `@platform/testing` and cannot use its `until`.
 */
export async function until<T>(probe: () => T | Promise<T>): Promise<T> {
  for (let pauses = 0; ; pauses++) {
    const found = await probe();
    if (found) return found;
    if (pauses > MOST_PAUSES) throw new Error('Waited in vain for a minute.');
    await delay(PAUSE_MS);
  }
}
