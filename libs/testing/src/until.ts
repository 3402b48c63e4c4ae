import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;

/** Waits until `probe` returns something other than undefined, null or false, and returns it. Jest's own time limit ends the wait. */
export async function until<T>(probe: () => Promise<T> | T): Promise<NonNullable<T>> {
  for (;;) {
    const found = await probe();
    if (found) return found;
    await delay(POLL_MS);
  }
}
