import { ApiError, isTransient } from './errors.js';

/** After a lost answer the same token may be sent again for 60 s. Four tries of 10 s and these pauses stay below that. */
const PAUSES_MS = [500, 1000, 2000];
const LONGEST_PAUSE_MS = 5000;

/** Tries again after failures that may pass. Gives up at once when the platform asks for a longer pause than anyone would sit through. */
export async function withRetries<T>(work: () => Promise<T>, pause: (ms: number) => Promise<void> = delay): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
      if (!isTransient(error) || asked > LONGEST_PAUSE_MS) throw error;
      // Spread, so that clients which failed together do not come back together.
      await pause(Math.max(asked, pauseMs) * (1 + Math.random() / 4));
    }
  }
  return work();
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
