const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waiting times after each failed attempt. Together they are more than three days. */
export const RETRY_WAITS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Longest time that a receiver can request with `Retry-After`. */
const MAX_RETRY_AFTER_MS = HOUR;

/**
 * Milliseconds until the next attempt: the time in `RETRY_WAITS_MS` with a random part, or the time
 * that the receiver requests if it is longer, up to an hour. Null after the tenth attempt, which is
 * the last one.
 *
 * @param attempt number of the attempt that failed; the first is 1.
 * @param retryAfterMs waiting time that the receiver requests; null for none.
 * @param random from 0 to 1: the wait becomes longer by this share of a fifth.
 */
export function getRetryWaitMs(attempt: number, retryAfterMs: number | null, random = Math.random()): number | null {
  const wait = RETRY_WAITS_MS[attempt - 1];
  if (wait === undefined) return null;
  const spread = Math.round(wait * (1 + random / 5));
  return Math.max(spread, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}

/**
 * Milliseconds from `Retry-After` (RFC 9110 section 10.2.3), which has seconds or a date. Null
 * without a header, and for an invalid one.
 */
export function parseRetryAfterMs(header: string | undefined, now = Date.now()): number | null {
  if (!header) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
