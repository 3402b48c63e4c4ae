import { credit, debit, LedgerTest } from '../testing/ledger-test.js';
import { LOT_PRIORITIES } from '../ledger/lot.js';
import type { Credit } from '../ledger/movements.js';
import { HeldLock } from '@platform/testing';
import type { Logger } from 'pino';
import { CommissionsService } from './commissions.service.js';

let test: LedgerTest;
let developer: string;
let earnings: string;
beforeAll(async () => (test = await LedgerTest.start()));
beforeEach(async () => {
  developer = await test.createUser();
  earnings = await test.wallets.ensureWallet(developer, 'earnings');
});
afterAll(() => test.stop());

const charge = (amount: number, split: number, more: { base?: number; appId?: string; function?: string } = {}) =>
  debit(amount, { charged: { appId: 'app', ...more, developer: { id: developer, split } } });
const earning = (amount: number, more: Partial<Credit> = {}) =>
  test.createFilledWallet(amount, { earns: true, ...more });
const book = async (limit = 1_000): Promise<number> => {
  const [row] = await test.query<{ booked: number }>('SELECT ledger_book_commissions($1, $2) AS booked', [
    earnings,
    limit,
  ]);
  return row?.booked as number;
};

it.each([
  ['all of it', 100, 70, undefined, 100, 70],
  ['rounded down', 9, 70, undefined, 9, 6],
  ['nothing of one credit', 1, 70, undefined, 1, 0],
  ['of the base without the fee', 100, 70, 80, 80, 56],
  ['everything', 100, 100, undefined, 100, 100],
  ['nothing', 100, 0, undefined, 100, 0],
])('gives the developer a share: %s', async (_what, price, split, base, earnedBase, share) => {
  const id = await earning(1_000);
  const charged = charge(price, split, base === undefined ? {} : { base });
  expect(await test.ledger.debit(id, charged)).toMatchObject({ outcome: 'done', share });
  expect((await test.listBookings(id)).at(-1)).toMatchObject({ earned_base: String(earnedBase), share: String(share) });
});

it('gives no share of credits that were given for nothing, and of the others in proportion', async () => {
  const id = await test.createFilledWallet(60, { source: 'promo' });
  await test.ledger.credit(id, credit(100, { earns: true }));
  expect(await test.ledger.debit(id, charge(50, 70))).toMatchObject({ share: 0 });
  // 10 of 40 credits earn nothing, so 30 / 40 of the base of 20 earns.
  expect(await test.ledger.debit(id, charge(40, 70, { base: 20 }))).toMatchObject({ share: 10 });
  expect((await test.listBookings(id)).at(-1)).toMatchObject({ earned_base: '15', share: '10' });
  expect(await test.query('SELECT seq FROM commission_due WHERE developer_id = $1', [developer])).toEqual([
    { seq: '4' },
  ]);
});

it('refuses a base beyond the price', async () => {
  const id = await earning(1_000);
  await expect(test.ledger.debit(id, charge(10, 70, { base: 20 }))).rejects.toThrow('ledger_entries_share_check');
});

it('books each share once, an entry for each app and a sum for each function and day', async () => {
  const id = await earning(1_000);
  await test.ledger.debit(id, charge(10, 70, { function: 'one' }));
  await test.ledger.debit(id, charge(10, 70, { function: 'one' }));
  await test.ledger.debit(id, charge(10, 70, { function: 'two' }));
  await test.ledger.debit(id, charge(100, 50, { appId: 'other' }));
  await test.ledger.debit(id, charge(1, 70, { appId: 'tiny' }));
  expect(await book()).toBe(5);
  expect(await book()).toBe(0);
  expect(await test.listHistory(earnings)).toEqual([
    ['commission', 21],
    ['commission', 50],
  ]);
  expect((await test.readWallet(earnings)).lots).toEqual([
    { source: 'commission', priority: LOT_PRIORITIES.commission, expires_at: null, earns: false, amount: 71 },
  ]);
  const days = await test.query(
    'SELECT app_id, function, calls, earned_base::int, share::int FROM earnings_by_day WHERE developer_id = $1 ORDER BY 1, 2',
    [developer],
  );
  expect(days).toEqual([
    { app_id: 'app', function: 'one', calls: 2, earned_base: 20, share: 14 },
    { app_id: 'app', function: 'two', calls: 1, earned_base: 10, share: 7 },
    { app_id: 'other', function: '', calls: 1, earned_base: 100, share: 50 },
    { app_id: 'tiny', function: '', calls: 1, earned_base: 1, share: 0 },
  ]);
});

it('books each share once when many book at once, while calls go on', async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, () => earning(10_000)));
  const calls = Array.from({ length: 200 }, (_none, n) => test.ledger.debit(ids[n % 4] as string, charge(10, 70)));
  const bookings = Array.from({ length: 20 }, () => book(30));
  await Promise.all([...calls, ...bookings]);
  while (await book(30));
  expect(await test.readWallet(earnings)).toMatchObject({ balance: '1400' });
  expect(await test.query('SELECT FROM commission_due WHERE developer_id = $1', [developer])).toEqual([]);
});

it('books all that is due before it says so, also where it had stopped midway, and while another call is at it', async () => {
  const logger = { error: jest.fn() };
  const commissions = new CommissionsService(test.dataSource, test.wallets, logger as unknown as Logger);
  const id = await earning(1_000);
  const due = () => test.query('SELECT FROM commission_due WHERE developer_id = $1', [developer]);
  expect(await commissions.bookDueShares()).toBe(true); // books shares of earlier tests, so that only this developer has shares due
  await test.ledger.debit(id, charge(10, 70));
  expect(await commissions.bookDueShares(0)).toBe(false); // the next booking begins after this developer
  await test.ledger.debit(id, charge(10, 70));
  expect(await commissions.bookDueShares()).toBe(true);
  expect(await due()).toEqual([]);
  await test.ledger.debit(id, charge(10, 70));
  const lock = await HeldLock.acquire(test, 'SELECT FROM wallets WHERE id = $1 FOR UPDATE', [earnings]);
  const both = [commissions.bookDueShares()];
  await lock.waitForBlocked(1);
  both.push(commissions.bookDueShares());
  await lock.waitForBlocked(2); // the second call also waits for this developer instead of skipping
  await lock.release();
  expect(await Promise.all(both)).toEqual([true, true]);
  expect(await due()).toEqual([]);
  expect(logger.error).not.toHaveBeenCalled();
});

it('books nothing into a wallet that is not for earnings', async () => {
  const id = await test.createWallet();
  await expect(test.query('SELECT ledger_book_commissions($1, 1)', [id])).rejects.toThrow('takes no commissions');
});

it('left a ledger in which everything adds up', async () => {
  expect(await test.verifyLedger()).toMatchObject({ problems: 0, lines: [] });
});
