import type { CheckoutResponse, TopUpResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import type { TestClient } from '@platform/testing';
import { RenewalSweep } from '../../billing/subscriptions/renewal-sweep.js';
import { GatewayWithPayments } from '../../testing/gateway-with-payments.js';
import type { TestUser } from '../../testing/gateway.js';

let test: GatewayWithPayments;
let user: TestUser;
let client: TestClient;
beforeAll(async () => {
  test = await GatewayWithPayments.start({ WORKERS: 'inline' });
});
beforeEach(async () => {
  await test.setTime('2031-01-31T12:00:00Z');
  user = await test.gateway.user();
  client = await test.gateway.signedIn(user);
});
afterAll(() => test.stop());

const renewAll = () => test.gateway.service.app.get(RenewalSweep).sweep();
/** As `type` and payload, in their order; taken away, so that the next ones are told from them. */
async function events({ ofPayments = false } = {}): Promise<[string, unknown][]> {
  const told = await test.gateway.service.query<{ id: string; type: string; payload: unknown }>(
    `SELECT id, type, payload FROM platform_events WHERE user_id = $1 AND source = 'platform' AND source_type = 'billing'
     AND (type = 'billing.payment_changed') = $2 ORDER BY created_at, type`,
    [user.id, ofPayments],
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
    client.with({ 'Idempotency-Key': key }).post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
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
