import type { Redis } from 'ioredis';
import { RateLimiter } from './rate-limiter.js';

/** KEYS[1] the counter; ARGV: interval and window in seconds. Redis' own clock, so that processes need not agree on the time. */
const ADVANCE = `
  local time = redis.call('TIME')
  local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
  local interval, window = tonumber(ARGV[1]), tonumber(ARGV[2])
  local arrival = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
  if arrival + interval - now > window then
    return { 0, string.format('%.6f', arrival - now) }
  end
  arrival = arrival + interval
  if arrival <= now then
    redis.call('DEL', KEYS[1])
    return { 1, '0' }
  end
  redis.call('SET', KEYS[1], string.format('%.6f', arrival), 'PX', math.ceil((arrival - now) * 1000))
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
    const [allowed, ahead] = (await this.redis.eval(ADVANCE, 1, `${this.prefix}:rate:${key}`, interval, window)) as [number, string];
    return { allowed: allowed === 1, ahead: Number(ahead) };
  }
}
