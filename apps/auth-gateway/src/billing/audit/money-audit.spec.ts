import type { CheckoutResponse, PaymentMethodItem, TopUpResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import type { TestClient } from '@platform/testing';
import { decodeJwt } from 'jose';
import { GatewayWithPayments } from '../../testing/gateway-with-payments.js';
import type { TestUser } from '../../testing/gateway-test.js';

let test: GatewayWithPayments;
let admin: TestClient;
let user: TestUser;
let client: TestClient;
let sessionId: string;
beforeAll(async () => {
  test = await GatewayWithPayments.start();
  admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
});
beforeEach(async () => {
  user = await test.gateway.user();
  const { access_token } = await test.gateway.login(user);
  client = test.gateway.client().withToken(access_token);
  sessionId = decodeJwt<{ sid: string }>(access_token).sid;
});
afterAll(() => test.stop());

interface Entry {
  action: string;
  actor_type: string;
  actor_id: string;
  before_state: object | null;
  after_state: object | null;
  metadata: Record<string, unknown>;
}
/** Audit entries of these kinds, oldest first. */
async function entries(...kinds: string[]): Promise<Entry[]> {
  await test.settled();
  return test.gateway.service.query<Entry>(
    `SELECT e.* FROM gateway_audit.audit_entries e WHERE e.target_type = ANY ($2) AND (e.metadata ->> 'user_id' = $1
       OR e.target_id IN (SELECT id FROM payments WHERE user_id = $1)) ORDER BY e.id`,
    [user.id, kinds],
  );
}
const told = { actor_type: 'system' };

async function buy(card = 'pm_card_visa'): Promise<string> {
  const { body } = await client
    .withHeaders({ 'Idempotency-Key': newId('key') })
    .post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
  await test.pay(body.payment_intent_id, body.client_secret, card);
  await test.settled();
  return body.payment_intent_id;
}

async function takePlan(): Promise<void> {
  const { body } = await client.post<CheckoutResponse>('/v1/billing/checkout', { plan_id: 'business' });
  expect(await test.pay(body.payment_intent_id, body.client_secret)).toBe('succeeded');
  await test.settled();
}

it('a payment is in the audit log: who began it in which session, and that it was paid', async () => {
  await buy();
  const [begun, paid, ...others] = await entries('payment');
  expect(others).toEqual([]);
  expect(begun).toMatchObject({
    action: 'payment.begun',
    ...{ actor_type: 'user', actor_id: user.id },
    metadata: { user_id: user.id, purpose: 'topup', amount_cents: 1_000, currency: 'usd', session_id: sessionId },
  });
  expect(paid).toMatchObject({ action: 'payment.succeeded', ...told });
  expect(paid?.metadata).not.toHaveProperty('session_id');
});

it('a payment that is replaced is in it', async () => {
  for (let again = 0; again < 2; again++) {
    await client
      .withHeaders({ 'Idempotency-Key': newId('key') })
      .post('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
  }
  expect((await entries('payment')).map(({ action }) => action)).toEqual([
    'payment.begun',
    'payment.begun',
    'payment.canceled',
  ]);
});

it('a refund and a dispute are in it, each status once', async () => {
  const refunded = await buy();
  expect(
    (await admin.post(`/v1/admin/payments/${refunded}/refund`, { amount_cents: 400, note: 'Asked for' })).status,
  ).toBe(200);
  expect((await entries('payment')).slice(2).map(({ action, metadata }) => [action, metadata['amount_cents']])).toEqual(
    [
      ['payment.refund_requested', 400],
      ['payment.refund_succeeded', 400],
    ],
  );
  const charge = test.stripe.state.find('payment_intent', refunded)?.latest_charge as string;
  const dispute = test.stripe.openDispute(charge, { amount: 600 });
  await test.settled();
  test.stripe.closeDispute(dispute.id, 'won');
  const disputes = (await entries('payment')).filter(({ action }) => action === 'payment.dispute_changed');
  expect(disputes.map(({ after_state }) => after_state)).toEqual([{ status: 'needs_response' }, { status: 'won' }]);
  expect(disputes[0]).toMatchObject({ ...told, metadata: { amount_cents: 600 } });
});

it('cards that are saved, chosen and removed are in it', async () => {
  for (const card of ['pm_card_visa', 'pm_card_mastercard']) await test.replaceCard(user.id, card);
  const cards = (await client.get<PaymentMethodItem[]>('/v1/billing/payment-methods')).body;
  await client.delete(`/v1/billing/payment-methods/${cards[0]?.id}`);
  const all = await entries('payment_method');
  expect(all.map(({ action }) => action)).toEqual(['card.saved', 'card.saved', 'card.default_changed', 'card.removed']);
  expect(all[3]).toMatchObject({ actor_id: user.id, metadata: { session_id: sessionId } });
  expect(JSON.stringify(all)).not.toMatch(/4242|4444|visa|mastercard/);
});

it('plans that are taken, changed, cancelled and resumed are in it, each once', async () => {
  await takePlan();
  for (let again = 0; again < 2; again++) await client.post('/v1/billing/cancel');
  for (let again = 0; again < 2; again++) await client.post('/v1/billing/resume');
  for (let again = 0; again < 2; again++)
    expect((await client.post('/v1/billing/change-plan', { plan_id: 'pro' })).status).toBe(200);
  const all = await entries('subscription');
  expect(all.map(({ action, before_state, after_state }) => [action, before_state, after_state])).toEqual([
    ['subscription.changed', { plan: 'free' }, { plan: 'business' }],
    ['subscription.cancelled', null, { plan: 'business' }],
    ['subscription.resumed', null, { plan: 'business' }],
    ['subscription.change_scheduled', { plan: 'business' }, { plan: 'pro' }],
  ]);
  expect(all[1]).toMatchObject({ actor_id: user.id, metadata: { session_id: sessionId } });
});
