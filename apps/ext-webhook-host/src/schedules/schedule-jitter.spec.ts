import { jitterMs } from './schedule-jitter.js';

const at = (text: string) => new Date(`2026-11-22T${text}Z`);

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
      // The jitter uses the whole range.
      expect(Math.max(...all)).toBeGreaterThan(most * 0.9);
      expect(new Set(all).size).toBeGreaterThan(300);
    }
  });
});
