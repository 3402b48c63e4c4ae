import { CommissionsService, removeTestCredits, LedgerService, WalletsRepository } from '@platform/billing';
import type { CheckoutResponse, EarningsResponse, PayoutResponse, TopUpResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import { DataSource } from 'typeorm';
import { chargeCalls } from '../../../testing/charges.js';
import { newDeveloper, type TestDeveloper } from '../../../testing/developers.js';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';
import { createTenant } from '../../../testing/tenants.js';
import { giveCredits, ledgerProblems } from '../../../testing/wallets.js';
import { LiveKeyCheckService } from './live-key-check.service.js';

const LIVE = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' };
const COMMAND = 'npm run billing:forget-test-credits';

let test: GatewayWithPayments;
let dataSource: DataSource;
beforeAll(async () => {
  test = await GatewayWithPayments.start();
  dataSource = test.gateway.service.app.get(DataSource);
});
afterEach(async () => {
  expect(await ledgerProblems(test.gateway)).toEqual([]);
});
afterAll(() => test.stop());

const startLive = () => new LiveKeyCheckService(dataSource, { isLive: true }).onModuleInit();
const forget = () => removeTestCredits(dataSource);
const walletOf = (userId: string) => test.gateway.service.app.get(WalletsRepository).ensureWallet(userId);
const lotsOf = async (userId: string): Promise<[string, number][]> => {
  const [row] = await test.gateway.service.query<{ lots: { source: string; amount: number }[] }>(
    "SELECT lots FROM wallets WHERE user_id = $1 AND kind = 'user'",
    [userId],
  );
  return (row?.lots ?? []).map(({ source, amount }) => [source, amount]);
};
const earningsOf = async ({ client }: TestDeveloper) =>
  (await client.get<EarningsResponse>('/v1/developer/earnings')).body;

/** A user with 10,000 credits bought with a test card. */
async function buyer(tenantId?: string): Promise<string> {
  const { id } = await test.gateway.user(tenantId === undefined ? {} : { tenant_id: tenantId });
  const { body } = await test.gateway
    .actingFor(id)
    .post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
  await test.pay(body.payment_intent_id, body.client_secret);
  await test.settled();
  return id;
}
/** A call that the user pays; the developer gets the whole price. */
const call = async (userId: string, developer: TestDeveloper, price: number): Promise<void> =>
  chargeCalls(test.gateway, await walletOf(userId), {
    developerId: developer.user.id,
    appId: 'an-app',
    price,
    split: 100,
  });

it('of test payments keep a gateway with a live key from starting, until the command has taken them and what was earned by them', async () => {
  const developer = await newDeveloper(test.gateway, 'indie');
  const { id: tenantId } = await createTenant(test.gateway.backend());
  const users = [await buyer(), await buyer(tenantId)];
  for (const id of users) await call(id, developer, 4_000);
  await test.gateway.service.app.get(CommissionsService).bookDueShares();
  await call(users[0] as string, developer, 1_000); // not booked yet
  expect(await earningsOf(developer)).toMatchObject({ total_earnings: 9_000, available: 9_000 });
  await expect(test.gateway.startSecondProcess(LIVE)).rejects.toThrow(COMMAND);
  await new LiveKeyCheckService(dataSource, { isLive: false }).onModuleInit();
  expect(await forget()).toEqual({ payments: 2, credits: 11_000, shares: 9_000, left: [] });
  for (const id of users) expect((await lotsOf(id)).filter(([source]) => source === 'topup')).toEqual([]);
  expect(await earningsOf(developer)).toEqual({
    ...{ total_earnings: 0, total_platform_share: 0, pending_payout: 0, paid_out: 0, available: 0 },
  });
  const live = await test.gateway.startSecondProcess(LIVE);
  await live.stop();
  expect(await forget()).toEqual({ payments: 0, credits: 0, shares: 0, left: [] });
});

it('go without those that an administrator gave, and without what was earned by these', async () => {
  const developer = await newDeveloper(test.gateway, 'indie');
  const id = await buyer();
  await giveCredits(test.gateway, id, 4_000, { earns: true });
  await call(id, developer, 10_000); // given credits are spent first
  const other = await test.gateway.user();
  await giveCredits(test.gateway, other.id, 3_000, { earns: true });
  await call(other.id, developer, 1_000);
  expect(await forget()).toEqual({ payments: 1, credits: 4_000, shares: 6_000, left: [] });
  expect(await lotsOf(other.id)).toEqual([['adjustment', 2_000]]);
  expect(await earningsOf(developer)).toMatchObject({ total_earnings: 5_000, available: 5_000 });
});

it('are taken once by two commands at once', async () => {
  const developer = await newDeveloper(test.gateway, 'indie');
  const id = await buyer();
  await call(id, developer, 4_000);
  await Promise.all([forget(), forget(), forget()]);
  expect((await lotsOf(id)).filter(([source]) => source === 'topup')).toEqual([]);
  expect(await earningsOf(developer)).toMatchObject({ total_earnings: 0, available: 0 });
  await startLive();
});

it('wait for calls that hold some, and for payouts of what was earned by them', async () => {
  const developer = await newDeveloper(test.gateway, 'indie');
  const id = await buyer();
  await call(id, developer, 10_000);
  const { body: payout } = await developer.client.post<PayoutResponse>('/v1/developer/payouts', { amount: 10_000 });
  const holder = await buyer();
  const walletId = await walletOf(holder);
  const hold = { id: newId('hold'), amount: 10_000, seconds: 900 };
  const ledger = test.gateway.service.app.get(LedgerService);
  expect((await ledger.reserve(walletId, hold)).outcome).toBe('done');
  const first = await forget();
  expect(first).toMatchObject({ payments: 0, credits: 0, shares: 0 });
  expect(first.left).toEqual([
    `Wallet ${walletId}: 10000 credits are reserved for calls. They are available again within 15 minutes.`,
    `Payout ${payout.id} of ${developer.user.id} contains earnings from test payments. Reject it first.`,
  ]);
  await expect(startLive()).rejects.toThrow(COMMAND);
  await ledger.release(walletId, hold.id);
  const admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
  expect((await admin.post(`/v1/admin/payouts/${payout.id}/reject`, {})).status).toBe(200);
  expect(await forget()).toEqual({ payments: 2, credits: 10_000, shares: 10_000, left: [] });
  await startLive();
});

it('leave nothing of a share of which a payout in tests has paid a part', async () => {
  const developer = await newDeveloper(test.gateway, 'indie');
  for (const id of [await buyer(), await buyer()]) await call(id, developer, 9_000);
  await test.gateway.service.app.get(CommissionsService).bookDueShares();
  const { body: payout } = await developer.client.post<PayoutResponse>('/v1/developer/payouts/request', {
    amount_tokens: 10_000,
  });
  const admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
  // While the payout can be rejected, only whole shares are taken.
  expect((await forget()).left).toEqual([expect.stringContaining(`Payout ${payout.id}`)]);
  expect(await earningsOf(developer)).toMatchObject({ available: 8_000 });
  for (const [decision, body] of Object.entries({ approve: {}, paid: { reference: 'test' } }))
    expect((await admin.post(`/v1/admin/payouts/${payout.id}/${decision}`, body)).status).toBe(200);
  expect(await forget()).toMatchObject({ shares: 8_000, left: [] });
  expect(await earningsOf(developer)).toMatchObject({ available: 0 });
  await startLive();
});

it('leave what was paid with real money beside them', async () => {
  const developer = await newDeveloper(test.gateway, 'indie');
  const id = await buyer();
  await call(id, developer, 5_000);
  const real = newId('pay');
  await test.gateway.service.query(
    `INSERT INTO payments (id, tenant_id, user_id, purpose, scope, status, amount_cents, currency, credits, is_live, provider_intent_id, completed_at)
     VALUES ($1, 'default', $2, 'topup', $1, 'succeeded', 500, 'usd', 5000, true, $1, now())`,
    [real, id],
  );
  await giveCredits(test.gateway, id, 5_000, { key: `topup:${real}`, kind: 'topup', source: 'topup', earns: true });
  await call(id, developer, 2_000);
  expect(await forget()).toEqual({ payments: 1, credits: 3_000, shares: 5_000, left: [] });
  expect(await lotsOf(id)).toEqual([['topup', 5_000]]);
  expect(await earningsOf(developer)).toMatchObject({ total_earnings: 2_000, available: 2_000 });
});

it('of plans that were renewed in tests are taken, and those of a month that was paid with real money stay', async () => {
  const subscriber = async () => {
    const { id } = await test.gateway.user();
    const { body } = await test.gateway
      .actingFor(id)
      .post<CheckoutResponse>('/v1/billing/checkout', { plan_id: 'pro' });
    await test.pay(body.payment_intent_id, body.client_secret);
    await test.settled();
    return id;
  };
  const renewal = (id: string, isLive: boolean) =>
    test.gateway.service.query(
      `INSERT INTO payments (id, tenant_id, user_id, purpose, scope, status, amount_cents, currency, credits, is_live, provider_intent_id, completed_at,
         subscription_id, plan_id, plan_version, period_number)
       SELECT $1, tenant_id, user_id, 'renewal', $1, 'succeeded', amount_cents, currency, 0, $3, $1, now(), subscription_id, plan_id, plan_version, 2
       FROM payments WHERE user_id = $2 AND purpose = 'checkout'`,
      [newId('pay'), id, isLive],
    );
  /** Credits of paid plans, which earn; credits of the free plan do not. */
  const planCredits = async (userId: string): Promise<number> => {
    const [row] = await test.gateway.service.query<{ sum: number }>(
      `SELECT coalesce(sum((lot ->> 'amount')::int), 0)::int AS sum FROM wallets w, jsonb_array_elements(w.lots) AS lot
       WHERE w.user_id = $1 AND w.kind = 'user' AND lot ->> 'source' = 'plan' AND (lot ->> 'earns')::boolean`,
      [userId],
    );
    return row?.sum ?? 0;
  };
  /** Gives the credits of the plan's second month, as a renewal does. */
  const grantMonth = async (id: string, amount: number) => {
    const [{ ref } = { ref: '' }] = await test.gateway.service.query<{ ref: string }>(
      "SELECT subscription_id AS ref FROM payments WHERE user_id = $1 AND purpose = 'checkout'",
      [id],
    );
    await giveCredits(test.gateway, id, amount, {
      key: `grant:${ref}:2`,
      ref,
      kind: 'subscription_grant',
      source: 'plan',
      earns: true,
    });
  };
  const [tested, real] = [await subscriber(), await subscriber()];
  const granted = await planCredits(tested);
  expect(granted).toBeGreaterThan(0);
  await forget();
  expect([await planCredits(tested), await planCredits(real)]).toEqual([0, 0]);
  await startLive();
  await renewal(tested, false);
  await renewal(real, true);
  for (const id of [tested, real]) await grantMonth(id, granted);
  await expect(startLive()).rejects.toThrow(COMMAND);
  await forget();
  expect([await planCredits(tested), await planCredits(real)]).toEqual([0, granted]);
  await startLive();
});
