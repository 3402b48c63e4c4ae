import type { Redis } from 'ioredis';
import { RateLimiter, ROUNDING } from './rate-limiter.js';

/**
 * KEYS[1]: the counter. ARGV: the interval in seconds, the window in seconds, and the time of a
 * spec or an empty text. The empty text stands for the clock of Redis, so that the clocks of the
 * processes need not agree. Counters of specs do not expire, because their time stands still.
 */
const ADVANCE = `
  local time = redis.call('TIME')
  local now = tonumber(ARGV[3]) or tonumber(time[1]) + tonumber(time[2]) / 1000000
  local interval, window = tonumber(ARGV[1]), tonumber(ARGV[2])
  local arrival = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
  if arrival + interval - now > window + ${ROUNDING} then
    return { 0, string.format('%.6f', arrival - now) }
  end
  arrival = arrival + interval
  if arrival <= now then
    redis.call('DEL', KEYS[1])
    return { 1, '0' }
  end
  local expires = ARGV[3] == '' and { 'PX', math.ceil((arrival - now) * 1000) } or {}
  redis.call('SET', KEYS[1], string.format('%.6f', arrival), unpack(expires))
  return { 1, string.format('%.6f', arrival - now) }`;

/** Keeps the counters in Redis, shared by all processes of a service. */
export class RedisRateLimiter extends RateLimiter {
  constructor(
    private readonly redis: Redis,
    private readonly prefix: string,
  ) {
    super();
  }

  protected async advance(key: string, interval: number, window: number): Promise<{ allowed: boolean; ahead: number }> {
    const clock = this.clock?.() ?? '';
    const [allowed, ahead] = (await this.redis.eval(
      ADVANCE,
      1,
      `${this.prefix}:rate:${key}`,
      interval,
      window,
      clock,
    )) as [number, string];
    return { allowed: allowed === 1, ahead: Number(ahead) };
  }
}
