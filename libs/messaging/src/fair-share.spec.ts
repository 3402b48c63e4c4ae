import { FairShare } from './fair-share.js';

const begun = (share: FairShare, owner: string, tries: number) =>
  Array.from({ length: tries }, () => share.begin(owner)).filter((wait) => wait === null).length;

describe('a fair share', () => {
  it('leaves half to others while an owner is alone, and room for one more while there are several', () => {
    const share = new FairShare(8);
    expect(begun(share, 'a', 100)).toBe(4);
    expect(begun(share, 'b', 100)).toBe(2);
    expect(begun(share, 'c', 100)).toBe(2);
    for (let at = 0; at < 3; at++) share.over('a');
    expect(begun(share, 'd', 100)).toBe(1);
    expect(begun(share, 'a', 100)).toBe(0);
  });

  it('gives everybody one at least, and all of it back', () => {
    const share = new FairShare(2);
    for (const owner of ['a', 'b', 'c']) expect(begun(share, owner, 5)).toBe(1);
    for (const owner of ['a', 'b', 'c']) share.over(owner);
    expect(begun(share, 'b', 5)).toBe(1);
  });

  it('spreads what is put back, and begins anew when a job is over', () => {
    const share = new FairShare(2);
    share.begin('a');
    const waits = Array.from({ length: 1_000 }, () => share.begin('a') ?? 0);
    expect(waits[0]).toBeLessThanOrEqual(250);
    expect(waits[0]).toBeGreaterThan(0);
    expect(waits[99]).toBeGreaterThan(15_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(120_000);
    share.over('a');
    share.begin('a');
    expect(share.begin('a')).toBeLessThanOrEqual(250);
  });
});
