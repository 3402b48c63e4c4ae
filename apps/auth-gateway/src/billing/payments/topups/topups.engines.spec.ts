import { ChargesService, PaymentsRepository, PaymentSweepService, type PaymentRow } from '@platform/billing';
import type {
  LedgerEntry,
  PaymentHistoryItem,
  TopUpConfigResponse,
  TopUpConfirmResponse,
  TopUpResponse,
  WalletResponse,
} from '@platform/contracts';
import { newId } from '@platform/platform';
import { HeldLock, type TestClient } from '@platform/testing';
import { DataSource } from 'typeorm';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';
import { createTenant } from '../../../testing/tenants.js';
import { giveCredits } from '../../../testing/wallets.js';

let test: GatewayWithPayments;
let client: TestClient;
let userId: string;
beforeAll(async () => {
  test = await GatewayWithPayments.start({ WORKERS: 'inline' });
});
beforeEach(async () => {
  Object.assign(test.stripe.webhooks.settings, { copies: 1, shuffles: false });
  const user = await test.gateway.user();
  userId = user.id;
  client = await test.gateway.signIn(user);
});
afterAll(() => test.stop());

const TOPUP = { tokens: 10_000, price_cents: 1_000 };
const begin = (body: object = TOPUP, { by = client, key = newId('key') } = {}) =>
  by.withHeaders({ 'Idempotency-Key': key }).post<TopUpResponse>('/v1/billing/topup', body);
const confirm = (payment_intent_id: string, by = test.gateway.actingFor(userId)) =>
  by.post<TopUpConfirmResponse>('/v1/billing/topup/confirm', { payment_intent_id });
const balance = async (): Promise<number> => (await client.get<WalletResponse>('/v1/billing/wallet')).body.balance;
const history = async (): Promise<LedgerEntry[]> =>
  (await client.get<LedgerEntry[]>('/v1/billing/wallet/history')).body.filter(({ reason }) => reason === 'topup');
const payments = async (by = client): Promise<PaymentHistoryItem[]> =>
  (await by.get<PaymentHistoryItem[]>('/v1/billing/payments')).body;
const statusOf = async (intentId: string): Promise<string | undefined> =>
  (
    await test.gateway.service.query<{ status: string }>('SELECT status FROM payments WHERE provider_intent_id = $1', [
      intentId,
    ])
  )[0]?.status;

it('says what is sold, to everybody', async () => {
  const { status, body } = await test.gateway.client().get<TopUpConfigResponse>('/v1/billing/topup-config');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    publishable_key: 'pk_test_stand_in',
    custom_min_cents: 50,
    custom_max_cents: 100_000,
    token_rate: 10,
  });
  expect(body.tiers).toContainEqual({ tokens: 10_000, price_cents: 1_000, label: '10,000 credits' });
});

it('is paid in a browser, credited by the webhook, and shown with its receipt', async () => {
  const begun = await begin();
  expect(begun).toMatchObject({
    status: 200,
    body: {
      publishable_key: 'pk_test_stand_in',
      amount_cents: 1_000,
      currency: 'usd',
      succeeded: false,
      requires_action: false,
    },
  });
  const { payment_intent_id: id, client_secret: secret } = begun.body;
  expect(await payments()).toMatchObject([
    { payment_intent_id: id, status: 'pending', completed_at: null, receipt_url: '' },
  ]);
  expect(await test.pay(id, secret)).toBe('succeeded');
  await test.settled();
  expect(await balance()).toBe(10_000);
  expect(await history()).toMatchObject([{ amount: 10_000, reason: 'topup' }]);
  const [shown] = await payments();
  expect(shown).toMatchObject({
    status: 'succeeded',
    tokens: 10_000,
    type: 'topup',
    amount_cents: 1_000,
    completed_at: expect.any(String),
  });
  expect(shown?.receipt_url).toBe(
    `${test.stripe.url}/receipts/${test.stripe.state.find('payment_intent', id)?.latest_charge as string}`,
  );
  expect(await (await fetch(shown?.receipt_url ?? '')).text()).toContain('$10.00');
});

it('is credited where the customer has to show themselves to their bank, once they have', async () => {
  const { body } = await begin();
  expect(await test.pay(body.payment_intent_id, body.client_secret, 'pm_card_authenticationRequired')).toBe(
    'requires_action',
  );
  await test.settled();
  expect(await balance()).toBe(0);
  test.stripe.authenticate(body.payment_intent_id);
  await test.settled();
  expect(await balance()).toBe(10_000);
});

it('that is declined says why, and may be paid with another card', async () => {
  const { body } = await begin();
  expect(
    await test.pay(body.payment_intent_id, body.client_secret, 'pm_card_visa_chargeDeclinedInsufficientFunds'),
  ).toBe('card_declined');
  await test.settled();
  expect(await payments()).toMatchObject([{ status: 'pending', failure_reason: 'Your card has insufficient funds.' }]);
  expect(await test.pay(body.payment_intent_id, body.client_secret)).toBe('succeeded');
  await test.settled();
  expect(await payments()).toMatchObject([{ status: 'succeeded', failure_reason: null }]);
  expect(await balance()).toBe(10_000);
});

it('whose bank takes its time is pending, and then credited', async () => {
  const { body } = await begin();
  expect(await test.pay(body.payment_intent_id, body.client_secret, 'pm_card_processing')).toBe('processing');
  await test.settled();
  expect(await confirm(body.payment_intent_id)).toMatchObject({
    status: 200,
    body: { status: 'pending', credited: 0 },
  });
  test.stripe.finishProcessing(body.payment_intent_id);
  await test.settled();
  expect(await balance()).toBe(10_000);
});

describe('a request with a key', () => {
  it('begins one payment, however often it comes', async () => {
    const key = newId('key');
    const first = await begin(TOPUP, { key });
    const second = await begin(TOPUP, { key });
    expect(second.body.payment_intent_id).toBe(first.body.payment_intent_id);
    expect(second.body.client_secret).toBe(first.body.client_secret);
    expect(await payments()).toHaveLength(1);
    const stored = await test.gateway.service.query('SELECT body FROM idempotent_requests WHERE body IS NOT NULL');
    expect(JSON.stringify(stored)).not.toContain('_secret_');
    expect(test.gateway.service.logLines.join()).not.toContain('_secret_');
  });

  it('goes on with its payment after the provider did not answer, and there is one', async () => {
    const key = newId('key');
    test.stripe.planFault(/^POST \/v1\/payment_intents$/, { kind: 'answer', status: 409 }, 3);
    const lost = await begin(TOPUP, { key });
    expect(lost).toMatchObject({ status: 503, body: { code: 'payment_provider_unavailable' } });
    expect(lost.headers.get('Retry-After')).toBe('5');
    const again = await begin(TOPUP, { key });
    expect(again.status).toBe(200);
    expect(await payments()).toHaveLength(1);
    expect(
      test.stripe.state.list('payment_intent').filter(({ metadata }) => metadata['user_id'] === userId),
    ).toHaveLength(1);
  });

  it('finds the payment whose answer was lost after it was made', async () => {
    const key = newId('key');
    test.stripe.planFault(/^POST \/v1\/payment_intents$/, { kind: 'lost_after' }, 3);
    expect((await begin(TOPUP, { key })).status).toBe(503);
    const { body } = await begin(TOPUP, { key });
    expect(
      test.stripe.state.list('payment_intent').filter(({ metadata }) => metadata['user_id'] === userId),
    ).toHaveLength(1);
    expect(await test.pay(body.payment_intent_id, body.client_secret)).toBe('succeeded');
    await test.settled();
    expect(await balance()).toBe(10_000);
  });
});

it('that the bank refuses in the end is given up where another one begins at this moment', async () => {
  const { app } = test.gateway.service;
  const { payment_intent_id: id, client_secret: secret } = (await begin()).body;
  expect(await test.pay(id, secret, 'pm_card_processing')).toBe('processing');
  await test.stopWebhooks();
  const payment = (await app.get(PaymentsRepository).findByIntent(userId, id)) as PaymentRow;
  const lock = await HeldLock.acquire(test.gateway.service, 'LOCK TABLE gateway_audit.audit_entries IN SHARE MODE');
  const other = begin({ tokens: 5_000, price_cents: 500 });
  await lock.waitForBlocked(1); // the charge is stored, and its transaction continues
  test.stripe.finishProcessing(id, false);
  const refused = app.get(ChargesService).reconcilePayment(payment);
  await lock.waitForBlocked(2);
  await lock.release();
  expect((await Promise.all([other, refused])).map((one) => one?.status)).toEqual([200, 'canceled']);
  expect(await payments()).toMatchObject([{ status: 'pending', tokens: 5_000 }, { status: 'failed' }]);
});

it('takes the place of one that was not paid, which cannot be paid any more', async () => {
  const first = (await begin()).body;
  const second = (await begin({ tokens: 5_000, price_cents: 500 })).body;
  expect(await test.pay(first.payment_intent_id, first.client_secret)).toBe('payment_intent_unexpected_state');
  expect(await test.pay(second.payment_intent_id, second.client_secret)).toBe('succeeded');
  await test.settled();
  expect(await balance()).toBe(5_000);
  expect(await statusOf(first.payment_intent_id)).toBe('canceled');
});

it('that many begin at once leaves one that can be paid', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => begin()));
  const begun = answers.filter(({ status }) => status === 200).map(({ body }) => body);
  expect(
    answers
      .filter(({ status }) => status !== 200)
      .map(({ status, body }) => [status, (body as unknown as { code: string }).code]),
  ).toEqual(answers.filter(({ status }) => status !== 200).map(() => [409, 'payment.replaced']));
  const paid = await Promise.all(begun.map(({ payment_intent_id: id, client_secret: secret }) => test.pay(id, secret)));
  expect(paid.filter((status) => status === 'succeeded')).toHaveLength(1);
  await test.settled();
  expect(await balance()).toBe(10_000);
});

it('fault 4: 100 of them, told of by a confirm, two webhooks and a sweep at once, are credited once each', async () => {
  Object.assign(test.stripe.webhooks.settings, { copies: 2, shuffles: true });
  const { service } = test.gateway;
  const payers = await Promise.all(Array.from({ length: 25 }, () => test.gateway.user()));
  for (let round = 0; round < 4; round++) {
    const begun = await Promise.all(payers.map(({ id }) => begin(TOPUP, { by: test.gateway.actingFor(id) })));
    await Promise.all(
      begun.map(async ({ body: { payment_intent_id: intentId, client_secret: secret } }, at) => {
        const payer = payers[at]?.id ?? '';
        const payment = await service.app.get(PaymentsRepository).findByIntent(payer, intentId);
        const sweep = async () => payment && service.app.get(ChargesService).reconcilePayment(payment);
        await test.pay(intentId, secret);
        await Promise.all([confirm(intentId, test.gateway.actingFor(payer)), sweep(), sweep()]);
      }),
    );
    await test.settled();
  }
  const sums = await service.query<{ credits: string; entries: string }>(
    `SELECT sum(e.amount) AS credits, count(*) AS entries FROM ledger_entries e JOIN wallets w ON w.id = e.wallet_id
     WHERE e.kind = 'topup' AND w.user_id = ANY ($1) GROUP BY w.user_id`,
    [payers.map(({ id }) => id)],
  );
  expect(sums).toEqual(payers.map(() => ({ credits: '40000', entries: '4' })));
});

it('of which no webhook ever told is credited by the sweep', async () => {
  await test.stopWebhooks();
  const { body } = await begin();
  await test.pay(body.payment_intent_id, body.client_secret);
  expect(await balance()).toBe(0);
  const { service } = test.gateway;
  await service.query("UPDATE payments SET checked_at = now() - interval '16 minutes' WHERE provider_intent_id = $1", [
    body.payment_intent_id,
  ]);
  await service.app.get(PaymentSweepService).checkDuePayments();
  expect(await balance()).toBe(10_000);
});

it('that nobody pays is canceled after 23 hours, and does not go on', async () => {
  const { body } = await begin();
  await test.settled(); // its event checks the payment, which then is not due
  const { service } = test.gateway;
  await service.query(
    "UPDATE payments SET checked_at = now() - interval '23 hours', created_at = now() - interval '23 hours' WHERE provider_intent_id = $1",
    [body.payment_intent_id],
  );
  await service.app.get(PaymentSweepService).checkDuePayments();
  expect(await test.pay(body.payment_intent_id, body.client_secret)).toBe('payment_intent_unexpected_state');
  expect(await payments()).toMatchObject([{ status: 'failed' }]);
  expect(await client.post(`/v1/billing/payments/${body.payment_intent_id}/continue`)).toMatchObject({
    status: 409,
    body: { code: 'payment.replaced' },
  });
});

it.each<[string, Record<string, unknown>]>([
  ['another amount', { amount: 999 }],
  ['less money than asked for', { amount_received: 1 }],
  ['another currency', { currency: 'eur' }],
  ['another customer', { customer: 'cus_other' }],
  ['money of another mode', { livemode: true }],
  ['another user in it', { metadata: { payment_id: 'x', user_id: 'usr_other' } }],
])('fault 23: with %s at the provider is not credited', async (_what, changes) => {
  const { body } = await begin();
  await test.pay(body.payment_intent_id, body.client_secret);
  await test.settled();
  const paidBefore = await balance();
  const other = (await begin()).body;
  await test.settled(); // its event checks the payment
  const { state } = test.stripe;
  const intent = state.find('payment_intent', other.payment_intent_id);
  if (!intent) throw new Error('There is no intent.');
  state.put('payment_intent', { ...intent, status: 'succeeded', amount_received: intent.amount, ...changes });
  expect(await confirm(other.payment_intent_id)).toMatchObject({ status: 409, body: { code: 'payment.mismatch' } });
  expect(await balance()).toBe(paidBefore);
});

it('fault 23: is confirmed by a trusted backend for its own user alone', async () => {
  const { body } = await begin();
  await test.pay(body.payment_intent_id, body.client_secret);
  const other = await test.gateway.user();
  const { id: tenant_id } = await createTenant(test.gateway.backend());
  const stranger = await test.gateway.user({ tenant_id });
  for (const { id } of [other, stranger]) {
    expect(await confirm(body.payment_intent_id, test.gateway.actingFor(id))).toMatchObject({
      status: 404,
      body: { code: 'payment.not_found' },
    });
  }
  expect(await confirm('pi_none')).toMatchObject({ status: 404 });
  expect((await confirm(body.payment_intent_id, client)).status).toBe(401);
  expect((await confirm(body.payment_intent_id, test.gateway.backend())).status).toBe(422);
  for (let again = 0; again < 2; again++) {
    expect(await confirm(body.payment_intent_id)).toMatchObject({
      status: 200,
      body: { status: 'succeeded', credited: 10_000, balance: 10_000 },
    });
  }
  expect(await payments(test.gateway.actingFor(stranger.id))).toEqual([]);
});

it('is for active users alone', async () => {
  const acting = test.gateway.actingFor(userId);
  await test.gateway.service.query('UPDATE users SET is_active = false WHERE id = $1', [userId]);
  expect(await begin(TOPUP, { by: acting })).toMatchObject({ status: 403, body: { code: 'account_disabled' } });
  expect(test.stripe.state.list('payment_intent').filter(({ metadata }) => metadata['user_id'] === userId)).toEqual([]);
});

it('of a user who was erased meanwhile is to be given back', async () => {
  const { body } = await begin();
  const admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
  expect((await admin.delete(`/v1/users/${userId}?permanent=true`)).status).toBe(200);
  expect(await test.pay(body.payment_intent_id, body.client_secret)).toBe('succeeded');
  await test.settled();
  const refunds = await test.gateway.service.query(
    'SELECT r.amount_cents, r.reason FROM payment_refunds r JOIN payments p ON p.id = r.payment_id WHERE p.user_id = $1',
    [userId],
  );
  expect(refunds).toEqual([{ amount_cents: 1_000, reason: 'not_deliverable' }]);
});

describe('a saved card', () => {
  it('is needed for one without a browser', async () => {
    expect(await begin({ ...TOPUP, off_session: true })).toMatchObject({
      status: 402,
      body: { code: 'payment.card_required' },
    });
    expect(await payments()).toEqual([]);
  });

  it.each([
    ['by the card again', { off_session: true }],
    ['in a browser', {}],
  ])('whose bank asks first waits in one payment: the next one, %s, takes its place', async (_how, more) => {
    await test.replaceCard(userId, 'pm_card_authenticationRequired');
    const first = (await begin({ ...TOPUP, off_session: true })).body;
    expect(first).toMatchObject({ succeeded: false, requires_action: true });
    const second = (await begin({ ...TOPUP, ...more })).body;
    await test.settled();
    expect(await statusOf(first.payment_intent_id)).toBe('canceled');
    expect(test.stripe.state.find('payment_intent', first.payment_intent_id)).toMatchObject({ status: 'canceled' });
    expect(await statusOf(second.payment_intent_id)).toBe('open');
    expect(await test.pay(second.payment_intent_id, second.client_secret)).toBe('succeeded');
    await test.settled();
    expect(await balance()).toBe(10_000);
  });
});

it('fault 15: that would make the wallet larger than it can be stays pending, and is credited once there is room', async () => {
  const { body } = await begin();
  await test.stopWebhooks();
  await test.pay(body.payment_intent_id, body.client_secret);
  await giveCredits(test.gateway, userId, 1);
  const setBalance = (amount: number) =>
    test.gateway.service.app.get(DataSource).transaction(async (em) => {
      await em.query("SET LOCAL session_replication_role = 'replica'");
      await em.query(
        `UPDATE wallets SET balance = $2, lots = jsonb_set(lots, '{0,amount}', to_jsonb($2::bigint)) WHERE user_id = $1 AND kind = 'user'`,
        [userId, amount],
      );
    });
  await setBalance(Number.MAX_SAFE_INTEGER - 5_000);
  expect((await confirm(body.payment_intent_id)).status).toBe(500);
  expect(await payments()).toMatchObject([{ status: 'pending' }]);
  await setBalance(1);
  expect(await confirm(body.payment_intent_id)).toMatchObject({
    status: 200,
    body: { status: 'succeeded', credited: 10_000 },
  });
  expect(await balance()).toBe(10_001);
});

it('of several at once that wait at the bank of the saved card one is left', async () => {
  await test.replaceCard(userId, 'pm_card_authenticationRequired');
  const acting = test.gateway.actingFor(userId);
  await Promise.all(Array.from({ length: 5 }, () => begin({ ...TOPUP, off_session: true }, { by: acting })));
  await test.settled();
  await test.gateway.service.app.get(PaymentSweepService).checkDuePayments({ since: new Date(Date.now() + 60_000) });
  await test.settled();
  expect((await payments()).filter(({ status }) => status === 'pending')).toHaveLength(1);
});

it.each<[string, object, number, string]>([
  ['another price', { tokens: 10_000, price_cents: 999 }, 400, 'topup.price_mismatch'],
  ['credits that are no tens', { tokens: 10_001, price_cents: 1_000 }, 400, 'topup.not_by_tens'],
  ['more than the operator sells', { tokens: 1_000_010, price_cents: 100_001 }, 400, 'topup.out_of_range'],
  ['too few', { tokens: 490, price_cents: 49 }, 422, 'validation_failed'],
  ['more than the provider takes', { tokens: 1_000_000_000, price_cents: 99_999_999 }, 422, 'validation_failed'],
  ['0', { tokens: 0, price_cents: 0 }, 422, 'validation_failed'],
  ['less than nothing', { tokens: -10_000, price_cents: -1_000 }, 422, 'validation_failed'],
  ['a fraction', { tokens: 1000.5, price_cents: 100 }, 422, 'validation_failed'],
  ['a number in words', { tokens: '1e4', price_cents: 1_000 }, 422, 'validation_failed'],
  ['2^53', { tokens: 2 ** 53, price_cents: 1_000 }, 422, 'validation_failed'],
  ['nothing', {}, 422, 'validation_failed'],
  ['a field that there is not', { ...TOPUP, currency: 'eur' }, 422, 'validation_failed'],
])('fault 15: refuses %s', async (_what, body, status, code) => {
  expect(await begin(body)).toMatchObject({ status, body: { code } });
  expect(await payments()).toEqual([]);
});

it.each([
  ['limit=0', 422],
  ['limit=201', 422],
  ['offset=-1', 422],
  ['limit=1&offset=0', 200],
])('lists payments with %s: %i', async (query, status) => {
  expect((await client.get(`/v1/billing/payments?${query}`)).status).toBe(status);
});
