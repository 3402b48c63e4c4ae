import { createDataSource } from '@platform/persistence';
import { createTestDatabase, type TestDatabase } from '@platform/testing';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { MemoryRateLimiter } from './memory-rate-limiter.js';
import { PostgresRateLimiter } from './postgres-rate-limiter.js';
import type { RateLimiter, RateLimitPolicy } from './rate-limiter.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

/**
 * A limiter on one of the engines. `age` makes a counter look as if that many seconds had passed.
 */
interface Engine {
  limiter: RateLimiter;
  age: (policy: RateLimitPolicy, key: string, seconds: number) => Promise<void>;
  stop: () => Promise<void>;
}

async function onPostgres(): Promise<Engine & { dataSource: DataSource }> {
  const database: TestDatabase = await createTestDatabase();
  const dataSource = createDataSource({
    url: database.url,
    schema: 'gateway',
    poolSize: 10,
    entities: [],
    migrations: [],
  });
  await dataSource.initialize();
  return {
    dataSource,
    limiter: new PostgresRateLimiter(dataSource),
    age: async ({ name }, key, seconds) => {
      await dataSource.query('UPDATE rate_limits SET arrival = arrival - make_interval(secs => $2) WHERE key = $1', [
        `${name}:${key}`,
        seconds,
      ]);
    },
    stop: async () => {
      await dataSource.destroy();
      await database.drop();
    },
  };
}

function onRedis(url: string): Promise<Engine> {
  const redis = new Redis(url);
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  return Promise.resolve({
    limiter: new RedisRateLimiter(redis, prefix),
    age: async ({ name }, key, seconds) => {
      const counter = `${prefix}:rate:${name}:${key}`;
      const [arrival, left] = [Number(await redis.get(counter)), await redis.pttl(counter)];
      await redis.set(counter, (arrival - seconds).toFixed(6), 'PX', Math.max(1, left - seconds * 1000));
    },
    stop: async () => {
      const keys = await redis.keys(`${prefix}:*`);
      if (keys.length) await redis.del(keys);
      await redis.quit();
    },
  });
}

function inMemory(): Promise<Engine> {
  let now = 1_000_000;
  const limiter = new MemoryRateLimiter(1_000);
  limiter.clock = () => now;
  // All counters age together, because no test uses another one afterwards.
  const age = (_policy: RateLimitPolicy, _key: string, seconds: number) => Promise.resolve(void (now += seconds));
  return Promise.resolve({ limiter, age, stop: () => Promise.resolve() });
}

const { REDIS_URL } = process.env;
const engines: [string, () => Promise<Engine>][] = [
  ['memory', inMemory],
  ['PostgreSQL', onPostgres],
  ...(REDIS_URL ? [['Redis', () => onRedis(REDIS_URL)] as [string, () => Promise<Engine>]] : []),
];

const HOUR = 3_600;
const policy: RateLimitPolicy = { name: 'login', quota: 10, windowSeconds: HOUR };
const INTERVAL = policy.windowSeconds / policy.quota;

/** Expects `seconds` minus the time since `began`. */
function expectSeconds(actual: number, seconds: number, began: number): void {
  expect(actual).toBeLessThanOrEqual(Math.ceil(seconds));
  expect(actual).toBeGreaterThanOrEqual(Math.ceil(seconds - (performance.now() - began) / 1_000));
}

let count = 0;
const newKey = () => `client-${++count}`;

describe.each(engines)('the rate limiter on %s', (_name, startEngine) => {
  let engine: Engine;
  let limiter: RateLimiter;
  beforeAll(async () => {
    engine = await startEngine();
    limiter = engine.limiter;
  });
  afterAll(() => engine.stop());

  async function exhaust(key: string): Promise<void> {
    for (let at = 0; at < policy.quota; at++) expect((await limiter.consume(policy, key)).allowed).toBe(true);
  }

  it('lets the whole quota through at once, counting down, and then no more', async () => {
    const key = newKey();
    const began = performance.now();
    for (let at = 1; at <= policy.quota; at++) {
      const { resetSeconds, ...result } = await limiter.consume(policy, key);
      expect(result).toEqual({ allowed: true, remaining: policy.quota - at, retryAfterSeconds: 0 });
      expectSeconds(resetSeconds, at * INTERVAL, began);
    }
    const { resetSeconds, retryAfterSeconds, ...refused } = await limiter.consume(policy, key);
    expect(refused).toEqual({ allowed: false, remaining: 0 });
    expectSeconds(resetSeconds, HOUR, began);
    expectSeconds(retryAfterSeconds, INTERVAL, began);
  });

  it('then lets one through per interval, and a refusal costs nothing', async () => {
    const key = newKey();
    const began = performance.now();
    await exhaust(key);
    for (let at = 0; at < 5; at++) expect((await limiter.consume(policy, key)).allowed).toBe(false);
    await engine.age(policy, key, INTERVAL - 60);
    const { allowed, retryAfterSeconds } = await limiter.consume(policy, key);
    expect(allowed).toBe(false);
    expectSeconds(retryAfterSeconds, 60, began);
    await engine.age(policy, key, 60);
    expect(await limiter.consume(policy, key)).toMatchObject({ allowed: true, remaining: 0 });
    expect((await limiter.consume(policy, key)).allowed).toBe(false);
    await engine.age(policy, key, 3 * INTERVAL);
    for (let at = 0; at < 3; at++) expect((await limiter.consume(policy, key)).allowed).toBe(true);
    expect((await limiter.consume(policy, key)).allowed).toBe(false);
  });

  it('gives back what was refunded, and never more than the quota', async () => {
    const key = newKey();
    await exhaust(key);
    await limiter.refund(policy, key);
    expect((await limiter.consume(policy, key)).allowed).toBe(true);
    expect((await limiter.consume(policy, key)).allowed).toBe(false);
    const fresh = newKey();
    await limiter.refund(policy, fresh);
    await limiter.refund(policy, fresh);
    await exhaust(fresh);
    expect((await limiter.consume(policy, fresh)).allowed).toBe(false);
  });

  it('has the whole quota again after the window, and not more after a longer rest', async () => {
    const key = newKey();
    await exhaust(key);
    await engine.age(policy, key, 10 * HOUR);
    await exhaust(key);
    expect((await limiter.consume(policy, key)).allowed).toBe(false);
  });

  it('lets exactly the quota of 100 parallel requests through', async () => {
    const key = newKey();
    const began = performance.now();
    const results = await Promise.all(Array.from({ length: 100 }, () => limiter.consume(policy, key)));
    expect(results.filter(({ allowed }) => allowed)).toHaveLength(policy.quota);
    for (const { allowed, retryAfterSeconds } of results)
      if (!allowed) expectSeconds(retryAfterSeconds, INTERVAL, began);
  });

  it('counts every key and every policy by itself', async () => {
    const key = newKey();
    await exhaust(key);
    expect((await limiter.consume(policy, newKey())).allowed).toBe(true);
    expect((await limiter.consume({ ...policy, name: 'signup' }, key)).allowed).toBe(true);
  });

  it('takes a quota that does not divide the window, and one of 1', async () => {
    for (const quota of [1, 3, 7, 60]) {
      const odd = { name: `odd-${quota}`, quota, windowSeconds: 10_000 };
      const key = newKey();
      const began = performance.now();
      const results = [];
      for (let at = 0; at < quota + 1; at++) results.push(await limiter.consume(odd, key));
      expect(results.map(({ allowed }) => allowed)).toEqual([...Array.from({ length: quota }, () => true), false]);
      expectSeconds(results[quota]?.retryAfterSeconds ?? 0, 10_000 / quota, began);
    }
  });

  it('goes by the clock that a spec gives it', async () => {
    const { clock } = limiter;
    let now = 1_800_000_000;
    limiter.clock = () => now;
    const short = { name: 'short', quota: 100, windowSeconds: 10 };
    const key = newKey();
    for (let at = 0; at < short.quota; at++) expect((await limiter.consume(short, key)).allowed).toBe(true);
    expect((await limiter.consume(short, key)).allowed).toBe(false);
    now += 10;
    expect(await limiter.consume(short, key)).toMatchObject({ allowed: true, remaining: short.quota - 1 });
    limiter.clock = clock;
  });

  it('takes any key', async () => {
    for (const key of ["'; DROP TABLE rate_limits; --", '2001:db8:0:0::/64', 'ä \u{1f511}', '']) {
      expect((await limiter.consume({ ...policy, name: newKey() }, key)).allowed).toBe(true);
    }
  });
});

describe('the counters on PostgreSQL', () => {
  it('are swept when they are as good as new', async () => {
    const { dataSource, limiter, age, stop } = await onPostgres();
    await limiter.consume(policy, 'rested');
    await limiter.consume(policy, 'busy');
    await age(policy, 'rested', HOUR);
    await PostgresRateLimiter.deleteUnusedCounters(dataSource);
    expect(await dataSource.query('SELECT key FROM rate_limits')).toEqual([{ key: 'login:busy' }]);
    await stop();
  });
});
