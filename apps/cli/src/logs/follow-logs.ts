import {
  ApiError,
  call,
  isTransient,
  type AppLogLine,
  type AppLogsResponse,
  type PlatformClient,
} from '@platform/client';
import { setTimeout as delay } from 'node:timers/promises';

const WAIT_SECONDS = 20;
/** Request timeout for clients that wait for log lines. */
export const LOGS_TIMEOUT_MS = 30_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
export const MOST_LINES = 500;

export interface LogsToFollow {
  client: PlatformClient;
  appId: string;
  /**
   * The `next` of an earlier answer; null if the app had no log lines. Undefined: only new lines.
   */
  after: string | null | undefined;
  onLine: (line: AppLogLine) => void;
  /** Called once for each temporary failure, before the retries. */
  onTrouble: (reason: string) => void;
  signal: AbortSignal;
}

/**
 * Calls `onLine` for each log line after `after`, oldest first, until `signal` aborts. Retries
 * temporary failures without a limit, with pauses of 1 to 15 s, or longer if the platform asks for
 * it.
 *
 * @throws the reason of `signal` when it aborts; ApiError if the platform refuses; SignedOutError
 * if the session has ended.
 */
export async function followLogs({ client, appId, after, onLine, onTrouble, signal }: LogsToFollow): Promise<never> {
  let next = after;
  let pauseMs = 0;
  for (;;) {
    if (pauseMs) await delay(pauseMs, undefined, { signal });
    signal.throwIfAborted();
    const started = Date.now();
    try {
      const answer = await readLogs(client, appId, queryAfter(next));
      if (next !== undefined) for (const line of answer.items) onLine(line);
      // If the platform answers at once although there are no lines, pause before the next request.
      pauseMs =
        next !== undefined && !answer.items.length && Date.now() - started < FIRST_PAUSE_MS ? FIRST_PAUSE_MS : 0;
      next = answer.next;
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (!pauseMs) onTrouble((error as Error).message);
      const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
      pauseMs = Math.max(asked, Math.min(pauseMs * 2 || FIRST_PAUSE_MS, LONGEST_PAUSE_MS));
    }
  }
}

interface LogsQuery {
  after?: string | undefined;
  limit: number;
  wait_seconds: number;
}

/** Reads log lines, oldest first. */
export const readLogs = (client: PlatformClient, appId: string, query: LogsQuery): Promise<AppLogsResponse> =>
  call(client.GET('/v1/developer/apps/{app_id}/logs', { params: { path: { app_id: appId }, query } }));

function queryAfter(next: string | null | undefined): LogsQuery {
  if (next === undefined) return { limit: 1, wait_seconds: 0 };
  return { after: next ?? undefined, limit: MOST_LINES, wait_seconds: WAIT_SECONDS };
}
