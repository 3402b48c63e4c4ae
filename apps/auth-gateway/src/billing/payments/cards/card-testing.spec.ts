import type { CheckoutResponse, SetupResponse, TopUpResponse } from '@platform/contracts';
import { RetentionService } from '@platform/persistence';
import type { TestClient } from '@platform/testing';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';
import { createTenant } from '../../../testing/tenants.js';

let test: GatewayWithPayments;
let client: TestClient;
let userId: string;
beforeAll(async () => {
  test = await GatewayWithPayments.start();
});
beforeEach(async () => {
  test.stripe.webhooks.settings.copies = 1;
  ({ id: userId } = await test.gateway.user());
  client = test.gateway.actingFor(userId);
});
afterAll(() => test.stop());

const DECLINED = 'pm_card_visa_chargeDeclined';
const SETUP = '/v1/billing/payment-methods/setup';
type Refused = { code: string };
const begin = (by = client) =>
  by.post<TopUpResponse & Refused>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
const beginSetup = (by = client) => by.post<SetupResponse & Refused>(SETUP);
const intentStatus = (id: string) =>
  (test.stripe.state.find('payment_intent', id) ?? test.stripe.state.find('setup_intent', id))?.status;
const declines = () => test.gateway.service.query('SELECT FROM payment_declines WHERE user_id = $1', [userId]);

/** Tries a payment, as a browser does. */
async function tryCards(
  times: number,
  { payment_intent_id, client_secret }: TopUpResponse,
  card = DECLINED,
): Promise<string[]> {
  const answers: string[] = [];
  for (let n = 0; n < times; n++) answers.push(await test.pay(payment_intent_id, client_secret, card));
  return answers;
}
/** Tries to save a card, as a browser does. */
async function trySetup(
  times: number,
  { setup_intent_id, client_secret }: SetupResponse,
  card = DECLINED,
): Promise<void> {
  for (let n = 0; n < times; n++) await test.pay(setup_intent_id, client_secret, card);
}
const expectRefused = async (by: TestClient): Promise<void> => {
  for (const answer of [
    await begin(by),
    await beginSetup(by),
    await by.post<Refused>('/v1/billing/checkout', { plan_id: 'pro' }),
    await by.post<Refused>('/v1/billing/portal'),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([429, 'payment.too_many_declines']);
    const seconds = Number(answer.headers.get('Retry-After'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(3_600);
  }
};

it('in one payment ends after eight declines: it is canceled, and nothing else begins', async () => {
  const { body } = await begin();
  const { body: setup } = await beginSetup();
  const { body: checkout } = await client.post<CheckoutResponse>('/v1/billing/checkout', { plan_id: 'pro' });
  await tryCards(7, body);
  await test.settled();
  expect(intentStatus(body.payment_intent_id)).toBe('requires_payment_method');
  expect((await begin(test.gateway.actingFor((await test.gateway.user()).id))).status).toBe(200);
  await tryCards(1, body, 'pm_card_chargeDeclinedExpiredCard');
  await test.settled();
  expect([body.payment_intent_id, setup.setup_intent_id, checkout.payment_intent_id].map(intentStatus)).toEqual([
    'canceled',
    'canceled',
    'canceled',
  ]);
  expect(await tryCards(1, body, 'pm_card_visa')).toEqual(['payment_intent_unexpected_state']);
  await expectRefused(client);
});

it('in a set-up that is older than 1,000 others ends after eight declines', async () => {
  const { body: old } = await beginSetup();
  await test.settled();
  const known = test.stripe.state.find('setup_intent', old.setup_intent_id);
  if (!known) throw new Error('There is no set-up.');
  for (let n = 0; n < 1_000; n++) {
    const id = test.stripe.state.newId('setup_intent');
    test.stripe.state.put('setup_intent', { ...known, id, client_secret: `${id}_secret`, created: known.created + 1 });
  }
  await trySetup(8, old);
  await test.settled();
  expect(intentStatus(old.setup_intent_id)).toBe('canceled');
});

it('in set-ups ends after eight declines', async () => {
  const [one, other] = [(await beginSetup()).body, (await beginSetup()).body];
  await trySetup(4, one);
  await trySetup(3, other);
  await test.settled();
  expect((await beginSetup()).status).toBe(200);
  expect(await test.pay(other.setup_intent_id, other.client_secret, 'pm_card_authenticationRequired')).toBe(
    'requires_action',
  );
  test.stripe.authenticate(other.setup_intent_id, false);
  await test.settled();
  expect([one.setup_intent_id, other.setup_intent_id].map(intentStatus)).toEqual(['canceled', 'canceled']);
  await expectRefused(client);
});

it('counts each try once, whichever event tells of it, however often and in whatever order', async () => {
  Object.assign(test.stripe.webhooks.settings, { copies: 3, shuffles: true });
  const { body } = await begin();
  await tryCards(3, body);
  await trySetup(3, (await beginSetup()).body);
  await test.settled();
  expect(await declines()).toHaveLength(6);
  expect((await begin()).status).toBe(200);
});

it('counts a try by a saved card once: by its answer, and by its event', async () => {
  await trySetup(1, (await beginSetup()).body, 'pm_card_chargeCustomerFail');
  await test.settled();
  const topup = () => client.post('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000, off_session: true });
  for (let n = 0; n < 2; n++) expect((await topup()).status).toBe(402);
  expect(await declines()).toHaveLength(2);
  await test.settled();
  expect(await declines()).toHaveLength(2);
});

it('counts no bank that wants to see its customer, and nobody who is not known here', async () => {
  await test.replaceCard(userId, 'pm_card_authenticationRequired');
  const topup = { tokens: 10_000, price_cents: 1_000, off_session: true };
  expect(await client.post('/v1/billing/topup', topup)).toMatchObject({ status: 200, body: { requires_action: true } });
  const stranger = await test.stripe.createObject('customers', { email: 'x@example.com' });
  test.stripe.webhooks.emit('setup_intent.setup_failed', {
    ...{ id: 'seti_stranger', object: 'setup_intent', customer: stranger, latest_attempt: 'setatt_stranger' },
    last_setup_error: { type: 'card_error', code: 'card_declined' },
  });
  await test.settled();
  expect(await declines()).toEqual([]);
});

it('is refused for an hour, which others do not notice, in the same tenant or another', async () => {
  const { body } = await begin();
  await tryCards(8, body);
  await test.settled();
  const { id: tenant_id } = await createTenant(test.gateway.backend());
  for (const other of [await test.gateway.user(), await test.gateway.user({ tenant_id })]) {
    expect((await begin(test.gateway.actingFor(other.id))).status).toBe(200);
  }
  const later = "UPDATE payment_declines SET declined_at = declined_at - interval '1 hour' WHERE user_id = $1";
  await test.gateway.service.query(later, [userId]);
  expect((await begin()).status).toBe(200);
  await test.gateway.service.query(
    "UPDATE payment_declines SET declined_at = now() - interval '25 hours' WHERE user_id = $1",
    [userId],
  );
  await test.gateway.service.app.get(RetentionService).deleteExpiredRows();
  expect(await declines()).toEqual([]);
});

it('goes with its user', async () => {
  await tryCards(3, (await begin()).body);
  await test.settled();
  const admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
  expect((await admin.delete(`/v1/users/${userId}?permanent=true`)).status).toBe(200);
  await test.settled();
  expect(await declines()).toEqual([]);
});

it('is refused a renewal by hand, too', async () => {
  const { body: checkout } = await client.post<CheckoutResponse>('/v1/billing/checkout', { plan_id: 'pro' });
  await test.pay(checkout.payment_intent_id, checkout.client_secret);
  await test.settled();
  await test.setTime('2099-01-01T12:00:00Z');
  const { body } = await begin();
  await tryCards(8, body);
  await test.settled();
  expect(await client.post('/v1/billing/renew')).toMatchObject({
    status: 429,
    body: { code: 'payment.too_many_declines' },
  });
  await test.gateway.service.query("UPDATE billing_clock SET ahead = '0'");
});

it('cancels what was tried later where the provider was away', async () => {
  const { body } = await begin();
  const { body: setup } = await beginSetup();
  test.gateway.expectFailures('payments');
  test.stripe.planFault(/^POST \/v1\/setup_intents\/\w+\/cancel$/, { kind: 'answer', status: 500 }, 3);
  await tryCards(8, body);
  await test.settled();
  await trySetup(1, setup);
  await test.settled();
  expect(intentStatus(setup.setup_intent_id)).toBe('canceled');
});

it('leaves a payment that was made in the same moment', async () => {
  const { body } = await begin();
  const { body: checkout } = await client.post<CheckoutResponse>('/v1/billing/checkout', { plan_id: 'pro' });
  await test.stopWebhooks();
  await tryCards(8, body);
  expect(await test.pay(checkout.payment_intent_id, checkout.client_secret)).toBe('succeeded');
  test.stripe.webhooks.settings.copies = 1;
  for (const event of test.stripe.state.list('event').slice(0, 30)) test.stripe.webhooks.enqueue(event);
  await test.settled();
  expect([intentStatus(body.payment_intent_id), intentStatus(checkout.payment_intent_id)]).toEqual([
    'canceled',
    'succeeded',
  ]);
  const payments = await test.gateway.service.query<{ status: string }>(
    'SELECT status FROM payments WHERE user_id = $1 ORDER BY purpose',
    [userId],
  );
  expect(payments).toEqual([{ status: 'succeeded' }, { status: 'canceled' }]);
});
