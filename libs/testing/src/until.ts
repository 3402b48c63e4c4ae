import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;
/** Shorter than Jest's limit of a test, which would not say which wait was in vain. */
const LIMIT_MS = 80_000;

/**
 * Waits until `probe` returns something other than undefined, null or false, and returns it.
 *
 * @throws Error with the place of the call after `limitMs`
 */
export async function until<T>(probe: () => Promise<T> | T, limitMs = LIMIT_MS): Promise<NonNullable<T>> {
  const inVain = new Error(`Waited in vain for ${limitMs / 1_000} s.`);
  const deadline = process.uptime() + limitMs / 1_000; // a clock that specs do not move
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (process.uptime() > deadline) throw inVain;
    await delay(POLL_MS);
  }
}
