import { COMPUTING_MS, ConcurrencyLimit, type SlotRequester, type ConcurrencyLimits } from './concurrency-limit.js';

const LIMITS: ConcurrencyLimits = {
  slots: 24,
  maxSlots: 60,
  perApp: 16,
  perRequester: 6,
  waitMs: 60_000,
  waiting: 1_000,
  maxWaiting: 10_000,
};
const FULL = new Error('full');

/** Work that runs until the test ends it. */
function open(limits: Partial<ConcurrencyLimits> = {}) {
  const places = new ConcurrencyLimit({ ...LIMITS, ...limits }, () => FULL);
  const underWay: { party: SlotRequester; end: () => void }[] = [];
  const ask = (app: string, from: string, signal?: AbortSignal) => {
    const party = { app, from };
    const asked = places.runInSlot(
      party,
      () =>
        new Promise<string>((resolve) => {
          const one = { party, end: () => resolve(`${app} ${from}`) };
          underWay.push(one);
        }),
      signal,
    );
    asked.catch(() => undefined); // most tests end before the waiting time ends
    return asked;
  };
  const ofFrom = (from: string) => underWay.filter(({ party }) => party.from === from).length;
  const ofApp = (app: string) => underWay.filter(({ party }) => party.app === app).length;
  const end = async (which = 0): Promise<void> => {
    underWay.splice(which, 1)[0]?.end();
    await settled();
  };
  return { ask, underWay, ofFrom, ofApp, end };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const many = (count: number, ask: () => Promise<unknown>): Promise<unknown>[] => Array.from({ length: count }, ask);

describe('places', () => {
  it('give one who asks a share of an app, and no more, however much is asked', async () => {
    const { ask, ofFrom, ofApp } = open();
    void many(520, () => ask('slow', 'one'));
    await settled();
    expect(ofFrom('one')).toBe(4); // half of the 8 shared slots; the rest is for a possible second sender
    for (let n = 0; n < 5; n++) void ask('slow', `other ${n}`);
    await settled();
    expect(ofApp('slow')).toBe(9);
  });

  it('give one who asks no more in many apps', async () => {
    const { ask, ofFrom } = open();
    for (let n = 0; n < 20; n++) void many(20, () => ask(`app ${n}`, 'one'));
    await settled();
    expect(ofFrom('one')).toBe(6);
  });

  it('give an app no more, however many ask, and another its share at once', async () => {
    const { ask, ofApp } = open({ slots: 1_000, maxSlots: 2_000 });
    for (let n = 0; n < 100; n++) void many(5, () => ask('loud', `one ${n}`));
    await settled();
    expect(ofApp('loud')).toBe(16);
    void many(3, () => ask('quiet', 'other'));
    await settled();
    expect(ofApp('quiet')).toBe(3);
  });

  it('are for few of an app that may compute, until these end or wait for others, and another app has its own', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const { ask, ofApp, end } = open({ slots: 1_000, maxSlots: 2_000, perAppComputing: 3 });
      for (let n = 0; n < 10; n++) void ask('loud', `one ${n}`);
      void ask('quiet', 'other');
      await settled();
      expect([ofApp('loud'), ofApp('quiet')]).toEqual([3, 1]);
      await end(0);
      expect(ofApp('loud')).toBe(3); // the next one took its slot
      jest.advanceTimersByTime(COMPUTING_MS);
      await settled();
      expect(ofApp('loud')).toBe(6);
      await end(0); // nothing may start in the freed slot
      expect(ofApp('loud')).toBe(5);
      jest.advanceTimersByTime(COMPUTING_MS);
      await settled();
      expect(ofApp('loud')).toBe(8);
    } finally {
      jest.useRealTimers();
    }
  });

  it('bind nobody to a share of what stands idle, however many are under way', async () => {
    const { ask, ofApp } = open({ slots: 256, maxSlots: 1_024, perApp: 128, perRequester: 64 });
    for (let n = 0; n < 128; n++) void ask(`made up ${n}`, `attacker ${n % 2}`);
    await settled();
    for (let n = 0; n < 60; n++) void ask('real', `one ${n}`);
    await settled();
    expect(ofApp('real')).toBe(60); // a share of the 128 free ones, not 1/130 of 256
  });

  it('are not shared with apps that lead nowhere, where anybody can name any', async () => {
    const { ask, ofApp } = open({ anyAppMayBeNamed: true });
    for (let n = 0; n < 40; n++) void ask(`made up ${n}`, `attacker ${n % 8}`);
    await settled();
    for (let n = 0; n < 12; n++) void ask('real', `one ${n}`);
    await settled();
    expect(ofApp('real')).toBe(12);
  });

  it('give each who comes its share, whatever others hold who came before', async () => {
    const { ask, ofFrom } = open();
    for (let n = 0; n < 8; n++) void many(50, () => ask(`loud ${n}`, `noisy ${n}`));
    await settled();
    void many(5, () => ask('quiet', 'somebody'));
    await settled();
    expect(ofFrom('somebody')).toBe(2); // 24 slots, divided among nine senders and a possible tenth
  });

  it('are never more than there are in all', async () => {
    const { ask, underWay } = open({ maxSlots: 30 });
    for (let n = 0; n < 100; n++) void ask(`app ${n}`, `one ${n}`);
    await settled();
    expect(underWay).toHaveLength(30);
  });

  it('go to what waits: of a party in order, and to parties in turns', async () => {
    const { ask, underWay, end } = open({ perApp: 4, perRequester: 1 });
    const order: string[] = [];
    for (const nth of [1, 2, 3]) void ask('a', 'one').then(() => order.push(`one ${nth}`));
    for (const nth of [1, 2]) void ask('b', 'two').then(() => order.push(`two ${nth}`));
    await settled();
    expect(underWay).toHaveLength(2);
    while (underWay.length) await end();
    expect(order).toEqual(['one 1', 'two 1', 'one 2', 'two 2', 'one 3']);
  });

  it('are not waited for longer than is said, nor by more', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const { ask, underWay, end } = open({ perRequester: 1, waiting: 2, waitMs: 5_000 });
      const [, first, second] = [ask('a', 'one'), ask('a', 'one').catch((error: unknown) => error), ask('a', 'one')];
      await expect(ask('a', 'one')).rejects.toBe(FULL);
      jest.advanceTimersByTime(4_999);
      await end();
      expect(underWay).toHaveLength(1);
      jest.advanceTimersByTime(1);
      await expect(second).rejects.toBe(FULL);
      await end();
      expect(await first).toBe('a one');
      void ask('a', 'one');
      await settled();
      expect(underWay).toHaveLength(1);
    } finally {
      jest.useRealTimers();
    }
  });

  it('are waited for by so many of one who asks, and in all, whatever the apps', async () => {
    const { ask } = open({ perRequester: 1, waiting: 3, maxWaiting: 5 });
    const refused: string[] = [];
    const wait = (app: string, from: string) =>
      void ask(app, from).catch((error: unknown) => error === FULL && refused.push(from));
    for (let n = 0; n < 6; n++) wait(`app ${n}`, 'one');
    await settled();
    expect(refused).toEqual(['one', 'one']);
    for (let n = 0; n < 4; n++) wait(`app ${n}`, 'two');
    await settled();
    expect(refused).toEqual(['one', 'one', 'two']);
    expect(await Promise.race([ask('app', 'three').then(String), settled().then(() => 'under way')])).toBe('under way');
  });

  it('are not taken by who has gone, and given back by what fails', async () => {
    const { ask, underWay, end } = open({ perRequester: 1 });
    const gone = new AbortController();
    void ask('a', 'one');
    const left = ask('a', 'one', gone.signal);
    const next = ask('a', 'one');
    gone.abort();
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
    await expect(ask('a', 'one', gone.signal)).rejects.toMatchObject({ name: 'AbortError' });
    await end();
    expect(underWay).toHaveLength(1);
    await end();
    expect(await next).toBe('a one');

    const places = new ConcurrencyLimit({ ...LIMITS, perRequester: 1 }, () => FULL);
    const party = { app: 'a', from: 'one' };
    await expect(places.runInSlot(party, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await places.runInSlot(party, () => Promise.resolve('yes'))).toBe('yes');
  });
});
