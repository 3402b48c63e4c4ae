/**
 * At most `quota` requests per `windowSeconds`. All of them can come at once; then one every
 * `windowSeconds / quota`.
 */
export interface RateLimitPolicy {
  /** Name in the RateLimit headers. */
  name: string;
  quota: number;
  windowSeconds: number;
}

export interface RateLimitResult {
  allowed: boolean;
  /** Number of further requests that are allowed now. */
  remaining: number;
  /** Seconds until the whole quota is available again. */
  resetSeconds: number;
  /** Seconds until a refused request can be retried; 0 if the request was allowed. */
  retryAfterSeconds: number;
}

/**
 * Seconds by which a request can come too early, because each arrival time in a window is rounded,
 * by PostgreSQL to a microsecond.
 */
export const ROUNDING = 0.001;

/**
 * Counts by GCRA (the generic cell rate algorithm, ITU-T I.371), with one timestamp per key, the
 * theoretical arrival time. Unlike fixed windows it does not let double the quota through at the
 * edge of a window.
 */
export abstract class RateLimiter {
  /**
   * Seconds since the epoch, set only by specs. Null: the clock of the engine, which all processes
   * share.
   */
  clock: (() => number) | null = null;

  /**
   * Takes `count` requests off the quota of `key`, atomically: all of them, or none if fewer are
   * left. Returns the state of the quota; `allowed` is false if nothing was taken.
   */
  async consume(policy: RateLimitPolicy, key: string, count = 1): Promise<RateLimitResult> {
    const interval = policy.windowSeconds / policy.quota;
    const { allowed, ahead } = await this.advance(`${policy.name}:${key}`, interval * count, policy.windowSeconds);
    return {
      allowed,
      remaining: Math.max(0, Math.floor((policy.windowSeconds - ahead) / interval + 1e-6)),
      resetSeconds: Math.ceil(ahead),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(ahead + interval * count - policy.windowSeconds)),
    };
  }

  /**
   * Returns a request that `consume` took, for limits that count only failures: each attempt takes
   * one, and a success returns it.
   */
  async refund(policy: RateLimitPolicy, key: string): Promise<void> {
    await this.advance(`${policy.name}:${key}`, -policy.windowSeconds / policy.quota, policy.windowSeconds);
  }

  /**
   * Moves the arrival time of the key forward by `interval` seconds, unless it would then be more
   * than `window` seconds ahead of now; `allowed` is false then. `ahead`: seconds by which it is
   * ahead of now afterwards.
   */
  protected abstract advance(
    key: string,
    interval: number,
    window: number,
  ): Promise<{ allowed: boolean; ahead: number }>;
}
