import { credit, debit, LedgerTest, newKey, reversal } from '../testing/ledger-test.js';
import type { Debit } from '../ledger/movements.js';

let test: LedgerTest;
let developer: string;
let wallet: string;
let earnings: string;
beforeAll(async () => (test = await LedgerTest.start()));
beforeEach(async () => {
  developer = await test.createUser();
  wallet = await test.wallets.ensureWallet(developer);
  earnings = await test.wallets.ensureWallet(developer, 'earnings');
});
afterEach(async () => {
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});
afterAll(() => test.stop());

/** Debits another user for a call of the app. Its share is not booked yet. */
async function earn(amount: number): Promise<void> {
  const caller = await test.createFilledWallet(amount, { earns: true });
  await test.ledger.debit(
    caller,
    debit(amount, { charged: { appId: 'app', developer: { id: developer, split: 100 } } }),
  );
}
const book = () => test.query('SELECT ledger_book_earnings($1, 1000)', [earnings]);
const action = (amount: number): Debit => debit(amount, { kind: 'action_charge', shortfall: 'debt' });
const payDebt = () => test.dataSource.transaction((em) => test.ledger.payDebt(earnings, em));
/** Balances of both wallets, and the debt. */
const state = async (): Promise<string[]> => {
  const [user, earned] = [await test.readWallet(wallet), await test.readWallet(earnings)];
  return [user.balance, earned.balance, user.debt];
};

it('pays a debt with what is booked afterwards, and leaves the rest', async () => {
  await test.ledger.debit(wallet, action(100));
  await earn(30);
  await book();
  expect(await state()).toEqual(['0', '0', '70']);
  await earn(100);
  await book();
  expect(await state()).toEqual(['0', '30', '0']);
  expect(await test.listHistory(earnings)).toEqual([
    ['commission', 30],
    ['earnings_to_debt', -30],
    ['commission', 100],
    ['earnings_to_debt', -70],
  ]);
  expect(await test.listHistory(wallet)).toEqual([
    ['earnings_to_debt', 30],
    ['debt_payment', -30],
    ['earnings_to_debt', 70],
    ['debt_payment', -70],
  ]);
});

it('pays a debt with booked earnings at once, once of many tries with one key', async () => {
  await earn(80);
  await book();
  const charge = action(50);
  const results = await Promise.all(Array.from({ length: 20 }, () => test.ledger.debit(wallet, charge)));
  expect(results.filter(({ outcome }) => outcome === 'done')).toHaveLength(1);
  expect(await Promise.all(Array.from({ length: 10 }, payDebt))).toEqual(Array.from({ length: 10 }, () => 0));
  expect(await state()).toEqual(['0', '30', '0']);
});

it('pays an older debt with what a later refund books', async () => {
  await test.ledger.debit(wallet, action(100));
  await earn(150);
  const movement = { key: newKey('take-back'), amount: 20, kind: 'refund', source: 'topup' } as const;
  await test.dataSource.transaction((em) => test.ledger.clawBack(wallet, movement, em));
  expect(await state()).toEqual(['0', '30', '0']);
});

it('pays a debt with earnings that a payout gives back', async () => {
  await earn(80);
  await book();
  const payout = debit(80, { kind: 'payout' });
  await test.ledger.debit(earnings, payout);
  await test.ledger.debit(wallet, action(100));
  await test.dataSource.transaction(async (em) => {
    await test.ledger.reverse(earnings, reversal(payout.key, 80), em);
    await test.ledger.payDebt(earnings, em);
  });
  expect(await state()).toEqual(['0', '0', '20']);
});

it("leaves other developers' earnings, and those of a closed wallet", async () => {
  await earn(80);
  await book();
  const other = await test.createWallet();
  await test.ledger.debit(other, action(50));
  expect(await test.dataSource.transaction((em) => test.ledger.payDebt(other, em))).toBe(50);
  expect(await state()).toEqual(['0', '80', '0']);
  await test.dataSource.transaction((em) => test.ledger.closeWallet(earnings, em));
  await test.ledger.debit(wallet, action(50));
  expect(await state()).toEqual(['0', '0', '50']);
});

it('loses nothing while debts, earnings, bookings and payouts come at once', async () => {
  await Promise.all([
    ...Array.from({ length: 20 }, () => test.ledger.debit(wallet, action(10))),
    ...Array.from({ length: 20 }, () => earn(15)),
    ...Array.from({ length: 20 }, () => book()),
    ...Array.from({ length: 20 }, () => test.ledger.debit(earnings, debit(3, { kind: 'payout' }))),
    ...Array.from({ length: 10 }, () => test.ledger.credit(wallet, credit(2))),
  ]);
  await book();
  const paid = (await test.listBookings(earnings)).filter(({ kind }) => kind === 'payout').length * 3;
  const [balance, earned, debt] = (await state()).map(Number) as [number, number, number];
  expect(balance + earned - debt).toBe(300 + 20 - 200 - paid);
  expect(Math.min(earned, debt)).toBe(0);
});

it('is checked: a transfer with one side is a problem', async () => {
  await earn(80);
  await book();
  const lost = JSON.stringify([{ key: newKey('lost'), amount: 30, kind: 'earnings_to_debt', counter: 'debt' }]);
  await test.query('SELECT ledger_debit($1, $2)', [earnings, lost]);
  expect((await test.verifyLedger()).lines).toEqual([
    `user ${developer}: the earnings paid 30 of the debts, but 0 arrived in the wallet`,
  ]);
  await test.query('SELECT ledger_credit($1, $2)', [
    wallet,
    JSON.stringify([
      {
        key: newKey('found'),
        amount: 30,
        kind: 'earnings_to_debt',
        counter: 'debt',
        source: 'commission',
        priority: 50,
        earns: false,
      },
    ]),
  ]);
});
