import { jitterMs, lastTime, nextTime } from './schedule-times.js';

const at = (text: string) => new Date(`2026-11-22T${text}Z`);

describe('the times of a schedule', () => {
  it.each([
    ['* * * * *', '10:00:00', '10:01:00'],
    ['* * * * *', '10:00:59.999', '10:01:00'],
    ['*/15 * * * *', '10:14:59', '10:15:00'],
    ['30 9 * * 0', '09:29:30', '09:30:00'],
  ])('of %s after %s is next %s, in UTC', (cron, after, next) => {
    expect(nextTime(cron, at(after))).toEqual(at(next));
  });

  it.each([
    ['* * * * *', '10:00:00', '10:00:00'],
    ['* * * * *', '10:00:00.500', '10:00:00'],
    ['* * * * *', '09:59:59.999', '09:59:00'],
    ['*/15 * * * *', '10:14:59', '10:00:00'],
  ])('of %s up to %s is last %s', (cron, upTo, last) => {
    expect(lastTime(cron, at(upTo))).toEqual(at(last));
  });

  it('may never come', () => {
    expect(nextTime('0 0 31 2 *', at('10:00:00'))).toBeNull();
    expect(lastTime('0 0 31 2 *', at('10:00:00'))).toBeNull();
  });
});

describe('how long after its times a schedule begins', () => {
  it('is always the same, and never more than a tenth of the time to the next, nor than 10 s', () => {
    const names = Array.from({ length: 500 }, (_value, index) => `s${index}`);
    const of = (cron: string) => names.map((name) => jitterMs('app', name, cron, at('10:00:00')));
    expect(of('* * * * *')).toEqual(of('* * * * *'));
    for (const [cron, most] of [
      ['* * * * *', 6_000],
      ['0 * * * *', 10_000],
    ] as const) {
      const all = of(cron);
      expect(Math.min(...all)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...all)).toBeLessThan(most);
      // Spread over all of it.
      expect(Math.max(...all)).toBeGreaterThan(most * 0.9);
      expect(new Set(all).size).toBeGreaterThan(300);
    }
  });
});
