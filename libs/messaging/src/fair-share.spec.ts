import { FairShare, type Line } from './fair-share.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Waiting jobs that get slots in turns. */
function sharing(slots: number, owners: number) {
  const share = new FairShare(slots, owners);
  const waiting = new Map<string, string[]>();
  let ids = 0;
  const wait = (owner: string, count: number): void => {
    const added = Array.from({ length: count }, () => `${String(ids++).padStart(6, '0')} ${owner}`);
    waiting.set(owner, [...(waiting.get(owner) ?? []), ...added]);
  };
  const ownerOf = (id: string): string => id.slice(7);
  /** Gives free slots. Returns the owners of the started jobs. */
  const give = (): string[] => {
    const lines = [...waiting].map(([owner, all]): Line => ({ owner, ids: all.slice(0, share.maxPlacesOfOwner) }));
    const given = share.assignPlaces(lines.filter((line) => line.ids.length));
    for (const id of given)
      waiting.set(
        ownerOf(id),
        (waiting.get(ownerOf(id)) ?? []).filter((other) => other !== id),
      );
    return given.map(ownerOf);
  };
  /**
   * Ends jobs one by one, oldest first, and starts others in their slots. Returns the owners of
   * the started jobs.
   */
  const handle = (jobs: number): string[] =>
    Array.from({ length: jobs }, () => {
      const [first] = share.ids;
      if (first === undefined) throw new Error('Nothing has a place.');
      share.releasePlace(first);
      return give();
    }).flat();
  const release = (owner: string): void => {
    const id = share.ids.find((one) => ownerOf(one) === owner);
    if (id === undefined) throw new Error(`${owner} has no place.`);
    share.releasePlace(id);
  };
  return { share, wait, give, handle, release };
}

const count = (owners: string[], owner: string): number => owners.filter((one) => one === owner).length;

describe('a fair share', () => {
  /** Owners with much recent work. */
  function busy(slots: number, owners: number, names: string[]) {
    const sharing_ = sharing(slots, owners);
    for (const name of names) {
      sharing_.wait(name, 20);
      sharing_.give();
      sharing_.handle(20);
      for (const id of sharing_.share.ids) sharing_.share.releasePlace(id);
    }
    return sharing_;
  }

  it('leaves half of the slots to others while an owner is alone, and a share for one more while there are several', () => {
    const { wait, give, release } = busy(8, 64, ['a', 'b', 'c']);
    wait('a', 100);
    expect(give()).toEqual(Array(4).fill('a'));
    wait('b', 100);
    expect(give()).toEqual(['b', 'b']);
    wait('c', 100);
    expect(give()).toEqual(['c', 'c']);
    for (let at = 0; at < 3; at++) release('a');
    expect(give()).toEqual(['a']);
    wait('d', 1);
    expect(give()).toEqual(['d']);
  });

  it('needs no slot for a favoured owner, up to so many owners', () => {
    const { share, wait, give, release } = sharing(8, 20);
    wait('first', 10);
    expect(give()).toHaveLength(4);
    for (let at = 1; at < 20; at++) wait(`owner ${at}`, 5);
    expect(new Set(give()).size).toBe(19);
    wait('last', 1);
    expect(give()).toEqual([]);
    expect(share.ids.length).toBeLessThanOrEqual(share.maxPlaces);
    // Every fourth slot goes to the job that has waited longest, so jobs of owner 7 can come
    // before.
    const next: string[] = [];
    for (let at = 0; at < 5 && !next.includes('last'); at++) {
      release('owner 7');
      next.push(...give());
    }
    expect(next).toContain('last');
  });

  it('needs one for who had as few as most: on a slow machine that is everybody', () => {
    const owners = Array.from({ length: 20 }, (_, at) => `slow ${at}`);
    const { share, wait, give, handle } = sharing(8, 64);
    for (let at = 0; at < 50; at++) for (const owner of owners) wait(owner, 1);
    give();
    for (let at = 0; at < 100; at++) {
      jest.advanceTimersByTime(100); // each owner gets 5 within 10 s
      handle(1);
    }
    expect(share.ids).toHaveLength(8);
    wait('quiet', 1);
    expect(give()).toEqual(['quiet']);
  });

  it('needs one for an owner who had many lately, which what takes long gives up', () => {
    const { wait, give } = busy(4, 64, ['busy']);
    for (let at = 0; at < 4; at++) wait(`slow ${at}`, 1);
    expect(give()).toHaveLength(4);
    wait('busy', 10);
    expect(give()).toEqual([]);
    jest.advanceTimersByTime(3_000);
    expect(give()).toEqual(['busy']);
  });

  it('gives a place to a job that waits once, and to the next of its owner when that is over', () => {
    const { share } = sharing(2, 64);
    const lines = [{ owner: 'a', ids: ['1', '2'] }];
    expect(share.assignPlaces(lines)).toEqual(['1']);
    expect(share.assignPlaces(lines)).toEqual([]);
    share.releasePlace('unknown');
    expect(share.assignPlaces(lines)).toEqual([]);
    share.releasePlace('1');
    expect(share.assignPlaces([{ owner: 'a', ids: ['2'] }])).toEqual(['2']);
  });
});

describe('the turns', () => {
  const noisy = Array.from({ length: 50 }, (_, at) => `noisy ${at}`);
  /** Each owner adds this number of jobs, one in turn. */
  const waitInTurns = (wait: (owner: string, count: number) => void, jobs: number): void => {
    for (let at = 0; at < jobs; at++) for (const owner of noisy) wait(owner, 1);
  };

  it.each([8, 16])(
    'bring five of an owner who had nothing at once, whatever waits of fifty others, of %i slots',
    (slots) => {
      const { wait, give, handle } = sharing(slots, 64);
      waitInTurns(wait, 100);
      give();
      handle(1_000);
      wait('quiet', 5);
      const atOnce = give();
      expect(count(atOnce, 'quiet')).toBe(Math.min(5, slots / 2));
      // The fifth can wait for the first; one slot in four is for the longest waiting job.
      expect(count([...atOnce, ...handle(slots + 5)], 'quiet')).toBe(5);
    },
  );

  it('bring a few of an owner who had nothing at the same time, though more owners who had many wait than can have a place', () => {
    const { wait, give, handle } = sharing(8, 8);
    waitInTurns(wait, 100);
    give();
    handle(1_000);
    wait('quiet', 4);
    expect(count([...give(), ...handle(4)], 'quiet')).toBe(4);
  });

  it('are as many for each of those who always have some', () => {
    const { wait, give, handle } = sharing(8, 64);
    waitInTurns(wait, 100);
    give();
    const given = handle(2_000);
    for (const owner of noisy) {
      expect(count(given, owner)).toBeGreaterThanOrEqual(30);
      expect(count(given, owner)).toBeLessThanOrEqual(50);
    }
  });

  it('come for what waits longest although owners come anew without end', () => {
    const { wait, give, handle } = sharing(8, 8);
    wait('noisy', 100);
    give();
    handle(20);
    let given: string[] = [];
    for (let at = 0; at < 200; at++) {
      for (let other = 0; other < 4; other++) wait(`new ${at} ${other}`, 1);
      given = [...given, ...handle(1)];
    }
    expect(count(given, 'noisy')).toBeGreaterThanOrEqual(20);
  });

  it('come to who has a few beside many who have one job now and then that hangs', () => {
    const { share, wait, give, release } = sharing(8, 512);
    let served = 0;
    // 160 owners, each with a job of 20 s every 20 s: eight begin per second.
    for (let step = 0; step < 640; step++) {
      const hanging = `hangs ${step % 160}`;
      if (share.ids.some((id) => id.endsWith(` ${hanging}`))) release(hanging);
      wait(hanging, 1);
      if (step >= 320 && step % 16 === 0) wait('few', 1);
      served += count(give(), 'few');
      if (share.ids.some((id) => id.endsWith(' few'))) release('few');
      jest.advanceTimersByTime(125);
    }
    expect(served).toBe(20);
  });

  it('come to who has no place although those who have one always get the next before their last job is over', () => {
    const { wait, give, handle } = sharing(8, 3);
    const holders = noisy.slice(0, 3);
    const two = (owner: string) => [owner, owner];
    for (const owner of holders) {
      wait(owner, 2);
      expect(give()).toEqual(two(owner));
    }
    for (let at = 0; at < 10; at++) for (const owner of holders) wait(owner, 1);
    /** Each job takes 6 s, and one ends every second. */
    const later = (jobs: number) =>
      Array.from({ length: jobs }, () => {
        jest.advanceTimersByTime(1_000);
        return handle(1);
      }).flat();
    expect(new Set(later(6))).toEqual(new Set(holders));
    wait('quiet', 1);
    expect(later(4)).toContain('quiet');
  });

  it('are for one job each while more owners wait than can have a place, whether one look sees them all or not', () => {
    const lines = [{ owner: 'a', ids: ['1', '2'] }];
    const { share } = sharing(4, 1);
    expect(share.assignPlaces(lines, true)).toEqual(['1']);
    expect(share.assignPlaces([...lines, { owner: 'b', ids: ['3'] }])).toEqual([]);
    expect(share.assignPlaces(lines)).toEqual(['2']);
    share.releasePlace('1');
    expect(share.assignPlaces([{ owner: 'b', ids: ['3'] }])).toEqual([]);
    share.releasePlace('2');
    expect(share.assignPlaces([{ owner: 'b', ids: ['3'] }])).toEqual(['3']);
  });

  it('do not count for good', () => {
    const { wait, give, handle } = sharing(2, 1);
    wait('before', 20);
    give();
    handle(20);
    jest.advanceTimersByTime(600_000);
    wait('before', 20);
    wait('other', 20);
    give();
    const given = handle(12);
    expect(count(given, 'before')).toBeGreaterThanOrEqual(4);
  });

  it('are not counted of a place that another process used', () => {
    const { share, wait, give } = sharing(8, 64);
    for (let at = 0; at < 10; at++)
      for (const id of share.assignPlaces([{ owner: 'a', ids: [`taken ${at}`] }])) share.withdrawPlace(id);
    for (let at = 0; at < 8; at++) share.assignPlaces([{ owner: `slow ${at}`, ids: [`slow ${at}`] }]);
    expect(share.ids).toHaveLength(8);
    wait('a', 1); // a favoured owner needs no slot
    expect(give()).toEqual(['a']);
  });

  it('stay counted of other jobs than the one whose place was not used', () => {
    const { share, wait, give } = sharing(8, 64);
    for (let at = 0; at < 10; at++)
      for (const id of share.assignPlaces([{ owner: '', ids: [`before ${at}`] }])) share.releasePlace(id);
    for (let at = 0; at < 10; at++) share.withdrawPlace('unknown');
    for (let at = 0; at < 8; at++) share.assignPlaces([{ owner: `slow ${at}`, ids: [`slow ${at}`] }]);
    wait('', 1);
    expect(give()).toEqual([]);
  });
});
