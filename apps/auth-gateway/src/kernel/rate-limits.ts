import type { RateLimitPolicy } from '@platform/guards';

/** Seconds. */
export const MINUTE = 60;
export const HOUR = 3_600;
export const DAY = 86_400;

/**
 * Defines a rate limit: `quota` requests in `windowSeconds` seconds. It counts nothing by itself.
 * Put it into the folder of its feature. Limits with the same name would share their counters, so
 * names are unique; `tools/lint/rate-limit-names.spec.ts` checks this.
 */
export const policy = (name: string, quota: number, windowSeconds: number): RateLimitPolicy => ({
  name,
  quota,
  windowSeconds,
});
