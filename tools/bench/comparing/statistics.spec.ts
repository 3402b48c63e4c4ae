import { interleave, median, summarise, type Side } from './statistics.js';

describe('the median', () => {
  it('is the middle value, or what lies between the two in the middle', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([9, 1, 5, 100])).toBe(7);
    expect(median([3])).toBe(3);
    expect(() => median([])).toThrow('no median');
  });
});

describe('interleaving', () => {
  /** Returns the rates in order, the last one repeatedly, and records the slices. */
  const side =
    (name: string, rates: number[], slices: string[]): Side =>
    (milliseconds) => {
      slices.push(`${name} ${milliseconds}`);
      return Promise.resolve((rates.length > 1 ? rates.shift() : rates[0]) ?? 0);
    };
  const TIMING = { rounds: 2, sliceMs: 20, maxWarmUpMs: 0 };

  it('measures both sides in turns, the first of a round alternating', async () => {
    const slices: string[] = [];
    const sides = { baseline: side('b', [1, 4, 6, 7], slices), subject: side('s', [2, 3, 5, 8], slices) };
    const rounds = await interleave(sides, TIMING);
    expect(slices.join(', ')).toBe('b 20, s 20, s 20, b 20, s 20, b 20, b 20, s 20');
    expect(rounds).toEqual([
      { baseline: (1 + 4) / 2, subject: (2 + 3) / 2 },
      { baseline: (6 + 7) / 2, subject: (5 + 8) / 2 },
    ]);
  });

  it('warms each side up until it gets no faster, or for as long as it may', async () => {
    const slices: string[] = [];
    const sides = { baseline: side('b', [100], slices), subject: side('s', [10, 9, 20, 19, 30, 30], slices) };
    await interleave(sides, { ...TIMING, rounds: 0, maxWarmUpMs: 1_000 });
    expect(slices.join(', ')).toBe([...Array<string>(11).fill('b 20'), ...Array<string>(15).fill('s 20')].join(', '));

    const rising = side('r', [1, 2, 4, 8, 16, 32], slices);
    slices.length = 0;
    await interleave({ baseline: rising, subject: side('s', [1], []) }, { ...TIMING, rounds: 0, maxWarmUpMs: 60 });
    expect(slices).toHaveLength(3);
  });
});

describe('a summary', () => {
  it('takes the ratio within each round, so that a slow stretch of the machine does not count', () => {
    const rounds = [
      { baseline: 1000, subject: 800 },
      { baseline: 100, subject: 90 },
      { baseline: 2000, subject: 1700 },
    ];
    expect(summarise(rounds)).toEqual({ ratio: 0.85, lowest: 0.8, highest: 0.9, baseline: 1000, subject: 800 });
  });
});
