import { PaymentSweepService } from '@platform/billing';
import type { PaymentMethodItem, SetupResponse, TopUpResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import { until, type TestClient } from '@platform/testing';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';
import { createTenant } from '../../../testing/tenants.js';

let test: GatewayWithPayments;
let client: TestClient;
let userId: string;
beforeAll(async () => {
  test = await GatewayWithPayments.start();
});
beforeEach(async () => {
  const user = await test.gateway.user();
  userId = user.id;
  client = await test.gateway.signIn(user);
});
afterAll(() => test.stop());

const PATH = '/v1/billing/payment-methods';
const cards = async (by = client): Promise<PaymentMethodItem[]> => (await by.get<PaymentMethodItem[]>(PATH)).body;
const codeOf = ({ status, body }: { status: number; body: unknown }): [number, string] => [
  status,
  (body as { code: string }).code,
];

/** Saves a card, as a browser does. Returns its id. */
async function save(card = 'pm_card_visa'): Promise<string> {
  const before = new Set((await cards()).map(({ id }) => id));
  const { body } = await client.post<SetupResponse>(`${PATH}/setup`);
  if ((await test.pay(body.setup_intent_id, body.client_secret, card)) === 'requires_action')
    test.stripe.authenticate(body.setup_intent_id);
  await test.settled();
  const saved = (await cards()).find(({ id }) => !before.has(id));
  if (!saved) throw new Error('The card is not saved.');
  return saved.id;
}

it('is saved by a browser, and the first one pays what comes without its user', async () => {
  expect(await cards()).toEqual([]);
  const begun = await client.post<SetupResponse>(`${PATH}/setup`);
  expect(begun).toMatchObject({
    status: 200,
    body: { publishable_key: 'pk_test_stand_in', client_secret: expect.any(String) },
  });
  const first = await save();
  const second = await save('pm_card_mastercard');
  // The provider gives times in whole seconds, so both can have the same.
  const saved = (await cards()).sort((one, other) => Number(one.is_default) - Number(other.is_default));
  expect(saved).toMatchObject([
    { id: second, brand: 'mastercard', last4: '4444', is_default: false },
    {
      id: first,
      type: 'card',
      brand: 'visa',
      last4: '4242',
      exp_month: 12,
      exp_year: expect.any(Number),
      is_default: true,
    },
  ]);
});

it('becomes the default, here and at the provider', async () => {
  const [first, second] = [await save(), await save('pm_card_mastercard')];
  const chosen = await client.put(`${PATH}/${second}/default`);
  expect([chosen.status, chosen.body]).toEqual([200, { status: 'updated', id: second }]);
  expect((await cards()).filter(({ is_default }) => is_default).map(({ id }) => id)).toEqual([second]);
  const customer = test.stripe.state.list('customer').find((one) => !one.deleted && one.metadata['user_id'] === userId);
  expect(customer).toMatchObject({ invoice_settings: { default_payment_method: second } });
  const keyed = client.withHeaders({ 'Idempotency-Key': newId('key') });
  const removed = await keyed.delete(`${PATH}/${second}`);
  expect([removed.status, removed.body]).toEqual([200, { status: 'removed', id: second }]);
  const again = await keyed.delete(`${PATH}/${second}`);
  expect([again.status, again.headers.get('Idempotency-Replayed'), again.body]).toEqual([200, 'true', removed.body]);
  expect(await cards()).toMatchObject([{ id: first, is_default: true }]);
});

it('is one default of 24 that are chosen at once', async () => {
  const ids = [await save(), await save('pm_card_mastercard')];
  const acting = test.gateway.actingFor(userId);
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, at) => acting.put(`${PATH}/${ids[at % 2]}/default`)),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect((await cards()).filter(({ is_default }) => is_default)).toHaveLength(1);
});

it('pays a top-up at once, and asks for a browser where its bank does', async () => {
  await save();
  const topup = () =>
    client
      .withHeaders({ 'Idempotency-Key': newId('key') })
      .post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000, off_session: true });
  expect(await topup()).toMatchObject({ status: 200, body: { succeeded: true, requires_action: false } });
  await test.replaceCard(userId, 'pm_card_chargeCustomerFail');
  expect(await topup()).toMatchObject({
    status: 402,
    body: { code: 'payment.declined', decline_code: 'generic_decline' },
  });
  await test.replaceCard(userId, 'pm_card_authenticationRequired');
  expect(await topup()).toMatchObject({
    status: 200,
    body: { succeeded: false, requires_action: true, client_secret: expect.any(String) },
  });
});

it('asked for again and again while the provider is away pays nothing afterwards', async () => {
  await save();
  const topup = () =>
    client.post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000, off_session: true });
  test.stripe.planFault(/^POST \/v1\/payment_intents$/, { kind: 'lost_before' }, 100);
  for (let click = 0; click < 8; click++) expect((await topup()).status).toBe(503);
  test.stripe.faults.clear();
  await test.waitForCircuit();
  await test.gateway.service.app.get(PaymentSweepService).checkDuePayments({ since: new Date(Date.now() + 60_000) });
  expect(test.stripe.state.list('payment_intent').filter(({ metadata }) => metadata['user_id'] === userId)).toEqual([]);
});

it('of a user who is erased while the provider is away is not charged', async () => {
  await save();
  test.stripe.planFault(/^POST \/v1\/payment_intents$/, { kind: 'lost_before' }, 3);
  expect(
    (await client.post('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000, off_session: true })).status,
  ).toBe(503);
  const admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
  expect((await admin.delete(`/v1/users/${userId}?permanent=true`)).status).toBe(200);
  await test.gateway.service.app.get(PaymentSweepService).checkDuePayments({ since: new Date(Date.now() + 60_000) });
  expect(test.stripe.state.list('payment_intent').filter(({ metadata }) => metadata['user_id'] === userId)).toEqual([]);
});

it('that is declined again and again is refused for a while', async () => {
  await save('pm_card_chargeCustomerFail');
  const topup = () => client.post('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000, off_session: true });
  for (let tries = 0; tries < 8; tries++) expect(codeOf(await topup())).toEqual([402, 'payment.declined']);
  const refused = await topup();
  expect(codeOf(refused)).toEqual([429, 'payment.too_many_declines']);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
});

it('of somebody else is not there', async () => {
  const card = await save();
  const { id: tenant_id } = await createTenant(test.gateway.backend());
  for (const other of [await test.gateway.user(), await test.gateway.user({ tenant_id })]) {
    const acting = test.gateway.actingFor(other.id);
    expect(codeOf(await acting.put(`${PATH}/${card}/default`))).toEqual([404, 'payment_method.not_found']);
    expect(codeOf(await acting.delete(`${PATH}/${card}`))).toEqual([404, 'payment_method.not_found']);
    expect(await cards(acting)).toEqual([]);
  }
  expect(await cards()).toHaveLength(1);
});

it('that pays a plan stays as long as it is the only one', async () => {
  const { body } = await client.post<{ payment_intent_id: string; client_secret: string }>('/v1/billing/checkout', {
    plan_id: 'pro',
  });
  await test.pay(body.payment_intent_id, body.client_secret);
  await test.settled();
  const [card] = await cards();
  expect(codeOf(await client.delete(`${PATH}/${card?.id}`))).toEqual([409, 'payment_method.last_of_plan']);
  await save('pm_card_mastercard');
  expect((await client.delete(`${PATH}/${card?.id}`)).status).toBe(200);
  await client.post('/v1/billing/cancel');
  const [other] = await cards();
  expect((await client.delete(`${PATH}/${other?.id}`)).status).toBe(200);
});

it('that pays a plan stays where the last two are removed at once, and after a failure either goes', async () => {
  const { body } = await client.post<{ payment_intent_id: string; client_secret: string }>('/v1/billing/checkout', {
    plan_id: 'pro',
  });
  await test.pay(body.payment_intent_id, body.client_secret);
  await test.settled();
  await save('pm_card_mastercard');
  const acting = test.gateway.actingFor(userId);
  const ids = (await cards()).map(({ id }) => id);
  test.stripe.planFault(/^POST \/v1\/payment_methods\/\w+\/detach$/, { kind: 'answer', status: 500 }, 3);
  expect((await acting.delete(`${PATH}/${ids[0]}`)).status).toBe(503);
  test.stripe.planFault(/^POST \/v1\/payment_methods\/\w+\/detach$/, { kind: 'slow', ms: 300 }, 1);
  const answers = await Promise.all(ids.map((id) => acting.delete(`${PATH}/${id}`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await cards()).toMatchObject([{ is_default: true }]);
});

it('stays while the provider is away, and the list still answers', async () => {
  const card = await save();
  test.stripe.planFault(/^POST \/v1\/payment_methods\/\w+\/detach$/, { kind: 'answer', status: 500 }, 3);
  expect(codeOf(await client.delete(`${PATH}/${card}`))).toEqual([503, 'payment_provider_unavailable']);
  expect(await cards()).toHaveLength(1);
  expect((await client.delete(`${PATH}/${card}`)).status).toBe(200);
});

it('that is removed at the provider is gone here', async () => {
  const card = await save();
  const { url } = test.stripe;
  await fetch(`${url}/v1/payment_methods/${card}/detach`, {
    method: 'POST',
    headers: { Authorization: 'Bearer sk_test_stand_in' },
  });
  await test.settled();
  expect(await cards()).toEqual([]);
});

it('goes with its user, at the provider too', async () => {
  await save();
  const admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
  expect((await admin.delete(`/v1/users/${userId}?permanent=true`)).status).toBe(200);
  expect(await test.gateway.service.query('SELECT FROM payment_methods WHERE user_id = $1', [userId])).toEqual([]);
  await until(
    async () =>
      !(await test.gateway.service.query('SELECT FROM billing_customers WHERE user_id = $1', [userId])).length,
  );
  expect(test.stripe.state.list('customer').some((one) => !one.deleted && one.metadata['user_id'] === userId)).toBe(
    false,
  );
});
