import { interleave, median, summarise, type Side } from './comparison.js';

describe('the median', () => {
  it('is the middle value, or what lies between the two in the middle', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([9, 1, 5, 100])).toBe(7);
    expect(median([3])).toBe(3);
    expect(() => median([])).toThrow('nothing');
  });
});

describe('interleaving', () => {
  it('warms both sides up, then measures them in turns, the first of a round alternating', async () => {
    const slices: string[] = [];
    const side =
      (name: string): Side =>
      (milliseconds) => {
        slices.push(`${name} ${milliseconds}`);
        return Promise.resolve(slices.length);
      };
    const rounds = await interleave({ baseline: side('b'), subject: side('s') }, { rounds: 2, sliceMs: 20, warmUpMs: 50 });
    expect(slices.join(', ')).toBe('b 50, s 50, b 20, s 20, s 20, b 20, s 20, b 20, b 20, s 20');
    expect(rounds).toEqual([
      { baseline: (3 + 6) / 2, subject: (4 + 5) / 2 },
      { baseline: (8 + 9) / 2, subject: (7 + 10) / 2 },
    ]);
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
