import type { RateLimitPolicy } from '@platform/guards';

/** In seconds. */
export const MINUTE = 60;
export const HOUR = 3_600;
export const DAY = 86_400;

/**
 * A limit of the feature in whose folder it stands: so many in so many seconds. Limits of one name would share their counters, so each has a
 * name of its own, which `tools/lint/rate-limit-names.spec.ts` checks.
 */
export const policy = (name: string, quota: number, windowSeconds: number): RateLimitPolicy => ({ name, quota, windowSeconds });
