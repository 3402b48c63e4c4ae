import { Inject, Injectable } from '@nestjs/common';
import { Errors, maxEntries } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { RATE_LIMIT_SCALE } from './rate-limit.guard.js';
import { RateLimiter, type RateLimitPolicy } from './rate-limiter.js';

/**
 * Share of a quota that is taken at once. It is then spent without asking the limiter for each
 * request.
 */
const SHARE = 1 / 100;
/** Milliseconds after which the rest of a share is dropped. It comes back as the quota recovers. */
const SHARE_LASTS_MS = 5_000;
/**
 * Longest window in seconds with shares: in a longer one a dropped share would take too long to
 * recover.
 */
const LONGEST_WINDOW_SHARED = 60;
const MOST_SHARES = 10_000;

/**
 * Limits that features set themselves, by user or by any other key, for actions that cost more than
 * a request.
 */
@Injectable()
export class QuotasService {
  private readonly shares = new LRUCache<string, { left: number }>({ ...maxEntries(MOST_SHARES), ttl: SHARE_LASTS_MS });
  private readonly taking = new Map<string, Promise<boolean>>();

  constructor(
    private readonly limiter: RateLimiter,
    @Inject(RATE_LIMIT_SCALE) private readonly scale: number,
  ) {}

  /**
   * Takes `count` off the quota of `key`, or the whole quota if `count` is larger.
   * `RATE_LIMIT_SCALE` multiplies the quota. With a window of up to 60 s and a large quota, each
   * process takes a hundredth of the quota in advance; the rest of it is lost after 5 s, so a key
   * can be refused a little early.
   *
   * @throws AppError 429 `rate_limited` with `Retry-After` if less is left; then nothing is taken.
   */
  async consume(documented: RateLimitPolicy, key: string, count = 1): Promise<void> {
    const policy = { ...documented, quota: documented.quota * this.scale };
    while (policy.windowSeconds <= LONGEST_WINDOW_SHARED && policy.quota * SHARE >= 2 * count) {
      if (this.spend(policy, key, count)) return;
      if (!(await this.takeShare(policy, key))) break;
    }
    const result = await this.limiter.consume(policy, key, Math.min(count, policy.quota));
    if (!result.allowed) throw Errors.rateLimited(result.retryAfterSeconds);
  }

  private spend({ name }: RateLimitPolicy, key: string, count: number): boolean {
    const share = this.shares.get(`${name}:${key}`);
    if (!share || share.left < count) return false;
    share.left -= count;
    return true;
  }

  /**
   * Takes a hundredth of the quota from the limiter, for all calls that wait for it. False if less
   * than that is left.
   */
  private takeShare(policy: RateLimitPolicy, key: string): Promise<boolean> {
    const name = `${policy.name}:${key}`;
    let taking = this.taking.get(name);
    if (!taking) {
      const size = Math.floor(policy.quota * SHARE);
      taking = this.limiter
        .consume(policy, key, size)
        .then(({ allowed }) => {
          if (allowed) this.shares.set(name, { left: (this.shares.get(name)?.left ?? 0) + size });
          return allowed;
        })
        .finally(() => this.taking.delete(name));
      this.taking.set(name, taking);
    }
    return taking;
  }
}
