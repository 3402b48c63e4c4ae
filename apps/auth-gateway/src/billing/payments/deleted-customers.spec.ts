import {
  AutoTopUpPurchasesService,
  LedgerService,
  PaymentProvider,
  PaymentSweepService,
  RefundsService,
} from '@platform/billing';
import type {
  AutoTopUpSettings,
  CheckoutResponse,
  PaymentHistoryItem,
  PaymentMethodItem,
  PortalSessionResponse,
  SetupResponse,
  SubscriptionResponse,
  TopUpResponse,
  WalletResponse,
} from '@platform/contracts';
import { newId } from '@platform/platform';
import { STRIPE_SECRET_KEY, type TestClient } from '@platform/testing';
import { GatewayWithPayments } from '../../testing/gateway-with-payments.js';
import { RenewalsWorker } from '../subscriptions/renewals.worker.js';
import { AutoTopUpWorker } from './auto-topup/auto-topup.worker.js';

let test: GatewayWithPayments;
let client: TestClient;
let userId: string;
/** The tests run the sweep themselves. */
jest.spyOn(AutoTopUpWorker.prototype, 'startDueTopUps').mockResolvedValue();
beforeAll(async () => {
  test = await GatewayWithPayments.start({ WORKERS: 'inline' });
});
beforeEach(async () => {
  test.stripe.webhooks.settings.copies = 1;
  await test.setTime('2031-01-31T12:00:00Z');
  await test.gateway.service.query("UPDATE subscriptions SET status = 'canceled' WHERE plan_id <> 'free'");
  const user = await test.gateway.user();
  userId = user.id;
  client = await test.gateway.signIn(user);
});
afterAll(() => test.stop());

const PATH = '/v1/billing';
const fresh = (): TestClient => client.withHeaders({ 'Idempotency-Key': newId('key') });
const topup = (by = fresh(), more: object = {}) =>
  by.post<TopUpResponse>(`${PATH}/topup`, { tokens: 10_000, price_cents: 1_000, ...more });
const checkout = (by = fresh()) => by.post<CheckoutResponse>(`${PATH}/checkout`, { plan_id: 'pro' });
const setup = (by = fresh()) => by.post<SetupResponse>(`${PATH}/payment-methods/setup`);
const portal = () => client.post<PortalSessionResponse>(`${PATH}/portal`);
const cards = async () => (await client.get<PaymentMethodItem[]>(`${PATH}/payment-methods`)).body;
const payments = async () => (await client.get<PaymentHistoryItem[]>(`${PATH}/payments`)).body;
const subscription = async () => (await client.get<SubscriptionResponse>(`${PATH}/subscription`)).body;
const balance = async () => (await client.get<WalletResponse>(`${PATH}/wallet`)).body.balance;
const rows = <Row = Record<string, unknown>>(sql: string) => test.gateway.service.query<Row>(sql, [userId]);
const sweepPayments = () =>
  test.gateway.service.app.get(PaymentSweepService).checkDuePayments({ since: new Date(Date.now() + 60_000) });

/** The user's customers at the provider. */
const customers = (): string[] =>
  test.stripe.state
    .list('customer')
    .filter((one) => !one.deleted && one.metadata['user_id'] === userId)
    .map(({ id }) => id);
const customerOf = (): string => customers()[0] ?? '';

async function request(method: string, path: string): Promise<number> {
  return (
    await fetch(`${test.stripe.url}/v1/${path}`, { method, headers: { Authorization: `Bearer ${STRIPE_SECRET_KEY}` } })
  ).status;
}

async function buy(begun: Promise<{ body: TopUpResponse | CheckoutResponse }>, card = 'pm_card_visa'): Promise<string> {
  const { body } = await begun;
  expect(await test.pay(body.payment_intent_id, body.client_secret, card)).toBe('succeeded');
  await test.settled();
  return body.payment_intent_id;
}

/** The gateway is not notified. */
const GONE: Record<string, () => Promise<void>> = {
  'was deleted': async () => expect(await request('DELETE', `customers/${customerOf()}`)).toBe(200),
  'is gone with all test data': () => {
    test.stripe.deleteAllData();
    return Promise.resolve();
  },
};
async function lose(way: string): Promise<void> {
  await test.stopWebhooks();
  await GONE[way]?.();
  test.stripe.webhooks.settings.copies = 1;
}

describe.each(Object.keys(GONE))('a customer who %s', (way) => {
  it.each<[string, () => Promise<{ status: number }>]>([
    ['a top-up', () => topup()],
    ['a checkout', () => checkout()],
    ['a card to save', () => setup()],
    ['the portal', () => portal()],
  ])('is made anew for %s, once, and their cards are gone', async (_what, ask) => {
    await test.replaceCard(userId, 'pm_card_visa');
    await buy(topup());
    await lose(way);
    const answers = await Promise.all([ask(), ask()]);
    // A top-up or a checkout can replace another one that comes at the same time.
    expect(answers.map(({ status }) => status).filter((status) => ![200, 409].includes(status))).toEqual([]);
    expect((await ask()).status).toBe(200);
    expect(customers()).toHaveLength(1);
    expect(await cards()).toEqual([]);
    await test.replaceCard(userId, 'pm_card_mastercard');
    expect(await cards()).toMatchObject([{ brand: 'mastercard', is_default: true }]);
    expect(await topup(fresh(), { off_session: true })).toMatchObject({ status: 200, body: { succeeded: true } });
    expect(customers()).toHaveLength(1);
  });

  it('is not told of a billing profile, and the next one is made with it', async () => {
    await setup();
    await lose(way);
    expect((await client.put(`${PATH}/profile`, { name: 'Ada Lovelace', country: 'GB' })).status).toBe(200);
    await test.settled();
    expect(await rows("SELECT FROM outbox WHERE queue = 'payments' AND payload ->> 'user_id' = $1")).toEqual([]);
    await setup();
    expect(test.stripe.state.find('customer', customerOf())).toMatchObject({ name: 'Ada Lovelace' });
  });

  it('leaves nothing that a chosen card could pay with', async () => {
    await test.replaceCard(userId, 'pm_card_visa');
    const [card] = await cards();
    await lose(way);
    expect((await client.put(`${PATH}/payment-methods/${card?.id}/default`)).status).toBe(404);
    expect(await cards()).toEqual([]);
  });

  it('leaves a plan as without a card: it is paid with the next one', async () => {
    await buy(checkout());
    await lose(way);
    await test.setTime('2031-02-28T12:01:00Z');
    await test.gateway.service.app.get(RenewalsWorker).renewDueSubscriptions();
    await test.settled();
    expect(await subscription()).toMatchObject({ status: 'past_due' });
    expect(await cards()).toEqual([]);
    await test.replaceCard(userId, 'pm_card_visa');
    expect((await client.post(`${PATH}/renew`)).status).toBe(200);
    expect(await subscription()).toMatchObject({ status: 'active' });
  });

  it('leaves automatic top-ups as without a card: stopped until the user enables them with another one', async () => {
    await test.replaceCard(userId, 'pm_card_visa');
    await buy(topup());
    expect((await client.put(`${PATH}/auto-topup`, { enabled: true })).status).toBe(200);
    await lose(way);
    const [wallet] = await rows<{ id: string; balance: number }>(
      "SELECT id, balance::int FROM wallets WHERE user_id = $1 AND kind = 'user'",
    );
    const amount = wallet?.balance ?? 0;
    await test.gateway.service.app
      .get(LedgerService)
      .debit(wallet?.id ?? '', { key: newId('spent'), amount, kind: 'call_charge' });
    await test.gateway.service.app.get(AutoTopUpPurchasesService).buyForLowBalances();
    await test.settled();
    const { body } = await client.get<AutoTopUpSettings>(`${PATH}/auto-topup`);
    expect(body).toMatchObject({ enabled: false, stopped_reason: 'card_removed', paused_until: null });
    expect(await rows("SELECT status FROM payments WHERE user_id = $1 AND purpose = 'auto_topup'")).toEqual([
      { status: 'canceled' },
    ]);
  });

  it('is replaced in a checkout that was begun before', async () => {
    const before = await checkout();
    await lose(way);
    const after = await checkout();
    expect([before.status, after.status]).toEqual([200, 200]);
    expect(after.body.payment_intent_id).not.toBe(before.body.payment_intent_id);
    await buy(Promise.resolve(after));
    expect(await subscription()).toMatchObject({ plan: 'pro', status: 'active' });
  });

  it('is erased with its user', async () => {
    await buy(topup());
    await lose(way);
    await setup();
    const admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
    expect((await admin.delete(`/v1/users/${userId}?permanent=true`)).status).toBeLessThan(300);
    await test.settled();
    expect(customers()).toEqual([]);
    expect(await rows('SELECT FROM billing_customers WHERE user_id = $1')).toEqual([]);
    expect(await rows('SELECT FROM former_billing_customers WHERE user_id = $1')).toEqual([]);
  });
});

it('an event that a customer was deleted forgets its cards, and again changes nothing', async () => {
  await test.replaceCard(userId, 'pm_card_visa');
  const id = customerOf();
  await request('DELETE', `customers/${id}`);
  await test.settled();
  expect(await cards()).toEqual([]);
  await setup();
  const event = test.stripe.state
    .list('event')
    .find(({ type, data }) => type === 'customer.deleted' && (data.object as { id: string }).id === id);
  const again = { ...event, id: newId('evt') } as NonNullable<typeof event>;
  test.stripe.state.put('event', again);
  test.stripe.redeliver(again.id);
  await test.settled();
  expect(customers()).toHaveLength(1);
  await test.replaceCard(userId, 'pm_card_visa');
  expect(await cards()).toHaveLength(1);
});

it('an event that tells of a customer who is there changes nothing', async () => {
  await test.replaceCard(userId, 'pm_card_visa');
  const object = test.stripe.state.find('customer', customerOf());
  test.stripe.webhooks.emit('customer.deleted', object as object);
  await test.settled();
  expect(await cards()).toHaveLength(1);
  expect(customers()).toHaveLength(1);
});

it('what was paid with a former customer is still given, refunded and disputed', async () => {
  const paid = await buy(topup());
  const late = (await topup()).body;
  const before = await balance();
  await lose('was deleted');
  await setup();
  await test.stripe.createObject('refunds', { payment_intent: paid, amount: '500' });
  await test.settled();
  expect(await payments()).toContainEqual(expect.objectContaining({ refunded_cents: 500 }));
  expect(await balance()).toBe(before - 5_000);
  const charge = test.stripe.state.list('charge').find(({ payment_intent }) => payment_intent === paid);
  test.stripe.openDispute(charge?.id ?? '', { amount: 500 });
  await test.settled();
  expect(await balance()).toBe(before - 10_000);
  // A payment that was started before is canceled.
  expect(await test.pay(late.payment_intent_id, late.client_secret)).toBe('payment_intent_unexpected_state');
});

it('a payment whose answer was lost is found with a former customer, and is not made twice', async () => {
  await test.replaceCard(userId, 'pm_card_visa');
  const key = client.withHeaders({ 'Idempotency-Key': newId('key') });
  await test.stopWebhooks();
  test.stripe.planFault(/^POST \/v1\/payment_intents$/, { kind: 'lost_after' }, 3);
  expect((await topup(key, { off_session: true })).status).toBe(503);
  await test.waitForCircuit();
  await request('DELETE', `customers/${customerOf()}`);
  await setup();
  await sweepPayments();
  expect(await payments()).toMatchObject([{ status: 'succeeded', tokens: 10_000 }]);
  expect(
    test.stripe.state.list('payment_intent').filter(({ metadata }) => metadata['user_id'] === userId),
  ).toHaveLength(1);
});

it('a payment that the provider has no more is over, and holds nothing up', async () => {
  const { body } = await topup();
  await lose('is gone with all test data');
  await sweepPayments();
  expect(await rows("SELECT status FROM payments WHERE user_id = $1 AND status IN ('open', 'canceling')")).toEqual([]);
  expect(await test.pay(body.payment_intent_id, body.client_secret)).not.toBe('succeeded');
});

it('a card that the provider has taken away from its customer is gone when it is to pay', async () => {
  await test.replaceCard(userId, 'pm_card_visa');
  const [card] = await cards();
  await test.stopWebhooks();
  expect(await request('POST', `payment_methods/${card?.id}/detach`)).toBe(200);
  const { status } = await topup(fresh(), { off_session: true });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(await cards()).toEqual([]);
});

it('a payment in a browser whose answer was lost, and whose customer went, is given up when its request comes again', async () => {
  const key = client.withHeaders({ 'Idempotency-Key': newId('key') });
  await test.stopWebhooks();
  test.stripe.planFault(/^POST \/v1\/payment_intents$/, { kind: 'lost_after' }, 3);
  expect((await topup(key)).status).toBe(503);
  await test.waitForCircuit();
  await request('DELETE', `customers/${customerOf()}`);
  await setup();
  expect(await topup(key)).toMatchObject({ status: 409, body: { code: 'payment.replaced' } });
  expect(await topup()).toMatchObject({ status: 200 });
  await sweepPayments();
  expect(await payments()).toMatchObject([{ status: 'pending' }, { status: 'failed' }]);
});

it('a customer who was kept as a former one already is replaced', async () => {
  await setup();
  await test.gateway.service.query(
    `INSERT INTO former_billing_customers (provider_customer_id, user_id, tenant_id, is_live)
     SELECT provider_customer_id, user_id, tenant_id, is_live FROM billing_customers WHERE user_id = $1`,
    [userId],
  );
  await lose('was deleted');
  expect((await topup()).status).toBe(200);
  expect(customers()).toHaveLength(1);
});

it('a refund that the bank has not made yet stays so while the key of the other mode does not see it', async () => {
  const intentId = await buy(topup());
  const id = newId('refund');
  await test.gateway.service.query(
    `INSERT INTO payment_refunds (id, tenant_id, payment_id, number, amount_cents, reason, status, provider_refund_id)
     SELECT $1, tenant_id, id, 1, 500, 'requested', 'pending', 're_of_another_account' FROM payments WHERE provider_intent_id = $2`,
    [id, intentId],
  );
  const { app } = test.gateway.service;
  const status = async () => (await app.get(RefundsService).submitRefund(id))?.status;
  const mode = jest.replaceProperty(app.get(PaymentProvider), 'isLive', true);
  expect(await status()).toBe('pending');
  mode.restore();
  expect(await status()).toBe('failed');
});
