import { setImmediate } from 'node:timers/promises';
import { LOCKED, KeyedBatches } from './keyed-batches.js';

interface Item {
  user: string;
  name: string;
}
const itemsOf = (user: string, ...names: string[]): Item[] => names.map((name) => ({ user, name }));

/** Error that PostgreSQL reports for a statement. */
const refused = (code: string) => Object.assign(new Error(`refused: ${code}`), { severity: 'ERROR', code });
const BROKEN = refused('P0001');
const LOCK_TIMEOUT = refused('55P03');

/** A promise that the test resolves. */
function gate(): { promise: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { promise, open };
}

/** Fake work that ends immediately, except for users with a gate or a failure. */
class Work {
  /** Names of the items of each batch statement. */
  readonly batches: string[][] = [];
  readonly apart: string[][] = [];
  /** Lock timeout of each separate statement. */
  readonly waits: number[] = [];
  readonly held = new Set<string>();
  running = 0;
  mostRunning = 0;
  /** Gate of all batches. */
  batchGate = Promise.resolve();
  /** Gates of separate statements, by user. */
  readonly gates = new Map<string, Promise<void>>();
  /** Errors of batches that contain an item of this name. */
  readonly failures = new Map<string, Error>();
  readonly failuresApart = new Map<string, Error>();

  readonly of: KeyedBatches<Item, string>;
  constructor({ maxItems = 10 } = {}) {
    this.of = new KeyedBatches<Item, string>({
      keyOf: ({ user }) => user,
      runBatch: (items) =>
        this.run(items, this.batches, this.batchGate, this.failures, ({ user, name }) =>
          this.held.has(user) ? LOCKED : `done ${name}`,
        ),
      runForKey: async (items, waitMs) => {
        this.waits.push(waitMs);
        return this.run(
          items,
          this.apart,
          this.gates.get(items[0]?.user ?? ''),
          this.failuresApart,
          ({ name }) => `waited ${name}`,
        );
      },
      maxItems,
      lockedError: (cause) => new Error('held', { cause }),
    });
  }

  add(...items: Item[]): Promise<string[]> {
    return Promise.all(items.map((item) => this.of.add(item)));
  }

  private async run<Result>(
    items: readonly Item[],
    log: string[][],
    wait: Promise<void> | undefined,
    failures: ReadonlyMap<string, Error>,
    result: (item: Item) => Result,
  ): Promise<Result[]> {
    log.push(items.map(({ name }) => name));
    this.mostRunning = Math.max(this.mostRunning, ++this.running);
    try {
      await wait;
      for (const { name } of items) {
        const failure = failures.get(name);
        if (failure) throw failure;
      }
      return items.map(result);
    } finally {
      this.running--;
    }
  }
}

/** Waits until nothing more can happen without opening a gate. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

describe('items of several users', () => {
  it('make one statement, and each caller gets what is of their item', async () => {
    const work = new Work();
    expect(await work.add(...itemsOf('ada', 'a1', 'a2'), ...itemsOf('bob', 'b1'), ...itemsOf('ada', 'a3'))).toEqual([
      'done a1',
      'done a2',
      'done b1',
      'done a3',
    ]);
    expect(work.batches).toEqual([['a1', 'a2', 'b1', 'a3']]);
  });

  it('make statements of at most `maxItems`, one at a time', async () => {
    const work = new Work({ maxItems: 2 });
    const { promise, open } = gate();
    work.batchGate = promise;
    const names = ['1', '2', '3', '4', '5'];
    const added = work.add(...names.map((name) => ({ user: `user ${name}`, name })));
    await settled();
    expect(work.batches).toEqual([['1', '2']]);
    open();
    expect(await added).toEqual(names.map((name) => `done ${name}`));
    expect(work.batches).toEqual([['1', '2'], ['3', '4'], ['5']]);
    expect(work.mostRunning).toBe(1);
  });
});

describe('a user whom somebody else holds', () => {
  it('waits apart, and holds up nobody else', async () => {
    const work = new Work();
    const { promise, open } = gate();
    work.held.add('ada');
    work.gates.set('ada', promise);
    const waiting = work.add(...itemsOf('ada', 'a1', 'a2'));
    expect(await work.add(...itemsOf('bob', 'b1'))).toEqual(['done b1']);
    expect(await work.add(...itemsOf('bob', 'b2'))).toEqual(['done b2']);
    await settled();
    expect(work.apart).toEqual([['a1', 'a2']]);
    open();
    expect(await waiting).toEqual(['waited a1', 'waited a2']);
  });

  it('is not tried with others until nobody waits any more, and what came meanwhile is one statement, up to `maxItems`', async () => {
    const work = new Work({ maxItems: 3 });
    const { promise, open } = gate();
    work.held.add('ada');
    work.gates.set('ada', promise);
    const first = work.add(...itemsOf('ada', 'a1'));
    await settled();
    const later = work.add(...itemsOf('ada', 'a2', 'a3', 'a4', 'a5'));
    await settled();
    expect([work.batches, work.apart]).toEqual([[['a1']], [['a1']]]);
    open();
    expect(await Promise.all([first, later])).toEqual([
      ['waited a1'],
      ['waited a2', 'waited a3', 'waited a4', 'waited a5'],
    ]);
    expect(work.apart).toEqual([['a1'], ['a2', 'a3', 'a4'], ['a5']]);
    work.held.clear();
    expect(await work.add(...itemsOf('ada', 'a6'))).toEqual(['done a6']);
  });

  it('shares four places with the others who are held, and what one of them waited counts', async () => {
    const work = new Work();
    const { promise, open } = gate();
    const users = ['ada', 'bob', 'cleo', 'dan', 'eve'];
    for (const user of users) {
      work.held.add(user);
      work.gates.set(user, promise);
    }
    const waiting = work.add(...users.map((user) => ({ user, name: user })));
    await settled();
    expect(work.apart).toEqual([['ada'], ['bob'], ['cleo'], ['dan']]);
    // The fifth item has exceeded its waiting time, but is still tried.
    work.of.longestWaitMs = 0;
    open();
    expect(await waiting).toEqual(users.map((user) => `waited ${user}`));
    expect(work.waits.slice(0, 4).every((ms) => ms > 1)).toBe(true);
    expect(work.waits.slice(4)).toEqual([1]);
  });

  it('gives up its place after its turn, and has another one later', async () => {
    const work = new Work();
    const users = ['ada', 'bob', 'cleo', 'dan', 'eve'];
    for (const user of users) work.held.add(user);
    jest.spyOn(work.failuresApart, 'get').mockReturnValueOnce(LOCK_TIMEOUT);
    expect(await work.add(...users.map((user) => ({ user, name: user })))).toEqual(
      users.map((user) => `waited ${user}`),
    );
    expect(work.apart).toEqual([['ada'], ['bob'], ['cleo'], ['dan'], ['eve'], ['ada']]);
    expect(work.waits.every((ms) => ms <= 200)).toBe(true);
  });

  it('has longer turns the longer it has waited', async () => {
    const work = new Work();
    work.held.add('ada');
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    jest.spyOn(work.failuresApart, 'get').mockImplementation(() => {
      now += work.waits.at(-1) ?? 0;
      return now < 5_000 ? LOCK_TIMEOUT : undefined;
    });
    const answers = await work.add(...itemsOf('ada', 'a1')).finally(() => clock.mockRestore());
    expect(answers).toEqual(['waited a1']);
    expect(work.waits).toEqual([200, 200, 400, 800, 1_600, 1_800]);
  });

  it('fails where it takes too long, which is told to those who waited and to nobody else', async () => {
    const work = new Work();
    work.of.longestWaitMs = 0;
    work.held.add('ada').add('bob');
    work.failuresApart.set('a1', LOCK_TIMEOUT);
    const answers = await Promise.allSettled(
      [...itemsOf('ada', 'a1', 'a2'), ...itemsOf('bob', 'b1')].map((item) => work.of.add(item)),
    );
    const tooLong = { status: 'rejected', reason: { message: 'held', cause: LOCK_TIMEOUT } };
    expect(answers).toMatchObject([tooLong, tooLong, { status: 'fulfilled', value: 'waited b1' }]);
  });
});

describe('what PostgreSQL refuses', () => {
  it('for one item fails for that one alone: each is tried by itself', async () => {
    const work = new Work();
    work.failures.set('b1', BROKEN);
    const items = [...itemsOf('ada', 'a1'), ...itemsOf('bob', 'b1', 'b2'), ...itemsOf('cleo', 'c1')];
    const answers = await Promise.allSettled(items.map((item) => work.of.add(item)));
    expect(answers).toEqual([
      { status: 'fulfilled', value: 'done a1' },
      { status: 'rejected', reason: BROKEN },
      { status: 'fulfilled', value: 'done b2' },
      { status: 'fulfilled', value: 'done c1' },
    ]);
    expect(work.batches).toEqual([['a1', 'b1', 'b2', 'c1'], ['a1'], ['b1'], ['b2'], ['c1']]);
  });

  it.each(['55P03', '40P01'])('for a lock (%s) makes the user wait apart', async (code) => {
    const work = new Work();
    work.failures.set('a1', refused(code));
    const { promise, open } = gate();
    work.gates.set('ada', promise);
    const waiting = work.add(...itemsOf('ada', 'a1'));
    expect(await work.add(...itemsOf('bob', 'b1'))).toEqual(['done b1']);
    await settled();
    expect(work.apart).toEqual([['a1']]);
    open();
    expect(await waiting).toEqual(['waited a1']);
  });

  it('for one item that waits apart fails for that one alone, too', async () => {
    const work = new Work();
    work.held.add('ada').add('bob');
    work.failuresApart.set('a1', BROKEN);
    const items = [...itemsOf('ada', 'a1', 'a2'), ...itemsOf('bob', 'b1'), ...itemsOf('cleo', 'c1')];
    expect(await Promise.allSettled(items.map((item) => work.of.add(item)))).toEqual([
      { status: 'rejected', reason: BROKEN },
      { status: 'fulfilled', value: 'waited a2' },
      { status: 'fulfilled', value: 'waited b1' },
      { status: 'fulfilled', value: 'done c1' },
    ]);
  });

  it('for one item leaves the others that wait apart as long as they had', async () => {
    const work = new Work();
    work.held.add('ada');
    // Fails for both, then for the first alone, then for the second alone.
    jest
      .spyOn(work.failuresApart, 'get')
      .mockReturnValueOnce(BROKEN)
      .mockReturnValueOnce(BROKEN)
      .mockReturnValueOnce(LOCK_TIMEOUT);
    expect(await Promise.allSettled(itemsOf('ada', 'a1', 'a2').map((item) => work.of.add(item)))).toEqual([
      { status: 'rejected', reason: BROKEN },
      { status: 'fulfilled', value: 'waited a2' },
    ]);
    expect(work.apart).toEqual([['a1', 'a2'], ['a1'], ['a2'], ['a2']]);
  });
});

it.each([
  ['a database that is away', refused('57P01')],
  ['an error of ours', new Error('ours')],
])('%s fails for the whole batch, and is not tried for each', async (_what, failure) => {
  const work = new Work();
  work.failures.set('a1', failure);
  const answers = await Promise.allSettled(
    [...itemsOf('ada', 'a1'), ...itemsOf('bob', 'b1')].map((item) => work.of.add(item)),
  );
  expect(answers).toEqual(Array(2).fill({ status: 'rejected', reason: failure }));
  expect(work.batches).toEqual([['a1', 'b1']]);
  work.failures.clear();
  expect(await work.add(...itemsOf('ada', 'a2'))).toEqual(['done a2']);
});
