import { FairShare } from './fair-share.js';

let called: string[] = [];
/** What does not wait any more when it is called. */
let gone: string[] = [];
/** What another process has taken. */
let taken: string[] = [];
beforeEach(() => {
  jest.useFakeTimers();
  [called, gone, taken] = [[], [], []];
});
afterEach(() => jest.useRealTimers());

let ids = 0;

function sharing(slots: number, owners: number) {
  const share = new FairShare(slots, owners, {
    call: (id) => {
      called.push(id);
      return Promise.resolve(!gone.includes(id));
    },
    isWaiting: (id) => Promise.resolve(!taken.includes(id)),
  });
  /** Whether the job may begin; otherwise it is put aside. */
  const comes = (owner: string | undefined, id = `job_${ids++}`): boolean => {
    const isBegun = share.begin(owner, id, 1, true) === null;
    if (!isBegun) share.wasPutAside(owner, id, 1);
    return isBegun;
  };
  const begun = (owner: string | undefined, tries: number) => Array.from({ length: tries }, () => comes(owner)).filter(Boolean).length;
  return { share, comes, begun };
}

describe('a fair share', () => {
  it('leaves half of the slots to others while an owner is alone, and a share for one more while there are several', () => {
    const { share, begun } = sharing(8, 64);
    expect(begun('a', 100)).toBe(4);
    expect(begun('b', 100)).toBe(2);
    expect(begun('c', 100)).toBe(2);
    for (let at = 0; at < 3; at++) share.over('a');
    expect(begun('d', 1)).toBe(1);
    expect(begun('a', 100)).toBe(0);
  });

  it('has an owner begin of whom nothing runs although all slots are held, up to so many owners', () => {
    const { share, begun } = sharing(8, 20);
    expect(begun('first', 10)).toBe(4);
    for (let at = 1; at < 20; at++) expect(begun(`owner ${at}`, 1)).toBe(1);
    expect([begun('owner 1', 5), begun('last', 1)]).toEqual([0, 0]);
    share.over('owner 7');
    expect(called).toHaveLength(1);
  });

  it('is apart from what nobody owns, which has as many places as there are slots', () => {
    const { begun } = sharing(4, 10);
    for (let at = 0; at < 10; at++) expect(begun(`owner ${at}`, 1)).toBe(1);
    expect(begun(undefined, 10)).toBe(4);
    expect(begun('another', 1)).toBe(0);
  });

  it('never lets more run at once than a worker takes', () => {
    const { share, begun } = sharing(8, 10);
    let all = begun(undefined, 50);
    for (let at = 0; at < 30; at++) all += begun(`owner ${at}`, 50);
    expect(all).toBeLessThanOrEqual(share.most);
  });
});

describe('what is handed to the queue', () => {
  it('is put aside at once where it has no place, and comes when it is called', () => {
    const { share, comes } = sharing(8, 2);
    const handed = (owner: string, id: string) => share.handOver(owner, id) === null;
    expect(['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((id) => handed('a', id))).toEqual([true, true, true, true, false, false]);
    expect([handed('b', 'b1'), handed('c', 'c1')]).toEqual([true, false]);
    for (const [owner, id] of [
      ['a', 'a5'],
      ['a', 'a6'],
      ['c', 'c1'],
    ] as const)
      share.wasPutAside(owner, id, 1);
    for (const id of ['a1', 'a2', 'a3', 'a4']) expect(comes('a', id)).toBe(true);
    expect(comes('b', 'b1')).toBe(true);
    expect(called).toEqual([]);
    share.over('b');
    expect(called).toContain('c1');
  });

  it('keeps its place for a while, and not for good', async () => {
    const { share } = sharing(2, 1);
    expect(share.handOver('a', 'a1')).toBeNull();
    expect(share.handOver('b', 'b1')).toBeGreaterThan(0);
    share.wasPutAside('b', 'b1', 1);
    await jest.advanceTimersByTimeAsync(300);
    expect(called).toEqual([]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(called).toEqual(['b1']);
  });

  it('does not come again all at once', () => {
    const { share } = sharing(2, 64);
    share.handOver('a', 'a0');
    const waits = Array.from({ length: 1_000 }, (_, at) => share.handOver('a', `a ${at}`) ?? 0);
    expect(waits[999]).toBeGreaterThan(14_000);
  });
});

describe('what is put aside', () => {
  it('is called when there is a place, the oldest first, and is not overtaken on its way', async () => {
    const { share, comes } = sharing(2, 64);
    for (const id of ['a1', 'a2', 'a3', 'a4']) comes('a', id);
    share.over('a');
    expect(called).toEqual(['a2']);
    expect(comes('a', 'a5')).toBe(false);
    expect(comes('a', 'a2')).toBe(true);
    for (const id of ['a3', 'a4', 'a5']) {
      share.over('a');
      expect([called.at(-1), comes('a', id)]).toEqual([id, true]);
    }
    share.over('a');
    await jest.runAllTimersAsync();
    expect(called).toEqual(['a2', 'a3', 'a4', 'a5']);
  });

  it('keeps its turn when it comes by itself in between', () => {
    const { share, comes } = sharing(2, 64);
    for (const id of ['a1', 'a2', 'a3', 'a2']) comes('a', id);
    share.over('a');
    expect(called).toEqual(['a2']);
  });

  it('is called of owners in turns, and of all that have a place', () => {
    const { share, comes } = sharing(4, 2);
    expect(['a', 'b'].map((owner) => comes(owner))).toEqual([true, true]);
    for (const owner of ['c', 'd']) for (const at of [1, 2]) comes(owner, `${owner}${at}`);
    share.over('a');
    share.over('b');
    expect(called).toEqual(['c1', 'd1']);
    expect([comes('c', 'c1'), comes('d', 'd1')]).toEqual([true, true]);
    share.over('d');
    expect(called).toEqual(['c1', 'd1', 'c2', 'd2']);
  });

  it('gives its place to the next when another process has it, at once or when that shows', async () => {
    const { share, comes } = sharing(2, 64);
    for (const id of ['a1', 'a2', 'a3', 'a4']) comes('a', id);
    gone = ['a2'];
    share.over('a');
    await jest.advanceTimersByTimeAsync(0);
    await jest.advanceTimersByTimeAsync(300);
    expect(called).toEqual(['a2', 'a3']);
    taken = ['a3'];
    await jest.advanceTimersByTimeAsync(50);
    expect(called).toEqual(['a2', 'a3', 'a4']);
    expect(comes('a', 'a4')).toBe(true);
    share.over('a');
    expect(comes('a', 'a5')).toBe(true);
  });

  it('comes again by itself, soon when it is little, and never all at once', () => {
    const { share } = sharing(2, 64);
    share.begin('a', 'runs', 1, true);
    const waits = (id: string, times: number) =>
      Array.from({ length: times }, () => {
        const waitMs = share.begin('a', id, 1, true) ?? 0;
        share.wasPutAside('a', id, 1);
        return waitMs;
      });
    const [first = 0, second = 0, ...later] = waits('one', 20);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(1_500);
    expect(second).toBeGreaterThan(1_500);
    expect(Math.max(...later)).toBeLessThanOrEqual(120_000);
    const many = Array.from({ length: 1_000 }, (_, at) => waits(`many ${at}`, 1)).flat();
    expect(many[100]).toBeLessThan(2_500);
    expect(many[999]).toBeGreaterThan(14_000);
  });

  it('is remembered of every owner, however much others have put aside', () => {
    const { share, comes } = sharing(4, 3);
    const crowd = Array.from({ length: 20 }, (_, at) => `crowd ${at}`);
    for (const owner of crowd) for (let at = 0; at < 1_500; at++) comes(owner, `${owner}/${at}`);
    expect(comes('late', 'late/0')).toBe(false);
    expect(comes('late', 'late/1')).toBe(false);
    for (let at = 0; at < 3; at++) share.over(crowd[at]);
    for (let turns = 0; turns < 40; turns++) {
      const id = called.at(-1) as string;
      const [owner = ''] = id.split('/');
      expect(comes(owner, id)).toBe(true);
      share.over(owner);
    }
    expect(called).toContain('late/0');
    expect(called).toContain('late/1');
  });

  it('is remembered of one owner up to a number, and of each of many owners', () => {
    const { share, comes } = sharing(2, 1);
    expect(comes('a', 'runs')).toBe(true);
    for (let at = 0; at < 3_000; at++) comes('a', `a ${at}`);
    share.over('a');
    for (let turns = 0; turns < 1_500; turns++) {
      const id = called.at(-1) as string;
      if (comes('a', id)) share.over('a');
    }
    expect(new Set(called).size).toBe(1_000);

    const others = sharing(1, 1);
    called = [];
    expect(others.comes('first')).toBe(true);
    for (let at = 0; at < 20_100; at++) others.comes(`owner ${at}`, `owner ${at}`);
    others.share.over('first');
    for (let turns = 0; turns < 20_100; turns++) {
      const id = called.at(-1) as string;
      if (others.comes(id, id)) others.share.over(id);
    }
    expect(new Set(called).size).toBe(20_100);
  });

  it('comes again by itself, where it is not remembered, after a time that the owner’s own number decides', () => {
    const { share, comes } = sharing(4, 3);
    for (let owner = 0; owner < 25; owner++) for (let at = 0; at < 1_000; at++) comes(`crowd ${owner}`, `${owner}/${at}`);
    const waitOf = (owner: string, id: string, taken: number): number => {
      const waitMs = share.begin(owner, id, taken, taken === 1) ?? 0;
      share.wasPutAside(owner, id, taken);
      return waitMs;
    };
    expect(waitOf('late', 'late/0', 1)).toBeLessThanOrEqual(1_500);
    expect(waitOf('late', 'late/1', 4)).toBeGreaterThan(8_000);
    const waits = Array.from({ length: 5_000 }, (_, at) => waitOf('crowd 0', `more ${at}`, 1));
    expect(waits[0]).toBeGreaterThan(14_000);
    expect(waits[0]).toBeLessThanOrEqual(21_000);
    expect(waits[4_000]).toBeGreaterThan(74_000);
    waitOf('crowd 0', 'more 0', 2);
    expect(waitOf('crowd 1', 'more', 1)).toBeLessThanOrEqual(21_000);
  });
});
