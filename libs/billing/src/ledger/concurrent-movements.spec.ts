import { HeldLock } from '@platform/testing';
import { credit, debit, reservation, LedgerTest, newKey, capture } from '../testing/ledger-test.js';

let test: LedgerTest;
beforeAll(async () => (test = await LedgerTest.start()));
afterAll(() => test.stop());

/** Parameters of each statement that makes movements of many wallets: names, wallets, movements. */
async function statements(work: () => Promise<unknown>): Promise<unknown[][]> {
  const { master } = test.dataSource.driver as unknown as {
    master: { query(query: { text: string; values: unknown[] }): Promise<unknown> };
  };
  const query = jest.spyOn(master, 'query');
  try {
    await work();
    return query.mock.calls.flatMap(([{ text, values }]) => (text.includes('ledger_move') ? [values] : []));
  } finally {
    query.mockRestore();
  }
}

const FOREVER_MS = 2 ** 31 - 1;

/** Locks the wallet like another transaction that changes it. */
const lock = (walletId: string): Promise<HeldLock> =>
  HeldLock.acquire(test, 'SELECT 1 FROM wallets WHERE id = $1 FOR UPDATE', [walletId]);

it('makes movements of many wallets and of every kind with one statement, and tells each caller of theirs', async () => {
  const [ada, bob, cleo] = [
    await test.createFilledWallet(100),
    await test.createFilledWallet(20),
    await test.createWallet(),
  ];
  const [first, second] = [reservation(30), reservation(5)];
  await Promise.all([test.ledger.reserve(ada, first), test.ledger.reserve(bob, second)]);
  const made: unknown[] = [];
  const sent = await statements(async () => {
    const movements = [
      test.ledger.capture(ada, capture(first.id, 30)),
      test.ledger.debit(cleo, debit(1)),
      test.ledger.reserve(ada, reservation(70)),
      test.ledger.release(bob, second.id),
      test.ledger.debit(bob, debit(7)),
      test.ledger.credit(cleo, credit(50)),
      test.ledger.debit(bob, debit(6)),
      test.ledger.capture(bob, capture('never-made', 1)),
    ];
    made.push(...(await Promise.all(movements)));
  });
  expect(sent).toHaveLength(1);
  expect(made).toMatchObject([
    { outcome: 'done', amount: -30, balanceAfter: 70, available: 70 },
    { outcome: 'insufficient', available: 0 },
    { outcome: 'done', amount: 70, available: 0 },
    { outcome: 'done', amount: 5, available: 20 },
    { outcome: 'done', amount: -7, balanceAfter: 13 },
    { outcome: 'done', amount: 50, balanceAfter: 50, available: 50 },
    { outcome: 'done', amount: -6, balanceAfter: 7 },
    { outcome: 'hold_gone' },
  ]);
  expect(await Promise.all([ada, bob, cleo].map((id) => test.readWallet(id)))).toMatchObject([
    { balance: '70', held: '70' },
    { balance: '7', held: '0' },
    { balance: '50', held: '0' },
  ]);
});

it('holds up no other wallet for one that somebody else has locked, whose movements wait and are made', async () => {
  const [held, free] = [await test.createFilledWallet(100), await test.createFilledWallet(100)];
  const theirs = await lock(held);
  const waiting = [test.ledger.debit(held, debit(1)), test.ledger.debit(held, debit(2))];
  expect(await test.ledger.debit(free, debit(3))).toMatchObject({ outcome: 'done', balanceAfter: 97 });
  await theirs.waitForBlocked(1);
  expect(await test.ledger.debit(free, debit(4))).toMatchObject({ outcome: 'done', balanceAfter: 93 });
  await theirs.runStatement('UPDATE wallets SET updated_at = now() WHERE id = $1', [held]);
  await theirs.release();
  expect(await Promise.all(waiting)).toMatchObject([{ balanceAfter: 99 }, { balanceAfter: 97 }]);
});

it('is not held up for long by several wallets that are locked for longer than it', async () => {
  const locked = await Promise.all(Array.from({ length: 6 }, () => test.createFilledWallet(100)));
  const [short, free] = [await test.createFilledWallet(100), await test.createFilledWallet(100)];
  const theirs = await Promise.all(locked.map(lock));
  const limit = jest.replaceProperty(test.ledger.movements, 'longestWaitMs', FOREVER_MS);
  const waiting = locked.map((id) => test.ledger.debit(id, debit(1)));
  await theirs[0]?.waitForBlocked(1);
  const shortly = await lock(short);
  const soon = test.ledger.debit(short, debit(1));
  // A statement with both wallets skips the locked one.
  await test.ledger.debit(free, debit(1));
  await shortly.release();
  // The others are locked until here.
  expect(await soon).toMatchObject({ outcome: 'done', balanceAfter: 99 });
  for (const each of theirs) await each.release();
  limit.restore();
  for (const made of await Promise.all(waiting)) expect(made).toMatchObject({ outcome: 'done', balanceAfter: 99 });
});

it('fails with 503 for a wallet that is locked for too long, and moves nothing', async () => {
  const [held, free] = [await test.createFilledWallet(100), await test.createFilledWallet(100)];
  const theirs = await lock(held);
  const limit = jest.replaceProperty(test.ledger.movements, 'longestWaitMs', 50);
  try {
    const refused = test.ledger.debit(held, debit(1));
    expect(await test.ledger.debit(free, debit(1))).toMatchObject({ outcome: 'done' });
    await expect(refused).rejects.toMatchObject({
      status: 503,
      code: 'unavailable',
      options: { headers: { 'Retry-After': '1' } },
    });
  } finally {
    limit.restore();
    await theirs.release();
  }
  expect(await test.readWallet(held)).toMatchObject({ balance: '100', seq: '1' });
  expect(await test.ledger.debit(held, debit(1))).toMatchObject({ outcome: 'done', balanceAfter: 99 });
});

it('makes the movements of other wallets when one cannot be made', async () => {
  const [ada, bob] = [await test.createFilledWallet(100), await test.createFilledWallet(100)];
  const made = await Promise.allSettled([
    test.ledger.debit(ada, debit(1)),
    test.ledger.debit('999999', debit(1)),
    test.ledger.credit(bob, credit(0)),
    test.ledger.debit(bob, debit(2)),
  ]);
  expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect([await test.listHistory(ada), await test.listHistory(bob)]).toEqual([
    [
      ['admin_adjustment', 100],
      ['call_charge', -1],
    ],
    [
      ['admin_adjustment', 100],
      ['call_charge', -2],
    ],
  ]);
});

it('lets one of two wallets have a key that both come by in one statement', async () => {
  const [ada, bob] = [await test.createFilledWallet(100), await test.createFilledWallet(100)];
  const key = newKey();
  const made = await Promise.all([
    test.ledger.debit(ada, debit(5, { key })),
    test.ledger.debit(bob, debit(5, { key })),
  ]);
  expect(made.map(({ outcome }) => outcome).sort()).toEqual(['done', 'key_reused']);
  const balances = [(await test.readWallet(ada)).balance, (await test.readWallet(bob)).balance];
  expect(balances.sort()).toEqual(['100', '95']);
});

it('left a ledger in which everything adds up', async () => {
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});
