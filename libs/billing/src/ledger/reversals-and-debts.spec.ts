import { credit, debit, reservation, LedgerTest, reversal } from '../testing/ledger-test.js';

let test: LedgerTest;
beforeAll(async () => (test = await LedgerTest.start()));
afterEach(() => test.moveTimeAhead('0'));
afterAll(() => test.stop());

const HOUR_MS = 3_600_000;
const payout = (amount: number) => debit(amount, { kind: 'payout' });

describe('a reversal', () => {
  it('gives back the lots as they were, those that were taken last first', async () => {
    const id = await test.createFilledWallet(10, { source: 'promo' });
    await test.ledger.credit(id, credit(10, { source: 'topup', earns: true }));
    const paid = payout(15);
    await test.ledger.debit(id, paid);
    expect(await test.ledger.reverse(id, reversal(paid.key, 7))).toMatchObject({
      outcome: 'done',
      amount: 7,
      balanceAfter: 12,
    });
    expect((await test.listBookings(id)).at(-1)).toMatchObject({
      counter: 'payout',
      reverses_seq: '3',
      lots: [
        { source: 'promo', amount: 2 },
        { source: 'topup', amount: 5 },
      ],
    });
    expect(await test.ledger.reverse(id, reversal(paid.key, 8))).toMatchObject({ outcome: 'done', balanceAfter: 20 });
    expect((await test.readWallet(id)).lots).toMatchObject([
      { source: 'promo', amount: 10 },
      { source: 'topup', amount: 10, earns: true },
    ]);
    expect(await test.ledger.reverse(id, reversal(paid.key, 1))).toMatchObject({ outcome: 'not_reversible' });
  });

  it('is made once by its key, and refused for another debit or amount', async () => {
    const id = await test.createFilledWallet(100);
    const [one, other] = [payout(10), payout(10)];
    await test.ledger.debit(id, one);
    await test.ledger.debit(id, other);
    const back = reversal(one.key, 10);
    const results = await Promise.all(Array.from({ length: 20 }, () => test.ledger.reverse(id, back)));
    expect(results.filter(({ outcome }) => outcome === 'done')).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === 'replayed')).toHaveLength(19);
    expect(await test.ledger.reverse(id, { ...back, amount: 9 })).toMatchObject({ outcome: 'key_reused' });
    expect(await test.ledger.reverse(id, { ...back, reverses: other.key })).toMatchObject({ outcome: 'key_reused' });
    expect(await test.readWallet(id)).toMatchObject({ balance: '90' });
  });

  it('never gives back more than was taken, however many come at once', async () => {
    const id = await test.createFilledWallet(100);
    const paid = payout(10);
    await test.ledger.debit(id, paid);
    const results = await Promise.all(Array.from({ length: 20 }, () => test.ledger.reverse(id, reversal(paid.key, 3))));
    expect(results.filter(({ outcome }) => outcome === 'done')).toHaveLength(3);
    expect(await test.readWallet(id)).toMatchObject({ balance: '99' });
  });

  it.each([
    [
      'a credit',
      async (id: string) => {
        const one = credit(5);
        await test.ledger.credit(id, one);
        return one.key;
      },
    ],
    ['nothing', () => Promise.resolve('nothing')],
    [
      'a debit of which a developer has a share',
      async (id: string) => {
        const one = debit(5, { charged: { appId: 'app', developer: { id: 'usr_dev', split: 70 } } });
        await test.ledger.credit(id, credit(5, { earns: true, source: 'plan' }));
        await test.ledger.debit(id, one);
        return one.key;
      },
    ],
  ])('is refused of %s', async (_what, make) => {
    const id = await test.createFilledWallet(100);
    const key = await make(id);
    expect(await test.ledger.reverse(id, reversal(key, 5))).toMatchObject({ outcome: 'not_reversible' });
  });

  it('is refused of what another wallet paid', async () => {
    const [id, other] = await Promise.all([test.createFilledWallet(100), test.createFilledWallet(100)]);
    const paid = payout(10);
    await test.ledger.debit(other, paid);
    expect(await test.ledger.reverse(id, reversal(paid.key, 10))).toMatchObject({ outcome: 'not_reversible' });
  });

  it('brings back credits that have expired meanwhile for no longer than a moment', async () => {
    const id = await test.createFilledWallet(10, { expiresAt: new Date(Date.now() + HOUR_MS) });
    const paid = payout(10);
    await test.ledger.debit(id, paid);
    await test.moveTimeAhead('1 hour');
    await test.ledger.reverse(id, reversal(paid.key, 10));
    expect(await test.readWallet(id)).toMatchObject({ available: 0 });
    expect(await test.ledger.debit(id, debit(1))).toMatchObject({ outcome: 'insufficient', available: 0 });
  });
});

describe('a debt', () => {
  it('is what a wallet lacks for what has happened already, and the first thing that is paid', async () => {
    const id = await test.createFilledWallet(30);
    const charge = debit(100, { kind: 'action_charge', shortfall: 'debt' });
    expect(await test.ledger.debit(id, charge)).toMatchObject({
      outcome: 'done',
      amount: -30,
      balanceAfter: 0,
      available: 0,
    });
    expect(await test.readWallet(id)).toMatchObject({ balance: '0', debt: '70' });
    expect(await test.ledger.debit(id, debit(1))).toMatchObject({ outcome: 'in_debt', available: 0 });
    expect(await test.ledger.reserve(id, reservation(1))).toMatchObject({ outcome: 'in_debt' });
    expect(await test.ledger.credit(id, credit(50))).toMatchObject({ outcome: 'done', balanceAfter: 50, available: 0 });
    expect(await test.readWallet(id)).toMatchObject({ balance: '0', debt: '20' });
    expect(await test.ledger.credit(id, credit(50))).toMatchObject({ outcome: 'done', available: 30 });
    expect(await test.readWallet(id)).toMatchObject({ balance: '30', debt: '0' });
    expect(await test.ledger.debit(id, debit(1))).toMatchObject({ outcome: 'done' });
    expect(await test.listHistory(id)).toEqual([
      ['admin_adjustment', 30],
      ['action_charge', -30],
      ['admin_adjustment', 50],
      ['debt_payment', -50],
      ['admin_adjustment', 50],
      ['debt_payment', -20],
      ['call_charge', -1],
    ]);
  });

  it('is known again by its key, with or without an entry', async () => {
    const [empty, short] = await Promise.all([test.createWallet(), test.createFilledWallet(3)]);
    for (const id of [empty, short]) {
      const charge = debit(10, { kind: 'action_charge', shortfall: 'debt' });
      const results = await Promise.all(Array.from({ length: 20 }, () => test.ledger.debit(id, charge)));
      expect(results.filter(({ outcome }) => outcome === 'done')).toHaveLength(1);
      expect(results.filter(({ outcome }) => outcome === 'replayed')).toHaveLength(19);
      expect(await test.ledger.debit(id, { ...charge, amount: 11 })).toMatchObject({ outcome: 'key_reused' });
      await test.ledger.credit(id, credit(100));
      expect(await test.ledger.debit(id, charge)).toMatchObject({ outcome: 'replayed' });
      // Also if the caller allows no debts.
      expect(await test.ledger.debit(id, debit(5, { key: charge.key }))).toMatchObject({ outcome: 'key_reused' });
    }
  });

  it('leaves what is held, and is paid as soon as that is free', async () => {
    const id = await test.createFilledWallet(50);
    const one = reservation(30);
    await test.ledger.reserve(id, one);
    expect(await test.ledger.debit(id, debit(40, { shortfall: 'debt' }))).toMatchObject({
      outcome: 'done',
      amount: -20,
    });
    expect(await test.readWallet(id)).toMatchObject({ balance: '30', held: '30', debt: '20' });
    expect(await test.ledger.release(id, one.id)).toMatchObject({ outcome: 'done', available: 10 });
    expect(await test.readWallet(id)).toMatchObject({ balance: '10', held: '0', debt: '0' });
    expect(await test.ledger.debit(id, debit(10))).toMatchObject({ outcome: 'done' });
  });

  it('gives the developer the share of what is paid at once', async () => {
    const id = await test.createFilledWallet(50, { earns: true });
    const charged = { appId: 'app', developer: { id: 'usr_dev', split: 70 }, base: 80 };
    expect(await test.ledger.debit(id, debit(100, { charged, shortfall: 'debt' }))).toMatchObject({
      outcome: 'done',
      amount: -50,
      share: 28,
    });
    expect((await test.listBookings(id)).at(-1)).toMatchObject({ earned_base: '40', share: '28' });
  });

  it('of several trillions is paid by the next credits', async () => {
    const id = await test.createWallet();
    for (let n = 0; n < 3; n++) await test.ledger.debit(id, debit(1e12, { shortfall: 'debt' }));
    expect(await test.readWallet(id)).toMatchObject({ debt: '3000000000000' });
    for (let n = 0; n < 4; n++) await test.ledger.credit(id, credit(1e12));
    expect(await test.readWallet(id)).toMatchObject({ debt: '0', balance: '1000000000000' });
  });
});

it('left a ledger in which everything adds up', async () => {
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});
