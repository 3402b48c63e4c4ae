import { credit, debit, reservation, LedgerTest, newKey, capture } from '../testing/ledger-test.js';
import { LedgerSweepService } from './ledger-sweep.service.js';
import { LedgerService } from './ledger.service.js';

let test: LedgerTest;
beforeAll(async () => (test = await LedgerTest.start()));
afterEach(() => test.moveTimeAhead('0'));
afterAll(() => test.stop());

const HOUR_MS = 3_600_000;
const plan = (expiresAt: Date) => ({ kind: 'subscription_grant', source: 'plan', expiresAt }) as const;

it('keeps credits for who holds them, and gives back what was not spent', async () => {
  const id = await test.createFilledWallet(100);
  const one = reservation(60);
  expect(await test.ledger.reserve(id, one)).toMatchObject({ outcome: 'done', amount: 60, available: 40 });
  expect(await test.ledger.debit(id, debit(41))).toMatchObject({ outcome: 'insufficient', available: 40 });
  expect(await test.ledger.reserve(id, reservation(41))).toMatchObject({ outcome: 'insufficient', available: 40 });
  expect(await test.ledger.capture(id, capture(one.id, 50))).toMatchObject({
    outcome: 'done',
    amount: -50,
    balanceAfter: 50,
    available: 50,
  });
  expect(await test.readWallet(id)).toMatchObject({ balance: '50', held: '0', available: 50 });
  expect(await test.ledger.release(id, one.id)).toMatchObject({ outcome: 'hold_gone' });
});

it('gives back what is released, once', async () => {
  const id = await test.createFilledWallet(100);
  const one = reservation(60);
  await test.ledger.reserve(id, one);
  expect(await test.ledger.release(id, one.id)).toMatchObject({ outcome: 'done', amount: 60, available: 100 });
  expect(await test.ledger.release(id, one.id)).toMatchObject({ outcome: 'hold_gone', available: 100 });
  expect(await test.ledger.capture(id, capture(one.id, 60))).toMatchObject({ outcome: 'hold_gone', available: 100 });
});

it('knows a hold again by its id: as long as it is the same, it has new time', async () => {
  const [id, other] = await Promise.all([test.createFilledWallet(100), test.createFilledWallet(100)]);
  const one = reservation(60);
  await test.ledger.reserve(id, one);
  await test.moveTimeAhead('50 seconds');
  expect(await test.ledger.reserve(id, one)).toMatchObject({ outcome: 'done', amount: 60, available: 40 });
  expect(await test.ledger.reserve(id, { ...one, amount: 61 })).toMatchObject({ outcome: 'key_reused', available: 40 });
  expect(await test.ledger.reserve(other, one)).toMatchObject({ outcome: 'key_reused', available: 100 });
  await test.moveTimeAhead('100 seconds');
  expect(await test.ledger.capture(id, capture(one.id, 60))).toMatchObject({ outcome: 'done', available: 40 });
});

it('holds nothing for what is paid already', async () => {
  const id = await test.createFilledWallet(100);
  const one = reservation(10);
  await test.ledger.reserve(id, one);
  await test.ledger.capture(id, capture(one.id, 10));
  expect(await test.ledger.reserve(id, one)).toMatchObject({ outcome: 'paid', available: 90 });
  const month = newKey('app');
  const first = reservation(20, { paidBy: month });
  await test.ledger.reserve(id, first);
  await test.ledger.capture(id, capture(first.id, 20, { key: month, kind: 'app_subscription' }));
  expect(await test.ledger.reserve(id, reservation(20, { paidBy: month }))).toMatchObject({
    outcome: 'paid',
    available: 70,
  });
  // Two calls reserved credits for the same month at once: the second has nothing to pay.
  expect(await test.readWallet(id)).toMatchObject({ held: '0' });
});

it('frees the second hold for one payment when that was made by the first', async () => {
  const id = await test.createFilledWallet(100);
  const month = newKey('app');
  const [one, other] = [reservation(20, { paidBy: month }), reservation(20, { paidBy: month })];
  await test.ledger.reserve(id, one);
  await test.ledger.reserve(id, other);
  const paid = { key: month, kind: 'app_subscription' } as const;
  expect(await test.ledger.capture(id, capture(one.id, 20, paid))).toMatchObject({ outcome: 'done' });
  expect(await test.ledger.capture(id, capture(other.id, 20, paid))).toMatchObject({
    outcome: 'replayed',
    available: 80,
  });
  expect(await test.readWallet(id)).toMatchObject({ balance: '80', held: '0' });
});

describe('fault 18: a hold whose holder crashed', () => {
  it('is free for the next movement when it has expired, without a sweep, and cannot be settled', async () => {
    const id = await test.createFilledWallet(100);
    const one = reservation(60);
    await test.ledger.reserve(id, one);
    const restarted = new LedgerService(test.dataSource);
    await test.moveTimeAhead('61 seconds');
    expect(await test.readWallet(id)).toMatchObject({ held: '60', available: 100 });
    expect(await restarted.debit(id, debit(100))).toMatchObject({ outcome: 'done', balanceAfter: 0 });
    expect(await restarted.capture(id, capture(one.id, 60))).toMatchObject({ outcome: 'hold_gone' });
    expect(await test.listHistory(id)).toEqual([
      ['admin_adjustment', 100],
      ['call_charge', -100],
    ]);
  });

  it('is refused when it is settled after it has expired, also before anybody took the credits', async () => {
    const id = await test.createFilledWallet(100);
    const one = reservation(60);
    await test.ledger.reserve(id, one);
    await test.moveTimeAhead('61 seconds');
    expect(await test.ledger.capture(id, capture(one.id, 60))).toMatchObject({
      outcome: 'hold_gone',
      available: 100,
    });
    expect(await test.readWallet(id)).toMatchObject({ balance: '100', held: '0', seq: '1' });
  });

  it('may hold again under the same id when it has expired', async () => {
    const id = await test.createFilledWallet(100);
    const one = reservation(60);
    await test.ledger.reserve(id, one);
    await test.moveTimeAhead('61 seconds');
    expect(await test.ledger.reserve(id, { ...one, amount: 90 })).toMatchObject({ outcome: 'done', available: 10 });
    expect(await test.readWallet(id)).toMatchObject({ held: '90' });
  });

  it('is swept', async () => {
    const [id, other] = await Promise.all([test.createFilledWallet(100), test.createFilledWallet(100)]);
    await test.ledger.reserve(id, reservation(60));
    await test.ledger.reserve(other, reservation(60, { seconds: 600 }));
    await test.moveTimeAhead('61 seconds');
    const sweeps = new LedgerSweepService(test.dataSource);
    await Promise.all([sweeps.sweepExpired(), sweeps.sweepExpired()]);
    expect(await test.readWallet(id)).toMatchObject({ held: '0', available: 100 });
    expect(await test.readWallet(other)).toMatchObject({ held: '60', available: 40 });
    expect(await sweeps.sweepExpired()).toBe(0);
  });
});

describe('credits that expire', () => {
  it('go at their time, by a movement, by the sweep, and for readers at once', async () => {
    const id = await test.createFilledWallet(100, plan(new Date(Date.now() + HOUR_MS)));
    const other = await test.createFilledWallet(70, plan(new Date(Date.now() + HOUR_MS)));
    await test.ledger.credit(id, credit(5));
    await test.moveTimeAhead('1 hour');
    expect(await test.readWallet(id)).toMatchObject({ balance: '105', available: 5 });
    expect(await test.ledger.debit(id, debit(6))).toMatchObject({ outcome: 'insufficient', available: 5 });
    expect(await test.listHistory(id)).toEqual([
      ['subscription_grant', 100],
      ['admin_adjustment', 5],
      ['expiry', -100],
    ]);
    await new LedgerSweepService(test.dataSource).sweepExpired();
    expect(await test.listHistory(other)).toEqual([
      ['subscription_grant', 70],
      ['expiry', -70],
    ]);
  });

  it('are kept for a hold that was made before, and what it does not spend goes', async () => {
    const id = await test.createFilledWallet(100, plan(new Date(Date.now() + HOUR_MS)));
    await test.ledger.credit(id, credit(50));
    const one = reservation(30, { seconds: 7_200 });
    await test.ledger.reserve(id, one);
    await test.moveTimeAhead('1 hour');
    expect(await test.readWallet(id)).toMatchObject({ available: 50 });
    expect(await test.ledger.debit(id, debit(1))).toMatchObject({ outcome: 'done', available: 49 });
    // The order of spending does not change: a reservation has an amount, and keeps that amount
    // from expiring.
    expect((await test.readWallet(id)).lots).toMatchObject([
      { source: 'plan', amount: 29 },
      { source: 'adjustment', amount: 50 },
    ]);
    expect(await test.ledger.capture(id, capture(one.id, 20))).toMatchObject({
      outcome: 'done',
      amount: -20,
      balanceAfter: 59,
      available: 50,
    });
    expect((await test.readWallet(id)).lots).toMatchObject([{ source: 'adjustment', amount: 50 }]);
    expect((await test.listHistory(id)).slice(-2)).toEqual([
      ['call_charge', -20],
      ['expiry', -9],
    ]);
  });

  it('are what a hold would have spent: those first in order, not whichever expired', async () => {
    const id = await test.createFilledWallet(100);
    // These credits are spent last, although they expire.
    await test.ledger.credit(id, credit(50, { source: 'topup', expiresAt: new Date(Date.now() + HOUR_MS) }));
    const one = reservation(30, { seconds: 7_200 });
    await test.ledger.reserve(id, one);
    await test.moveTimeAhead('1 hour');
    expect(await test.readWallet(id)).toMatchObject({ available: 70 });
    expect(await test.ledger.capture(id, capture(one.id, 30))).toMatchObject({ outcome: 'done', available: 70 });
    expect(await test.listHistory(id)).toEqual([
      ['admin_adjustment', 100],
      ['admin_adjustment', 50],
      ['expiry', -50],
      ['call_charge', -30],
    ]);
  });

  it('go with the hold that kept them, before the next movement can spend them', async () => {
    const id = await test.createFilledWallet(100, plan(new Date(Date.now() + HOUR_MS)));
    const one = reservation(100, { seconds: 3_660 });
    await test.ledger.reserve(id, one);
    await test.moveTimeAhead('1 hour');
    expect(await test.ledger.release(id, one.id)).toMatchObject({ outcome: 'done', available: 0 });
    const again = await test.createFilledWallet(100, plan(new Date(Date.now() + 2 * HOUR_MS)));
    await test.ledger.reserve(again, { ...one, id: 'again' });
    await test.moveTimeAhead('2 hours 2 minutes');
    // The reservation has expired, and so have its credits.
    expect(await test.ledger.reserve(again, { ...one, id: 'again' })).toMatchObject({
      outcome: 'insufficient',
      available: 0,
    });
    expect(await test.readWallet(again)).toMatchObject({ balance: '0', held: '0' });
  });
});

it('lets nobody hold credits of a wallet of earnings', async () => {
  const id = await test.createWallet('earnings');
  await test.ledger.credit(id, credit(100));
  await expect(test.ledger.reserve(id, reservation(1))).rejects.toThrow('pays for no calls');
});

it('left a ledger in which everything adds up', async () => {
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});
