const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After each try that failed, until the next one. Together they are more than three days. */
export const WAITS_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/** Whoever asks us to wait longer is asked again anyway. */
const LONGEST_ASKED_MS = HOUR;

/**
 * How long until the next try; null when there is none.
 *
 * @param attempt that has failed, from 1 on.
 * @param retryAfterMs as the receiver asked.
 * @param random from 0 to 1: by how much of a fifth later.
 */
export function waitAfter(attempt: number, retryAfterMs: number | null, random = Math.random()): number | null {
  const wait = WAITS_MS[attempt - 1];
  if (wait === undefined) return null;
  const spread = Math.round(wait * (1 + random / 5));
  return Math.max(spread, Math.min(retryAfterMs ?? 0, LONGEST_ASKED_MS));
}

/** `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date. Null for none, and for what is neither. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | null {
  if (!header) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
