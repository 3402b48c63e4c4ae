import { AppError } from '@platform/platform';
import { QuotasService } from './quotas.service.js';
import { RateLimiter, type RateLimitPolicy } from './rate-limiter.js';

/** In-memory counters that never refill, with the number of requests to them. */
class Counters extends RateLimiter {
  asked = 0;
  private readonly ahead = new Map<string, number>();

  protected advance(key: string, interval: number, window: number): Promise<{ allowed: boolean; ahead: number }> {
    this.asked++;
    const before = this.ahead.get(key) ?? 0;
    const allowed = before + interval <= window + 1e-6;
    if (allowed) this.ahead.set(key, before + interval);
    return Promise.resolve({ allowed, ahead: this.ahead.get(key) ?? 0 });
  }
}

const policy: RateLimitPolicy = { name: 'calls', quota: 1_000, windowSeconds: 60 };
const allowed = (quotas: QuotasService, limit: RateLimitPolicy, key: string, count = 1) =>
  quotas.consume(limit, key, count).then(
    () => true,
    (error: unknown) => {
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({
        status: 429,
        code: 'rate_limited',
        options: { headers: { 'Retry-After': expect.any(String) } },
      });
      return false;
    },
  );

describe('quotas', () => {
  it('let exactly the quota through, and ask for a share of it at a time', async () => {
    const counters = new Counters();
    const quotas = new QuotasService(counters, 1);
    for (let at = 0; at < 1_000; at++) expect(await allowed(quotas, policy, 'ada')).toBe(true);
    expect(counters.asked).toBe(100);
    expect(await allowed(quotas, policy, 'ada')).toBe(false);
    expect(await allowed(quotas, policy, 'bob')).toBe(true);
  });

  it('of a long window are taken one by one, since a share that is not spent is lost for long', async () => {
    const counters = new Counters();
    const quotas = new QuotasService(counters, 1);
    const daily = { ...policy, windowSeconds: 86_400 };
    for (let at = 0; at < 1_000; at++) expect(await allowed(quotas, daily, 'ada')).toBe(true);
    expect(counters.asked).toBe(1_000);
    expect(await allowed(quotas, daily, 'ada')).toBe(false);
  });

  it('let exactly the quota through when all come at once, through two processes', async () => {
    const counters = new Counters();
    const processes = [new QuotasService(counters, 1), new QuotasService(counters, 1)];
    const results = await Promise.all(
      Array.from({ length: 3_000 }, (_, at) => allowed(processes[at % 2] as QuotasService, policy, 'ada')),
    );
    const passed = results.filter(Boolean).length;
    expect(passed).toBeLessThanOrEqual(1_000);
    expect(passed).toBeGreaterThan(900);
  });

  it('count what one request is worth, all of it or nothing', async () => {
    const quotas = new QuotasService(new Counters(), 1);
    for (let at = 0; at < 19; at++) expect(await allowed(quotas, policy, 'ada', 50)).toBe(true);
    expect(await allowed(quotas, policy, 'ada', 60)).toBe(false);
    expect(await allowed(quotas, policy, 'ada', 50)).toBe(true);
    expect(await allowed(quotas, policy, 'ada')).toBe(false);
  });

  it('are exact for a small quota, and scaled', async () => {
    const few = { name: 'keys', quota: 3, windowSeconds: 60 };
    const [one, double] = [new QuotasService(new Counters(), 1), new QuotasService(new Counters(), 2)];
    const passed = async (quotas: QuotasService): Promise<number> => {
      let count = 0;
      for (let at = 0; at < 10; at++) if (await allowed(quotas, few, 'ada')) count++;
      return count;
    };
    expect([await passed(one), await passed(double)]).toEqual([3, 6]);
  });
});
