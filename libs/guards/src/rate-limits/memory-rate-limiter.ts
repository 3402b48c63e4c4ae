import { maxEntries } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { RateLimiter, ROUNDING } from './rate-limiter.js';

const MAX_COUNTERS = 100_000;

/**
 * Keeps the counters in this process, so each process of a service has its own quotas. Above
 * `maxCounters`, the counters that were not used for the longest time are dropped.
 */
export class MemoryRateLimiter extends RateLimiter {
  /** Arrival times in seconds, by key. */
  private readonly arrivals: LRUCache<string, number>;

  constructor(maxCounters = MAX_COUNTERS) {
    super();
    this.arrivals = new LRUCache(maxEntries(maxCounters));
  }

  protected advance(key: string, interval: number, window: number): Promise<{ allowed: boolean; ahead: number }> {
    const now = this.clock?.() ?? performance.now() / 1_000;
    const arrival = Math.max(this.arrivals.get(key) ?? 0, now);
    const allowed = arrival + interval - now <= window + ROUNDING;
    if (!allowed) return Promise.resolve({ allowed, ahead: arrival - now });
    this.arrivals.set(key, arrival + interval);
    return Promise.resolve({ allowed, ahead: Math.max(0, arrival + interval - now) });
  }
}
