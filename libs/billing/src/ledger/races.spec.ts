import pLimit from 'p-limit';
import type { EntityManager } from 'typeorm';
import { debit, reservation, LedgerTest, newKey, capture } from '../testing/ledger-test.js';
import type { Debit, MovementResult } from './movements.js';

let test: LedgerTest;
beforeAll(async () => (test = await LedgerTest.start()));
afterAll(() => test.stop());

const counted = (results: readonly MovementResult[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};
const times = <Result>(count: number, make: (n: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_none, n) => make(n)));

/** Limits parallel work: waiting a few seconds for a connection fails. */
const connected = pLimit(8);
/**
 * In one statement with others of this process, and in separate transactions like other processes.
 */
const WAYS: [string, (walletId: string, movement: Debit) => Promise<MovementResult>][] = [
  ['in batches', (walletId, movement) => test.ledger.debit(walletId, movement)],
  [
    'each by itself',
    (walletId, movement) =>
      connected(() => test.dataSource.transaction((em: EntityManager) => test.ledger.debit(walletId, movement, em))),
  ],
];

describe.each(WAYS)('%s', (_way, debitBy) => {
  it('fault 13: of 400 debits of 1 on 100 credits, 100 are made', async () => {
    const id = await test.createFilledWallet(100);
    const results = await times(400, () => debitBy(id, debit(1)));
    expect(counted(results)).toEqual({ done: 100, insufficient: 300 });
    // Entry 1 is the credit.
    expect(await test.readWallet(id)).toMatchObject({ balance: '0', seq: '101', lots: [] });
    expect((await test.listBookings(id)).map(({ seq }) => Number(seq))).toEqual(
      Array.from({ length: 101 }, (_none, n) => n + 1),
    );
  });

  it('fault 14: of 60 debits with one key one is made, and all have the same answer', async () => {
    const id = await test.createFilledWallet(100);
    const movement = debit(7);
    const results = await times(60, () => debitBy(id, movement));
    expect(counted(results)).toEqual({ done: 1, replayed: 59 });
    for (const result of results) expect(result).toMatchObject({ seq: 2, amount: -7, balanceAfter: 93 });
    expect(await test.listHistory(id)).toEqual([
      ['admin_adjustment', 100],
      ['call_charge', -7],
    ]);
  });

  it('fault 14: the same key with another amount, kind or wallet is refused and changes nothing', async () => {
    const [id, other] = await Promise.all([test.createFilledWallet(100), test.createFilledWallet(100)]);
    const movement = debit(7);
    await debitBy(id, movement);
    const refused = { outcome: 'key_reused', seq: null };
    expect(await debitBy(id, { ...movement, amount: 8 })).toMatchObject(refused);
    expect(await debitBy(id, { ...movement, kind: 'payout' })).toMatchObject(refused);
    expect(await debitBy(other, movement)).toMatchObject(refused);
    expect(await test.readWallet(id)).toMatchObject({ balance: '93', seq: '2' });
    expect(await test.readWallet(other)).toMatchObject({ balance: '100', seq: '1' });
  });
});

it('makes one of two debits of different wallets that race with one key, and refuses the other', async () => {
  const [one, other] = await Promise.all([test.createFilledWallet(100), test.createFilledWallet(100)]);
  for (let round = 0; round < 20; round++) {
    const movement = debit(1);
    const results = await Promise.all([test.ledger.debit(one, movement), test.ledger.debit(other, movement)]);
    expect(counted(results)).toEqual({ done: 1, key_reused: 1 });
  }
  const balances = [await test.readWallet(one), await test.readWallet(other)].map(({ balance }) => Number(balance));
  expect((balances[0] as number) + (balances[1] as number)).toBe(180);
});

it('holds credits for 40 of 100 calls at once, and each of these pays once', async () => {
  const id = await test.createFilledWallet(40 * 5);
  const holds = Array.from({ length: 100 }, () => reservation(5));
  const results = await Promise.all(holds.map((one) => test.ledger.reserve(id, one)));
  expect(counted(results)).toEqual({ done: 40, insufficient: 60 });
  const held = holds.filter((_one, n) => results[n]?.outcome === 'done');
  const settled = await Promise.all(
    [...held, ...held].map(({ id: hold }) => test.ledger.capture(id, capture(hold, 5))),
  );
  expect(counted(settled)).toEqual({ done: 40, replayed: 40 });
  expect(await test.readWallet(id)).toMatchObject({ balance: '0', held: '0' });
});

it('makes the other movements of a batch when one cannot be made', async () => {
  const id = await test.createFilledWallet(100);
  const results = await Promise.allSettled(
    [1, 0, 2, Number.NaN, 3].map((amount) => test.ledger.debit(id, debit(amount))),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
  expect(await test.readWallet(id)).toMatchObject({ balance: '94' });
});

it('undoes a movement with the transaction that it is a part of', async () => {
  const id = await test.createFilledWallet(100);
  const movement = debit(7);
  const failing = test.dataSource.transaction(async (em) => {
    expect(await test.ledger.debit(id, movement, em)).toMatchObject({ outcome: 'done' });
    throw new Error('something else');
  });
  await expect(failing).rejects.toThrow('something else');
  expect(await test.readWallet(id)).toMatchObject({ balance: '100', seq: '1' });
  expect(await test.ledger.debit(id, movement)).toMatchObject({ outcome: 'done' });
});

it('refuses a wallet that is not there', async () => {
  await expect(test.ledger.debit('999999', debit(1, { key: newKey() }))).rejects.toThrow('there is no wallet 999999');
});

it('left a ledger in which everything adds up', async () => {
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});
