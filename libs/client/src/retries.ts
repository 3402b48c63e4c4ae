import { ApiError, isTransient } from './errors.js';

/**
 * The platform accepts the same refresh token again for 60 s, in case an answer was lost. Four
 * tries of 10 s and these pauses take less time.
 */
const PAUSES_MS = [500, 1000, 2000];
const LONGEST_PAUSE_MS = 5000;

/**
 * Runs `work`, at most four times if it fails temporarily, with pauses of about half a second to
 * five seconds. Throws the last error; at once if it is not temporary, or the platform asks for a
 * pause of more than 5 s.
 */
export async function withRetries<T>(work: () => Promise<T>, pause: (ms: number) => Promise<void> = delay): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
      if (!isTransient(error) || asked > LONGEST_PAUSE_MS) throw error;
      // Random extra time, so that clients that failed together do not retry together.
      await pause(Math.max(asked, pauseMs) * (1 + Math.random() / 4));
    }
  }
  return work();
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
