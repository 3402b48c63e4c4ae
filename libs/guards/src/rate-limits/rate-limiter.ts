/** At most `quota` requests per `windowSeconds`, all of which may come at once; then one every `windowSeconds / quota`. */
export interface RateLimitPolicy {
  /** As it appears in the RateLimit headers. */
  name: string;
  quota: number;
  windowSeconds: number;
}

export interface RateLimitResult {
  allowed: boolean;
  /** How many more requests may come now. */
  remaining: number;
  /** Seconds until the whole quota is there again. */
  resetSeconds: number;
  /** Seconds until a refused request may be repeated; 0 when it was allowed. */
  retryAfterSeconds: number;
}

/** Seconds by which a request may come early, since each of the arrivals of a window is rounded: by PostgreSQL to a microsecond. */
export const ROUNDING = 0.001;

/**
 * Counts by GCRA (the generic cell rate algorithm, ITU-T I.371): one timestamp per key, the theoretical arrival time, and no edge
 * of a window at which double the quota slips through.
 */
export abstract class RateLimiter {
  /** Seconds since the epoch. Null: the clock of the engine, which all processes share. Only specs set one. */
  clock: (() => number) | null = null;

  /** Takes one request, or as many as are told, off the quota of `key`, atomically: all of them or none. A refused request takes nothing. */
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

  /** Gives back what `consume` took, for limits that count failures only: each try takes one, and a success returns it. */
  async refund(policy: RateLimitPolicy, key: string): Promise<void> {
    await this.advance(`${policy.name}:${key}`, -policy.windowSeconds / policy.quota, policy.windowSeconds);
  }

  /**
   * Moves the key's arrival time on by `interval` seconds unless that would put it more than `window` seconds ahead of now.
   * `ahead` is how far ahead it is afterwards.
   */
  protected abstract advance(key: string, interval: number, window: number): Promise<{ allowed: boolean; ahead: number }>;
}
