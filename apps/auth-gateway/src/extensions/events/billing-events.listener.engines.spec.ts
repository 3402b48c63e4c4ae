import type { CheckoutResponse, TopUpResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import type { TestClient } from '@platform/testing';
import { RenewalsWorker } from '../../billing/subscriptions/renewals.worker.js';
import { GatewayWithPayments } from '../../testing/gateway-with-payments.js';
import type { TestUser } from '../../testing/gateway-test.js';

let test: GatewayWithPayments;
let user: TestUser;
let client: TestClient;
beforeAll(async () => {
  test = await GatewayWithPayments.start({ WORKERS: 'inline' });
});
beforeEach(async () => {
  await test.setTime('2031-01-31T12:00:00Z');
  user = await test.gateway.user();
  client = await test.gateway.signIn(user);
});
afterAll(() => test.stop());

const renewAll = () => test.gateway.service.app.get(RenewalsWorker).renewDueSubscriptions();
/**
 * Takes all events, in order, as type and payload; deletes them, so that the next call returns only
 * new ones.
 */
async function events({ ofPayments = false, ofStream = false } = {}): Promise<[string, unknown][]> {
  const told = await test.gateway.service.query<{ id: string; type: string; payload: unknown }>(
    `SELECT id, type, payload FROM platform_events WHERE user_id = $1 AND source = 'platform' AND source_type = 'billing'
     AND (type = 'billing.payment_changed') = $2
     AND (type IN ('billing.subscription_changed', 'billing.refund_changed', 'billing.dispute_changed')) = $3 ORDER BY created_at, type`,
    [user.id, ofPayments, ofStream],
  );
  await test.gateway.service.query('DELETE FROM platform_events WHERE id = ANY ($1)', [told.map(({ id }) => id)]);
  return told.map(({ type, payload }) => [type, payload]);
}

async function subscribe(): Promise<void> {
  const { body } = await client.post<CheckoutResponse>('/v1/billing/checkout', { plan_id: 'pro' });
  await test.pay(body.payment_intent_id, body.client_secret);
  await test.settled();
}

it('a top-up that is begun is told once, however often it is asked for', async () => {
  const key = newId('key');
  const begin = () =>
    client
      .withHeaders({ 'Idempotency-Key': key })
      .post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
  const { body } = await begin();
  await begin();
  await test.pay(body.payment_intent_id, body.client_secret);
  await test.settled();
  expect(await events()).toEqual([['billing.topup_initiated', { credits: 10_000, is_automatic: false }]]);
  const payment = { purpose: 'topup', amount_cents: 1_000, currency: 'usd', failure_code: null };
  expect(await events({ ofPayments: true })).toMatchObject([
    ['billing.payment_changed', { ...payment, status: 'open' }],
    ['billing.payment_changed', { ...payment, status: 'succeeded' }],
  ]);
});

it('plans are told when they begin, change, are canceled and end, and not when they are renewed', async () => {
  const began = { previous_plan: 'free', plan: 'pro' };
  await subscribe();
  expect(await events()).toEqual([['billing.plan_changed', began]]);
  await client.post('/v1/billing/change-plan', { plan_id: 'business' });
  await test.settled();
  expect(await events()).toEqual([['billing.plan_changed', { previous_plan: 'pro', plan: 'business' }]]);
  await test.setTime('2031-02-28T12:01:00Z');
  await renewAll();
  await test.settled();
  expect(await events()).toEqual([]);
  await client.post('/v1/billing/change-plan', { plan_id: 'pro' });
  expect(await events()).toEqual([]);
  await test.setTime('2031-03-31T12:01:00Z');
  await renewAll();
  await test.settled();
  expect(await events()).toEqual([['billing.plan_changed', { previous_plan: 'business', plan: 'pro' }]]);
  for (let again = 0; again < 2; again++) await client.post('/v1/billing/cancel');
  expect(await events()).toEqual([
    ['billing.subscription_cancelled', { plan: 'pro', ends_at: expect.stringMatching(/^2031-04-30T12:00:/) }],
  ]);
  await client.post('/v1/billing/resume');
  expect(await events()).toEqual([]);
  await client.post('/v1/billing/cancel');
  await test.setTime('2031-04-30T12:01:00Z');
  await renewAll();
  expect(await events()).toEqual([
    ['billing.subscription_cancelled', { plan: 'pro', ends_at: expect.stringMatching(/^2031-04-30T12:00:/) }],
    ['billing.plan_changed', { previous_plan: 'pro', plan: 'free' }],
  ]);
});

it('a payment that fails tells of no other plan', async () => {
  const { body } = await client.post<CheckoutResponse>('/v1/billing/checkout', { plan_id: 'pro' });
  await test.pay(body.payment_intent_id, body.client_secret, 'pm_card_visa_chargeDeclined');
  await test.settled();
  expect(await events()).toEqual([]);
});

it('a plan that goes on, becomes smaller, is not paid and ends so is told to those who follow', async () => {
  const changed = (change: string, plan = 'pro', next_plan: string | null = null) => [
    'billing.subscription_changed',
    { plan, change, next_plan },
  ];
  await subscribe();
  await client.post('/v1/billing/cancel');
  for (let again = 0; again < 2; again++) await client.post('/v1/billing/resume');
  expect(await events({ ofStream: true })).toEqual([changed('resumed')]);
  await client.post('/v1/billing/change-plan', { plan_id: 'starter' });
  expect(await events({ ofStream: true })).toEqual([changed('change_scheduled', 'pro', 'starter')]);
  await test.gateway.service.query('DELETE FROM payment_methods WHERE user_id = $1', [user.id]);
  await test.setTime('2031-02-28T12:01:00Z');
  await renewAll();
  await test.settled();
  expect(await events({ ofStream: true })).toEqual([changed('payment_due', expect.any(String) as unknown as string)]);
  await test.setTime('2031-03-08T12:01:00Z');
  await renewAll();
  await test.settled();
  expect(await events({ ofStream: true })).toContainEqual(
    changed('ended_unpaid', expect.any(String) as unknown as string),
  );
});

it('refunds and disputes are told to those who follow, each status once', async () => {
  const { body } = await client.post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
  await test.pay(body.payment_intent_id, body.client_secret);
  await test.settled();
  const asked = { amount_cents: 400, note: 'Asked for' };
  expect((await test.gateway.backend().post(`/v1/admin/payments/${body.payment_intent_id}/refund`, asked)).status).toBe(
    200,
  );
  await test.settled();
  const charge = test.stripe.state.find('payment_intent', body.payment_intent_id)?.latest_charge as string;
  const dispute = test.stripe.openDispute(charge, { amount: 600 });
  await test.settled();
  test.stripe.closeDispute(dispute.id, 'won');
  await test.settled();
  const of = (amount_cents: number) => ({ payment_id: expect.stringMatching(/^pay_/), amount_cents, currency: 'usd' });
  const refund = (status: string) => ['billing.refund_changed', { refund_id: expect.any(String), status, ...of(400) }];
  const disputed = (status: string) => [
    'billing.dispute_changed',
    { dispute_id: expect.any(String), status, ...of(600) },
  ];
  expect(await events({ ofStream: true })).toEqual([refund('succeeded'), disputed('needs_response'), disputed('won')]);
});
