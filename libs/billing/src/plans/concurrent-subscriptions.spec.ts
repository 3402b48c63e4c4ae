import { newId } from '@platform/platform';
import { HeldLock } from '@platform/testing';
import { LedgerService } from '../ledger/ledger.service.js';
import { WalletsRepository } from '../ledger/wallets.repository.js';
import { BillingDatabase } from '../testing/billing-database.js';
import { PaidSubscriptionsService, type PaidPlan } from './paid-subscriptions.service.js';
import { PlanGrantsService } from './plan-grants.service.js';
import { PlanNoticesService } from './plan-notices.service.js';
import { SubscriptionsService } from './subscriptions.service.js';

let database: BillingDatabase;
let paid: PaidSubscriptionsService;
let subscriptions: SubscriptionsService;
let user: string;
beforeAll(async () => {
  database = await BillingDatabase.start();
  const ledger = new LedgerService(database.dataSource);
  const grants = new PlanGrantsService(ledger, new WalletsRepository(database.dataSource, ledger));
  paid = new PaidSubscriptionsService(database.dataSource, grants, new PlanNoticesService());
  subscriptions = new SubscriptionsService(database.dataSource, grants);
});
beforeEach(async () => {
  user = await database.createUser();
});
afterAll(() => database.stop());

/** Creates a subscription that waits for its first payment. Returns its plan as in that payment. */
async function begun(planId: string): Promise<PaidPlan> {
  const subscriptionId = newId('sub');
  await paid.createDraft(database.dataSource.manager, subscriptionId, user, { id: planId, version: 1 });
  return { paymentId: null, userId: user, subscriptionId, planId, planVersion: 1, periodNumber: 1, paidCents: 900 };
}

/**
 * Creates a subscription that ended unpaid. Returns its plan as in the payment of its next month.
 */
async function expired(planId: string): Promise<PaidPlan> {
  const draft = await begun(planId);
  await database.query("UPDATE subscriptions SET status = 'expired' WHERE id = $1", [draft.subscriptionId]);
  return { ...draft, periodNumber: 2 };
}

const activate = (plan: PaidPlan) => database.dataSource.transaction((em) => paid.activate(em, plan));
const renew = (plan: PaidPlan) => database.dataSource.transaction((em) => paid.renew(em, plan));
const live = () =>
  database.query<{ plan_id: string }>(
    "SELECT plan_id FROM subscriptions WHERE user_id = $1 AND status IN ('active', 'past_due')",
    [user],
  );
const locked = ({ subscriptionId }: PaidPlan) =>
  HeldLock.acquire(database, 'SELECT FROM subscriptions WHERE id = $1 FOR NO KEY UPDATE', [subscriptionId]);

/**
 * Begins `second` after `first` has checked that the user has no other plan, and before `first`
 * gets its plan, which waits for `lock`.
 */
async function inBetween<First, Second>(
  lock: HeldLock,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  const one = first();
  await lock.waitForBlocked(1);
  const other = second();
  await Promise.race([other, lock.waitForBlocked(2)]);
  await lock.release();
  return Promise.all([one, other]);
}

it('gives no free plan while a paid one begins', async () => {
  const plan = await begun('pro');
  const [isActive] = await inBetween(
    await locked(plan),
    () => activate(plan),
    () => subscriptions.ensureFreePlan(user),
  );
  expect([isActive, await live()]).toEqual([true, [{ plan_id: 'pro' }]]);
});

it('begins the first of two plans that are paid at the same time, and says that the second is too many', async () => {
  const plans = [await begun('pro'), await begun('business')] as const;
  const outcomes = await inBetween(
    await locked(plans[0]),
    () => activate(plans[0]),
    () => activate(plans[1]),
  );
  expect([outcomes, await live()]).toEqual([[true, false], [{ plan_id: 'pro' }]]);
});

it('begins an expired plan anew, or another one, and not both', async () => {
  const plan = await begun('pro');
  const lock = await locked(plan);
  const outcomes = await inBetween(
    lock,
    () => activate(plan),
    async () => renew(await expired('starter')),
  );
  expect([outcomes, await live()]).toEqual([[true, false], [{ plan_id: 'pro' }]]);
});
