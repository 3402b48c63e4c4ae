import { credit, debit, reservation, LedgerTest, newKey } from '../testing/ledger-test.js';
import type { ClawbackReversal, MovementResult, Clawback } from './movements.js';

let test: LedgerTest;
beforeAll(async () => (test = await LedgerTest.start()));
afterEach(async () => {
  await test.moveTimeAhead('0');
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});
afterAll(() => test.stop());

const HOUR_MS = 3_600_000;
const takeBack = (amount: number, more: Partial<Clawback> = {}): Clawback => ({
  key: newKey('take-back'),
  amount,
  kind: 'refund',
  source: 'topup',
  ...more,
});
const take = (id: string, movement: Clawback): Promise<MovementResult> =>
  test.dataSource.transaction((em) => test.ledger.clawBack(id, movement, em));
const give = (id: string, { key, kind }: Clawback, more: Partial<ClawbackReversal> = {}): Promise<MovementResult> =>
  test.dataSource.transaction((em) => test.ledger.reverseClawback(id, { kind, reverses: key, ...more }, em));
const lots = async (id: string): Promise<[string, number][]> =>
  (await test.readWallet(id)).lots.map(({ source, amount }): [string, number] => [source, amount]);

/** Creates a user with both wallets: bought credits, and earnings of the user's app. */
async function developer(bought: number, earned: number): Promise<{ id: string; earnings: string }> {
  const user = await test.createUser();
  const id = await test.wallets.ensureWallet(user);
  const earnings = await test.wallets.ensureWallet(user, 'earnings');
  if (bought) await test.ledger.credit(id, credit(bought, { source: 'topup', earns: true }));
  if (earned) {
    const caller = await test.createFilledWallet(earned, { earns: true });
    const charged = { appId: 'app', developer: { id: user, split: 100 } };
    await test.ledger.debit(caller, debit(earned, { charged }));
  }
  return { id, earnings };
}

describe('taking back', () => {
  it('takes those of the source first, then the others in the order of spending', async () => {
    const id = await test.createFilledWallet(20, { source: 'promo' });
    await test.ledger.credit(id, credit(30, { source: 'topup', earns: true }));
    await test.ledger.credit(id, credit(10, { source: 'plan', expiresAt: new Date(Date.now() + HOUR_MS) }));
    expect(await take(id, takeBack(25))).toMatchObject({ outcome: 'done', amount: -25, balanceAfter: 35 });
    expect(await lots(id)).toEqual([
      ['plan', 10],
      ['promo', 20],
      ['topup', 5],
    ]);
    await take(id, takeBack(20));
    expect(await lots(id)).toEqual([['promo', 15]]);
    expect((await test.listBookings(id)).at(-1)).toMatchObject({ kind: 'refund', counter: 'refund', amount: '-20' });
  });

  it('takes of a plan those that earn first: they are what the money brought', async () => {
    const expiresAt = new Date(Date.now() + HOUR_MS);
    const id = await test.createFilledWallet(20, { source: 'plan', earns: true, expiresAt });
    await test.ledger.credit(id, credit(20, { source: 'plan', expiresAt }));
    await take(id, takeBack(25, { source: 'plan', kind: 'dispute' }));
    expect((await test.readWallet(id)).lots).toMatchObject([{ source: 'plan', earns: false, amount: 15 }]);
    expect((await test.listBookings(id)).at(-1)).toMatchObject({ kind: 'dispute', counter: 'dispute' });
  });

  it('never takes what is held', async () => {
    const id = await test.createFilledWallet(100, { source: 'topup', earns: true });
    const held = reservation(30);
    await test.ledger.reserve(id, held);
    expect(await take(id, takeBack(100))).toMatchObject({ outcome: 'done', amount: -70 });
    expect(await test.readWallet(id)).toMatchObject({ balance: '30', held: '30', debt: '30' });
    // The unused part of the reservation pays the debt.
    await test.ledger.release(id, held.id);
    expect(await test.readWallet(id)).toMatchObject({ balance: '0', held: '0', debt: '0' });
  });

  it('takes what is missing from the own earnings, those that are not booked yet too, and owes the rest', async () => {
    const { id, earnings } = await developer(10, 50);
    const movement = takeBack(100);
    expect(await take(id, movement)).toMatchObject({ outcome: 'done', amount: -60 });
    expect(await test.readWallet(id)).toMatchObject({ balance: '0', debt: '40' });
    expect(await test.readWallet(earnings)).toMatchObject({ balance: '0' });
    expect(await test.listHistory(earnings)).toEqual([
      ['commission', 50],
      ['refund', -50],
    ]);
    expect(await test.ledger.debit(id, debit(1))).toMatchObject({ outcome: 'in_debt' });
    await test.ledger.credit(id, credit(100, { source: 'topup', earns: true }));
    expect(await test.readWallet(id)).toMatchObject({ balance: '60', debt: '0' });
  });

  it("does not touch another developer's earnings", async () => {
    const other = await developer(0, 50);
    const { id } = await developer(10, 0);
    await take(id, takeBack(100));
    await test.query('SELECT ledger_book_commissions($1, 100)', [other.earnings]);
    expect(await test.readWallet(other.earnings)).toMatchObject({ balance: '50' });
    expect(await test.readWallet(id)).toMatchObject({ debt: '90' });
  });

  it.each([
    ['from the wallet', 100, 0],
    ['from both', 30, 30],
    ['from the earnings alone', 0, 60],
    ['as a debt alone', 0, 0],
  ])('happens once of 50 that come with one key, %s', async (_what, bought, earned) => {
    const { id } = await developer(bought, earned);
    const movement = takeBack(60);
    const results = await Promise.all(Array.from({ length: 50 }, () => take(id, movement)));
    expect(results.filter(({ outcome }) => outcome === 'done')).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === 'replayed')).toHaveLength(49);
    expect(new Set(results.map(({ amount }) => amount)).size).toBe(1);
    expect(await take(id, { ...movement, amount: 59 })).toMatchObject({ outcome: 'key_reused' });
    expect(await take(id, { ...movement, kind: 'dispute' })).toMatchObject({ outcome: 'key_reused' });
    expect(await take((await developer(100, 0)).id, movement)).toMatchObject({ outcome: 'key_reused' });
  });

  it('of a closed wallet takes nothing, and of one of earnings is an error', async () => {
    const { id, earnings } = await developer(100, 0);
    await expect(take(earnings, takeBack(1))).rejects.toThrow('nothing that was bought');
    await test.dataSource.transaction((em) => test.ledger.closeWallet(id, em));
    expect(await take(id, takeBack(10))).toMatchObject({ outcome: 'closed' });
  });

  it.each([0, -1, 0.5, 1e12 + 1])('of %p credits is an error', async (amount) => {
    const id = await test.createWallet();
    await expect(take(id, takeBack(amount))).rejects.toThrow();
  });
});

describe('giving back', () => {
  it('brings lots and earnings back as they were', async () => {
    const { id, earnings } = await developer(30, 50);
    await test.ledger.credit(id, credit(10, { source: 'promo' }));
    const movement = takeBack(60);
    await take(id, movement);
    expect(await give(id, movement)).toMatchObject({ outcome: 'done', amount: 60 });
    expect((await test.readWallet(id)).lots).toMatchObject([
      { source: 'promo', amount: 10 },
      { source: 'topup', earns: true, amount: 30 },
    ]);
    expect(await test.readWallet(earnings)).toMatchObject({ balance: '50' });
  });

  it('pays the debt that it had become first', async () => {
    const { id } = await developer(30, 0);
    const movement = takeBack(100);
    await take(id, movement);
    await give(id, movement);
    expect(await test.readWallet(id)).toMatchObject({ balance: '30', debt: '0' });
  });

  it('gives what has paid the debt meanwhile', async () => {
    const { id } = await developer(0, 0);
    const movement = takeBack(100);
    await take(id, movement);
    await test.ledger.credit(id, credit(150, { source: 'topup', earns: true }));
    await give(id, movement);
    expect((await test.readWallet(id)).lots).toMatchObject([
      { source: 'refund', earns: false, amount: 100 },
      { source: 'topup', earns: true, amount: 50 },
    ]);
  });

  it.each([
    ['the wallet', 100, 0],
    ['the earnings', 0, 60],
    ['a debt', 0, 0],
  ])('happens once of 50 that come at once, of %s', async (_what, bought, earned) => {
    const { id, earnings } = await developer(bought, earned);
    const movement = takeBack(60);
    await take(id, movement);
    const results = await Promise.all(Array.from({ length: 50 }, () => give(id, movement)));
    expect(results.filter(({ outcome }) => outcome === 'done')).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === 'replayed')).toHaveLength(49);
    expect(await test.readWallet(id)).toMatchObject({ balance: String(bought), debt: '0' });
    expect(await test.readWallet(earnings)).toMatchObject({ balance: String(earned) });
  });

  it('is refused of what was not taken, or otherwise, or from somebody else', async () => {
    const { id } = await developer(100, 0);
    const movement = takeBack(60);
    expect(await give(id, movement)).toMatchObject({ outcome: 'not_reversible' });
    await take(id, movement);
    expect(await give(id, movement, { kind: 'dispute' })).toMatchObject({ outcome: 'not_reversible' });
    expect(await give((await developer(0, 0)).id, movement)).toMatchObject({ outcome: 'not_reversible' });
  });

  it('of credits that have expired meanwhile brings nothing', async () => {
    const id = await test.createFilledWallet(40, { source: 'plan', expiresAt: new Date(Date.now() + HOUR_MS) });
    const movement = takeBack(40, { source: 'plan' });
    await take(id, movement);
    await test.moveTimeAhead('2 hours');
    await give(id, movement);
    await test.query('SELECT ledger_sweep($1)', [id]);
    expect(await test.readWallet(id)).toMatchObject({ balance: '0', debt: '0' });
  });
});

it('of a user at the same time as calls and payouts loses nothing', async () => {
  const { id, earnings } = await developer(1_000, 500);
  await test.query('SELECT ledger_book_commissions($1, 100)', [earnings]);
  await Promise.all([
    ...Array.from({ length: 50 }, () => take(id, takeBack(30))),
    ...Array.from({ length: 50 }, () => test.ledger.debit(id, debit(5))),
    ...Array.from({ length: 20 }, () => test.ledger.debit(earnings, debit(5, { kind: 'payout' }))),
  ]);
  const [wallet, earned] = [await test.readWallet(id), await test.readWallet(earnings)];
  const spent = (await test.listBookings(id)).filter(({ kind }) => kind === 'call_charge').length * 5;
  const paid = (await test.listBookings(earnings)).filter(({ kind }) => kind === 'payout').length * 5;
  expect(Number(wallet.balance) + Number(earned.balance) - Number(wallet.debt)).toBe(1_500 - 1_500 - spent - paid);
});
