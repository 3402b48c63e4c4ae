import { ApiError, isTransient } from '@platform/client';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context.js';
import { startProgressLine } from '../text/progress-line.js';

/** Polling intervals; tests shorten them. */
export const POLLING = { everyMs: 2_000, longestPauseMs: 15_000 };

/**
 * Calls `ask` every two seconds until it has an answer, without a time limit. Retries temporary
 * failures with longer pauses: up to 15 s, or as long as the platform asks for.
 *
 * @param text shown while waiting.
 * @throws an AbortError on Ctrl-C; any other error of `ask`.
 */
export async function waitFor<Answer>(
  { interruption: { signal } }: Pick<Context, 'interruption'>,
  text: string,
  ask: () => Promise<Answer | undefined>,
): Promise<Answer> {
  const line = startProgressLine(text, signal);
  let pauseMs = POLLING.everyMs;
  try {
    for (;;) {
      try {
        const answer = await ask();
        if (answer !== undefined) return answer;
        pauseMs = POLLING.everyMs;
      } catch (error) {
        if (!isTransient(error)) throw error;
        line.trouble((error as Error).message);
        const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
        pauseMs = Math.max(asked, Math.min(pauseMs * 2, POLLING.longestPauseMs));
      }
      await delay(pauseMs, undefined, { signal });
    }
  } finally {
    line.stop();
  }
}
