import { BillingDatabase } from '../testing/billing-database.js';
import { credit, debit } from '../testing/ledger-test.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { WalletsRepository } from '../ledger/wallets.repository.js';
import { AppSubscriptionsRepository } from './app-subscriptions.repository.js';

let test: BillingDatabase;
beforeAll(async () => (test = await BillingDatabase.start()));
afterAll(() => test.stop());

/**
 * The test server is in Auckland, where each first day is one day later and three of the months
 * have an hour more or less.
 */
it.each([
  ['2031-01-30T12:00:00Z', '2031-02-28T12:00:00Z'],
  ['2031-03-15T12:00:00Z', '2031-04-15T12:00:00Z'],
  ['2031-09-10T00:30:00Z', '2031-10-10T00:30:00Z'],
  ['2032-01-31T23:59:00Z', '2032-02-29T23:59:00Z'],
])('a month that is paid at %s ends at %s', async (paidAt, endsAt) => {
  const ledger = new LedgerService(test.dataSource);
  const wallets = new WalletsRepository(test.dataSource, ledger);
  const subscriptions = new AppSubscriptionsRepository(test.dataSource);
  const userId = await test.createUser();
  const isPaid = async () => (await subscriptions.getMonthState(userId, 'notes', null)).isPaid;
  await test.setTime(paidAt);
  const walletId = await wallets.ensureWallet(userId, 'user');
  await ledger.credit(walletId, credit(500));
  await ledger.debit(walletId, debit(500, { kind: 'app_subscription', charged: { appId: 'notes' } }));
  const [entry] = await test.query<{ at: Date }>(
    "SELECT at FROM ledger_entries WHERE wallet_id = $1 AND kind = 'app_subscription'",
    [walletId],
  );
  const late = (entry?.at.getTime() ?? NaN) - Date.parse(paidAt); // the ledger's clock continues
  const around = (ms: number) => new Date(Date.parse(endsAt) + late + ms).toISOString();
  await test.setTime(around(-60_000));
  expect(await isPaid()).toBe(true);
  await test.setTime(around(1_000)); // PostgreSQL has microseconds, a Date has not
  expect(await isPaid()).toBe(false);
});
