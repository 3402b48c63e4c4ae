import {
  DisputesService,
  LedgerService,
  RefundsService,
  RefundSweepService,
  WalletsRepository,
} from '@platform/billing';
import type {
  CheckoutResponse,
  PaymentHistoryItem,
  RefundPaymentResponse,
  SubscriptionResponse,
  TopUpResponse,
  WalletResponse,
} from '@platform/contracts';
import { newId } from '@platform/platform';
import { until, type TestClient, type TestResponse } from '@platform/testing';
import { Registry } from 'prom-client';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';
import { createTenant } from '../../../testing/tenants.js';
import { giveCredits, ledgerProblems } from '../../../testing/wallets.js';
import { RenewalsWorker } from '../../subscriptions/renewals.worker.js';

let test: GatewayWithPayments;
let admin: TestClient;
let client: TestClient;
let userId: string;
const heard: [string, string, number][] = [];
beforeAll(async () => {
  test = await GatewayWithPayments.start({ WORKERS: 'inline' });
  admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
  test.gateway.service.app.get(RefundsService).onRefunded((_em, { id, status }, { refunded_cents }) => {
    heard.push([id, status, refunded_cents]);
    return Promise.resolve();
  });
});
beforeEach(async () => {
  Object.assign(test.stripe.webhooks.settings, { copies: 1, shuffles: false });
  test.stripe.state.ahead = 0;
  await test.setTime('2031-01-31T12:00:00Z');
  heard.length = 0;
  const user = await test.gateway.user();
  userId = user.id;
  client = await test.gateway.signIn(user);
});
/** The ledger is correct after each test. */
afterEach(async () => {
  expect(await ledgerProblems(test.gateway)).toEqual([]);
});
afterAll(() => test.stop());

type Answer = TestResponse<RefundPaymentResponse>;
const refund = (intentId: string, body: object = {}, by = admin): Promise<Answer> =>
  by.post<RefundPaymentResponse>(`/v1/admin/payments/${intentId}/refund`, { note: 'x', ...body });
/** Retries after 503 (a lock was not free in time) with the same key, as a client does. */
const refundBesideOthers = async (intentId: string, body: object = {}): Promise<Answer> => {
  const by = admin.withHeaders({ 'Idempotency-Key': newId('key') });
  for (;;) {
    const answer = await refund(intentId, body, by);
    if (answer.status !== 503) return answer;
  }
};
const wallet = async (): Promise<WalletResponse> => (await client.get<WalletResponse>('/v1/billing/wallet')).body;
/** Balance and debt. */
const credits = async (): Promise<[number, number]> => {
  const [row] = await test.gateway.service.query<{ balance: string; debt: string }>(
    "SELECT balance, debt FROM wallets WHERE user_id = $1 AND kind = 'user'",
    [userId],
  );
  return [Number(row?.balance ?? 0), Number(row?.debt ?? 0)];
};
const payment = async (): Promise<PaymentHistoryItem | undefined> =>
  (await client.get<PaymentHistoryItem[]>('/v1/billing/payments')).body[0];
const plan = async (): Promise<SubscriptionResponse> =>
  (await client.get<SubscriptionResponse>('/v1/billing/subscription')).body;
const codeOf = ({ status, body }: TestResponse<unknown>): [number, string] => [status, (body as { code: string }).code];
const refundsOf = (intentId: string) =>
  test.gateway.service.query(
    `SELECT r.* FROM payment_refunds r JOIN payments p ON p.id = r.payment_id WHERE p.provider_intent_id = $1 ORDER BY r.number`,
    [intentId],
  );
const atProvider = (intentId: string) =>
  test.stripe.state.list('refund').filter(({ payment_intent }) => payment_intent === intentId);
const chargeOf = (intentId: string): string =>
  test.stripe.state.find('payment_intent', intentId)?.latest_charge as string;
const renewAll = () => test.gateway.service.app.get(RenewalsWorker).renewDueSubscriptions();
const sweep = () =>
  test.gateway.service.app.get(RefundSweepService).checkDueRefunds({ since: new Date(Date.now() + 60_000) });
/** Refunds in Stripe's dashboard. */
const atDashboard = async (intentId: string, amount?: number): Promise<void> => {
  await fetch(`${test.stripe.url}/v1/refunds`, {
    method: 'POST',
    headers: { Authorization: 'Bearer sk_test_stand_in', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ payment_intent: intentId, ...(amount && { amount: String(amount) }) }),
  });
  await test.settled();
};

/** Pays 10 dollars for 10,000 credits. Returns the intent. */
async function topup(cents = 1_000): Promise<string> {
  const { body } = await test.gateway
    .actingFor(userId)
    .post<TopUpResponse>('/v1/billing/topup', { tokens: cents * 10, price_cents: cents });
  expect(await test.pay(body.payment_intent_id, body.client_secret)).toBe('succeeded');
  await test.settled();
  return body.payment_intent_id;
}

async function buy(plan_id = 'pro'): Promise<string> {
  const { body } = await client.post<CheckoutResponse>('/v1/billing/checkout', { plan_id });
  expect(await test.pay(body.payment_intent_id, body.client_secret)).toBe('succeeded');
  await test.settled();
  return body.payment_intent_id;
}

async function spend(amount: number): Promise<void> {
  const walletId = await test.gateway.service.app.get(WalletsRepository).ensureWallet(userId);
  const { outcome } = await test.gateway.service.app
    .get(LedgerService)
    .debit(walletId, { key: newId('test'), amount, kind: 'call_charge' });
  expect(outcome).toBe('done');
}

describe('a refund of bought credits', () => {
  it('gives all of it back and takes the credits', async () => {
    const intent = await topup();
    const answer = await refund(intent);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        payment_intent_id: intent,
        status: 'succeeded',
        amount_cents: 1_000,
        refunded_cents: 1_000,
        left_cents: 0,
        credits_taken: 10_000,
        debt: 0,
      },
    });
    expect(await credits()).toEqual([0, 0]);
    expect(await payment()).toMatchObject({ status: 'refunded', refunded_cents: 1_000 });
    expect(atProvider(intent)).toMatchObject([{ amount: 1_000, metadata: { refund_id: answer.body.refund_id } }]);
    await test.settled();
    expect(heard).toEqual([[answer.body.refund_id, 'succeeded', 1_000]]);
    expect(await refundsOf(intent)).toHaveLength(1);
    expect(codeOf(await refund(intent))).toEqual([409, 'refund.nothing_left']);
  });

  it('fault 11: in parts takes the credits in proportion, and in the end all', async () => {
    const intent = await topup();
    expect((await refund(intent, { amount_cents: 333 })).body).toMatchObject({
      credits_taken: 3_330,
      left_cents: 667,
      refunded_cents: 333,
    });
    expect((await refund(intent, { amount_cents: 333 })).body).toMatchObject({ credits_taken: 3_330, left_cents: 334 });
    expect(await refund(intent, { amount_cents: 335 })).toMatchObject({
      status: 409,
      body: { code: 'refund.too_much', left_cents: 334 },
    });
    expect(await payment()).toMatchObject({ status: 'succeeded', refunded_cents: 666 });
    expect((await refund(intent)).body).toMatchObject({ amount_cents: 334, credits_taken: 3_340, left_cents: 0 });
    expect(await credits()).toEqual([0, 0]);
    expect((await refundsOf(intent)).map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it('fault 11: that were spent is owed, and the next top-up pays that first', async () => {
    const intent = await topup();
    await spend(7_000);
    expect((await refund(intent)).body).toMatchObject({ credits_taken: 10_000, debt: 7_000 });
    expect(await credits()).toEqual([0, 7_000]);
    await topup();
    expect(await credits()).toEqual([3_000, 0]);
  });

  it('takes what the user has earned before it becomes a debt, and nothing of other developers', async () => {
    const other = await test.gateway.user();
    const otherWallet = await giveCredits(test.gateway, other.id, 500, {
      walletKind: 'earnings',
      kind: 'payout_return',
      source: 'commission',
    });
    await giveCredits(test.gateway, userId, 2_000, {
      walletKind: 'earnings',
      kind: 'payout_return',
      source: 'commission',
    });
    const intent = await topup();
    await spend(7_000);
    expect((await refund(intent)).body).toMatchObject({ credits_taken: 10_000, debt: 5_000 });
    const balances = await test.gateway.service.query(
      "SELECT balance FROM wallets WHERE kind = 'earnings' AND (user_id = $1 OR id = $2) ORDER BY balance",
      [userId, otherWallet],
    );
    expect(balances).toEqual([{ balance: '0' }, { balance: '500' }]);
  });

  it('fault 11: that fails afterwards brings the credits back once, and may be made again', async () => {
    const intent = await topup();
    await spend(4_000);
    await refund(intent);
    expect(await credits()).toEqual([0, 4_000]);
    test.stripe.webhooks.settings.copies = 3;
    test.stripe.failRefund(atProvider(intent)[0]?.id ?? '');
    await test.settled();
    expect(await credits()).toEqual([6_000, 0]);
    expect(await payment()).toMatchObject({ status: 'succeeded', refunded_cents: 0 });
    expect(await refundsOf(intent)).toMatchObject([
      { status: 'failed', failure: 'lost_or_stolen_card', credits: '0', debt: '0' },
    ]);
    expect((await refund(intent)).body).toMatchObject({ status: 'succeeded', credits_taken: 10_000, debt: 4_000 });
    expect(await credits()).toEqual([0, 4_000]);
  });

  it('fault 11: is one of 100 at once that want all of it', async () => {
    const intent = await topup();
    const answers = await Promise.all(Array.from({ length: 100 }, () => refundBesideOthers(intent)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(99);
    await test.settled();
    expect(atProvider(intent)).toHaveLength(1);
    expect(await credits()).toEqual([0, 0]);
    expect(heard).toHaveLength(1);
  });

  it('fault 11: of 100 parts at once never exceeds the payment', async () => {
    const intent = await topup();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => refundBesideOthers(intent, { amount_cents: 90 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(11);
    await test.settled();
    expect(atProvider(intent)).toHaveLength(11);
    expect(await credits()).toEqual([100, 0]);
    expect(await payment()).toMatchObject({ refunded_cents: 990 });
  });

  it('fault 11: has its effect once of 100 events', async () => {
    const intent = await topup();
    test.stripe.webhooks.settings.copies = 50;
    await refund(intent, { amount_cents: 400 });
    await test.settled();
    const app = test.gateway.service.app.get(RefundsService);
    await Promise.all(Array.from({ length: 100 }, () => app.refreshRefund(atProvider(intent)[0]?.id ?? '')));
    expect(await credits()).toEqual([6_000, 0]);
    expect(heard).toHaveLength(1);
  });

  it('is asked for once by one key', async () => {
    const intent = await topup();
    const by = admin.withHeaders({ 'Idempotency-Key': newId('key') });
    const answers = [await refund(intent, { amount_cents: 100 }, by), await refund(intent, { amount_cents: 100 }, by)];
    expect(answers[1]?.body.refund_id).toBe(answers[0]?.body.refund_id);
    expect(await refundsOf(intent)).toHaveLength(1);
  });
});

describe('while the provider does not answer, a refund', () => {
  it.each<[string, 'lost_before' | 'lost_after']>([
    ['did not reach it', 'lost_before'],
    ['was made', 'lost_after'],
  ])('stays requested, and is made once by the sweep, where it %s', async (_what, kind) => {
    const intent = await topup();
    await test.stopWebhooks();
    test.stripe.planFault(/^POST \/v1\/refunds$/, { kind }, 3);
    const answer = await refund(intent, { amount_cents: 400 });
    expect(answer).toMatchObject({ status: 200, body: { status: 'requested', credits_taken: 0, left_cents: 600 } });
    expect(await credits()).toEqual([10_000, 0]);
    await sweep();
    expect(await refundsOf(intent)).toMatchObject([{ status: 'succeeded', credits: '4000' }]);
    expect(atProvider(intent)).toHaveLength(1);
    expect(await credits()).toEqual([6_000, 0]);
  });

  it('that the provider fails at waits as long as it keeps that answer for the key, and is made then', async () => {
    const intent = await topup();
    test.stripe.planFault(/^POST \/v1\/refunds$/, { kind: 'answer', status: 500 });
    expect((await refund(intent, { amount_cents: 400 })).body).toMatchObject({ status: 'requested', left_cents: 600 });
    await sweep();
    expect(await refundsOf(intent)).toMatchObject([{ status: 'requested' }]);
    await test.gateway.service.query("UPDATE payment_refunds SET created_at = now() - interval '1 day'");
    test.stripe.state.ahead = 25 * 3_600;
    await sweep();
    expect(await refundsOf(intent)).toMatchObject([{ status: 'succeeded', credits: '4000' }]);
    expect(atProvider(intent)).toHaveLength(1);
  });

  it('that did not reach the provider gives way to one that was made there of the same money', async () => {
    const intent = await topup();
    test.stripe.planFault(/^POST \/v1\/refunds$/, { kind: 'lost_before' }, 3);
    expect((await refund(intent, { amount_cents: 600 })).body).toMatchObject({ status: 'requested' });
    await atDashboard(intent, 500);
    expect(await refundsOf(intent)).toMatchObject([
      { status: 'failed', amount_cents: 600, reason: 'requested' },
      { status: 'succeeded', amount_cents: 500, reason: 'provider', credits: '5000' },
    ]);
    expect(await credits()).toEqual([5_000, 0]);
  });

  it('that the provider fails at leaves one that was made there of the same money unknown only as long as that lasts', async () => {
    const intent = await topup();
    test.stripe.planFault(/^POST \/v1\/refunds$/, { kind: 'answer', status: 500 });
    expect((await refund(intent, { amount_cents: 600 })).body).toMatchObject({ status: 'requested' });
    await test.stopWebhooks();
    await atDashboard(intent, 500);
    // The job of its event retries for half an hour; the provider keeps an idempotent answer for a
    // day.
    await expect(test.gateway.service.app.get(RefundsService).refreshPaymentRefunds(intent)).rejects.toThrow();
    await test.gateway.service.query("UPDATE payment_refunds SET created_at = now() - interval '1 day'");
    test.stripe.state.ahead = 25 * 3_600;
    await sweep();
    expect(await refundsOf(intent)).toMatchObject([
      { status: 'failed' },
      { status: 'succeeded', amount_cents: 500, credits: '5000' },
    ]);
    expect(await credits()).toEqual([5_000, 0]);
  });

  it('that has failed unheard gives way to one that was made there afterwards', async () => {
    const intent = await topup();
    await refund(intent, { amount_cents: 600 });
    await test.stopWebhooks();
    test.stripe.failRefund(atProvider(intent)[0]?.id ?? '');
    await atDashboard(intent, 500);
    const [made] = atProvider(intent).filter(({ amount }) => amount === 500);
    await test.gateway.service.app.get(RefundsService).refreshRefund(made?.id ?? '');
    expect(await refundsOf(intent)).toMatchObject([
      { status: 'failed', amount_cents: 600 },
      { status: 'succeeded', amount_cents: 500, credits: '5000' },
    ]);
    expect(await credits()).toEqual([5_000, 0]);
  });

  it('is looked for where the key is forgotten, and not made again', async () => {
    const intent = await topup();
    await test.stopWebhooks();
    test.stripe.planFault(/^POST \/v1\/refunds$/, { kind: 'lost_after' }, 3);
    await refund(intent, { amount_cents: 400 });
    await test.gateway.service.query("UPDATE payment_refunds SET created_at = now() - interval '3 days'");
    for (const { id } of test.stripe.state.list('replay'))
      test.stripe.state.put('replay', { id, hash: '', created: 0, status: 200, body: '' });
    await sweep();
    expect(atProvider(intent)).toHaveLength(1);
    expect(await credits()).toEqual([6_000, 0]);
  });

  it('is found by an event, whichever comes first', async () => {
    const intent = await topup();
    test.stripe.planFault(/^POST \/v1\/refunds$/, { kind: 'lost_after' }, 3);
    await refund(intent);
    await test.settled();
    expect(await refundsOf(intent)).toMatchObject([{ status: 'succeeded', reason: 'requested' }]);
    expect(await credits()).toEqual([0, 0]);
  });

  it('shows how old it is', async () => {
    const intent = await topup();
    test.stripe.planFault(/^POST \/v1\/refunds$/, { kind: 'lost_before' }, 3);
    await refund(intent);
    await test.gateway.service.query(
      "UPDATE payment_refunds SET created_at = now() - interval '1 hour' WHERE status = 'requested'",
    );
    const text = await test.gateway.service.app.get(Registry).metrics();
    expect(Number(/refunds_open_age_seconds\{[^}]*requested[^}]*\} (\S+)/.exec(text)?.[1])).toBeGreaterThan(3_500);
    await sweep();
  });
});

describe('a refund in the dashboard of the provider', () => {
  it('has the same effect, by whichever event it comes', async () => {
    const intent = await topup();
    await atDashboard(intent, 250);
    expect(await refundsOf(intent)).toMatchObject([
      { reason: 'provider', status: 'succeeded', amount_cents: 250, credits: '2500' },
    ]);
    expect(await credits()).toEqual([7_500, 0]);
    expect((await refund(intent)).body).toMatchObject({ amount_cents: 750, credits_taken: 7_500 });
    await test.settled();
    expect(heard).toHaveLength(2);
  });

  it('in another currency is logged and changes nothing', async () => {
    const intent = await topup();
    await test.stopWebhooks();
    await atDashboard(intent, 250);
    for (const found of atProvider(intent)) found.currency = 'eur';
    await test.gateway.service.app.get(RefundsService).refreshPaymentRefunds(intent);
    expect(await refundsOf(intent)).toEqual([]);
    expect(await credits()).toEqual([10_000, 0]);
    expect(
      test.gateway.service.logLines.filter((line) =>
        line.includes('a refund at the provider differs from the stored one'),
      ),
    ).toHaveLength(1);
  });

  it('that is heard of before the payment is settles both', async () => {
    const { body } = await test.gateway
      .actingFor(userId)
      .post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
    await test.stopWebhooks();
    await test.pay(body.payment_intent_id, body.client_secret);
    await atDashboard(body.payment_intent_id);
    await test.gateway.service.app.get(RefundsService).refreshPaymentRefunds(body.payment_intent_id);
    expect(await payment()).toMatchObject({ status: 'refunded' });
    expect(await credits()).toEqual([0, 0]);
  });

  it('of all while ours is denied leaves ours failed, and is found with that', async () => {
    const intent = await topup();
    test.stripe.planFault(/^POST \/v1\/refunds$/, { kind: 'lost_before' }, 3);
    await refund(intent, { amount_cents: 600 });
    await test.stopWebhooks();
    await atDashboard(intent);
    await sweep();
    expect(await refundsOf(intent)).toMatchObject([
      { status: 'failed', reason: 'requested', failure: expect.any(String) },
      { status: 'succeeded', reason: 'provider' },
    ]);
    expect(await credits()).toEqual([0, 0]);
    const actions = await test.gateway.service.query<{ action: string }>(
      `SELECT a.action FROM gateway_audit.audit_entries a JOIN payments p ON p.id = a.target_id
       WHERE a.action LIKE 'payment.refund_%' AND p.provider_intent_id = $1`,
      [intent],
    );
    expect(actions.map(({ action }) => action).sort()).toEqual([
      'payment.refund_failed',
      'payment.refund_requested',
      'payment.refund_succeeded',
    ]);
  });
});

describe('a refund of a plan', () => {
  it('in full ends it, and the user has the free one', async () => {
    const intent = await buy();
    const answer = await refund(intent);
    expect(answer.body).toMatchObject({ amount_cents: 2_900, credits_taken: 30_000, debt: 0 });
    expect(await plan()).toMatchObject({ plan: 'free', status: 'active' });
    const [sub] = await test.gateway.service.query(
      "SELECT status FROM subscriptions WHERE user_id = $1 AND plan_id = 'pro'",
      [userId],
    );
    expect(sub).toEqual({ status: 'expired' });
  });

  it('in part leaves it, and takes its credits in proportion', async () => {
    const intent = await buy();
    const [before] = await credits();
    expect((await refund(intent, { amount_cents: 1_000 })).body.credits_taken).toBe(
      Math.floor((30_000 * 1_000) / 2_900),
    );
    expect(await plan()).toMatchObject({ plan: 'pro', status: 'active' });
    expect(await credits()).toEqual([before - 10_344, 0]);
    expect((await refund(intent)).body.credits_taken).toBe(30_000 - 10_344);
    expect(await plan()).toMatchObject({ plan: 'free' });
  });

  it('takes nothing a second time of what has expired', async () => {
    const intent = await buy();
    await spend(1_000);
    await test.setTime('2031-03-01T12:00:00Z');
    expect((await refund(intent)).body).toMatchObject({ amount_cents: 2_900, credits_taken: 1_000, debt: 1_000 });
  });

  it('and of its change within the same period takes together what was spent of both, and nothing that has expired', async () => {
    const intent = await buy();
    const { body } = await client.post<{ payment_intent_id: string; tokens: number }>('/v1/billing/change-plan', {
      plan_id: 'business',
    });
    await test.settled();
    const given = 30_000 + body.tokens;
    await spend(60_000);
    await test.setTime('2031-03-01T12:00:00Z');
    const ofChange = (await refund(body.payment_intent_id)).body.credits_taken;
    expect(ofChange + (await refund(intent)).body.credits_taken).toBe(60_000);
    expect(given).toBeGreaterThan(100_000);
  });

  it('of a period before leaves the plan, and takes nothing of what this period brought', async () => {
    const intent = await buy();
    await test.setTime('2031-02-28T12:01:00Z');
    await renewAll();
    const before = await credits();
    expect((await refund(intent)).body).toMatchObject({ credits_taken: 0 });
    expect(await credits()).toEqual(before);
    expect(await plan()).toMatchObject({ plan: 'pro', status: 'active' });
  });

  it('that was renewed after it had expired ends the new one', async () => {
    await buy();
    await client.post('/v1/billing/cancel');
    await test.setTime('2031-03-20T09:00:00Z');
    await renewAll();
    const { body } = await client.post<{ payment_intent_id: string }>('/v1/billing/renew');
    await test.settled();
    expect((await refund(body.payment_intent_id)).body).toMatchObject({ credits_taken: 30_000, debt: 0 });
    expect(await plan()).toMatchObject({ plan: 'free' });
  });

  it('of a change to a larger one leaves the plan that was paid before', async () => {
    await buy('starter');
    const { body } = await client.post<{ payment_intent_id: string }>('/v1/billing/change-plan', { plan_id: 'pro' });
    await test.settled();
    expect(await plan()).toMatchObject({ plan: 'pro' });
    await refund(body.payment_intent_id);
    expect(await plan()).toMatchObject({ plan: 'starter', status: 'active' });
  });

  it('of a change to a larger one lets its user change again, for another payment', async () => {
    await buy('starter');
    const change = () =>
      client.post<{ payment_intent_id: string; succeeded: boolean }>('/v1/billing/change-plan', { plan_id: 'pro' });
    const first = (await change()).body;
    await test.settled();
    await refund(first.payment_intent_id);
    const second = (await change()).body;
    await test.settled();
    expect(second).toMatchObject({ succeeded: true });
    expect(second.payment_intent_id).not.toBe(first.payment_intent_id);
    expect(await plan()).toMatchObject({ plan: 'pro', status: 'active' });
  });
});

it('of what could not be given is made by itself, and takes no credits', async () => {
  const { body } = await test.gateway
    .actingFor(userId)
    .post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
  expect((await admin.delete(`/v1/users/${userId}?permanent=true`)).status).toBe(200);
  expect(await test.pay(body.payment_intent_id, body.client_secret)).toBe('succeeded');
  await test.settled();
  await until(async () => (await refundsOf(body.payment_intent_id))[0]?.['status'] === 'succeeded');
  expect(await refundsOf(body.payment_intent_id)).toMatchObject([
    { reason: 'not_deliverable', status: 'succeeded', credits: '0' },
  ]);
  expect(atProvider(body.payment_intent_id)).toHaveLength(1);
});

it('of a user who was erased gives the money back, and takes nothing; its note is gone', async () => {
  const intent = await topup();
  await refund(intent, { amount_cents: 100, note: 'Ada Lovelace wants it' });
  expect((await admin.delete(`/v1/users/${userId}?permanent=true`)).status).toBe(200);
  expect(await refund(intent)).toMatchObject({
    status: 200,
    body: { status: 'succeeded', credits_taken: 0, debt: 0, refunded_cents: 1_000 },
  });
  expect(await refundsOf(intent)).toMatchObject([{ note: null }, { note: 'x' }]);
});

it('is in the audit log once, and not its note', async () => {
  const intent = await topup();
  const { body } = await refund(intent, { note: 'because' });
  const entries = await test.gateway.service.query(
    `SELECT a.metadata, a.tenant_id FROM gateway_audit.audit_entries a JOIN payments p ON p.id = a.target_id
     WHERE a.action = 'payment.refund_requested' AND p.provider_intent_id = $1`,
    [intent],
  );
  expect(entries).toEqual([{ metadata: { refund_id: body.refund_id, amount_cents: 1_000 }, tenant_id: 'default' }]);
});

it('is for the administrators of the platform and trusted backends', async () => {
  const intent = await topup();
  const { id: tenant_id } = await createTenant(test.gateway.backend());
  const theirs = await test.gateway.user({ tenant_id, role: 'admin' });
  const refused = [await test.gateway.signIn(theirs), test.gateway.actingFor(theirs.id), client];
  for (const by of refused) {
    for (const one of [intent, 'pi_none'])
      expect(codeOf(await refund(one, {}, by))).toEqual([403, 'insufficient_scope']);
  }
  expect((await refund(intent, {}, test.gateway.client())).status).toBe(401);
  expect(codeOf(await refund('pi_none'))).toEqual([404, 'payment.not_found']);
  expect((await refund(intent, { amount_cents: 1 }, test.gateway.backend())).status).toBe(200);
});

it('is refused of what is not paid', async () => {
  const { body } = await test.gateway
    .actingFor(userId)
    .post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
  expect(codeOf(await refund(body.payment_intent_id))).toEqual([409, 'refund.not_paid']);
});

it.each([
  ['0', { amount_cents: 0 }],
  ['less than nothing', { amount_cents: -1 }],
  ['a fraction', { amount_cents: 0.5 }],
  ['a text', { amount_cents: '1' }],
  ['no note', { note: undefined }],
  ['an empty note', { note: '' }],
  ['a field that there is not', { currency: 'eur' }],
])('refuses %s', async (_what, body) => {
  expect(codeOf(await refund('pi_x', body))).toEqual([422, 'validation_failed']);
});

describe('a dispute', () => {
  const open = async (intent: string, amount?: number) => {
    const { id } = test.stripe.openDispute(chargeOf(intent), amount === undefined ? {} : { amount });
    await test.settled();
    return id;
  };
  const dispute = (id: string) =>
    test.gateway.service.query('SELECT * FROM payment_disputes WHERE provider_dispute_id = $1', [id]);

  it('fault 12: takes the credits, and blocks who owes some', async () => {
    const intent = await topup();
    await spend(7_000);
    const id = await open(intent);
    expect(await dispute(id)).toMatchObject([
      { status: 'needs_response', reason: 'fraudulent', credits: '10000', debt: '7000' },
    ]);
    expect(await credits()).toEqual([0, 7_000]);
    expect(await wallet()).toMatchObject({ balance: 0 });
    expect(codeOf(await refund(intent))).toEqual([409, 'refund.nothing_left']);
  });

  it.each<['won' | 'lost', [number, number]]>([
    ['won', [3_000, 0]],
    ['lost', [0, 7_000]],
  ])('fault 12: that is %s leaves the credits as they belong, however often it is told', async (outcome, expected) => {
    const intent = await topup();
    await spend(7_000);
    const id = await open(intent);
    test.stripe.webhooks.settings.copies = 5;
    test.stripe.closeDispute(id, outcome);
    await test.settled();
    expect(await credits()).toEqual(expected);
    expect(await dispute(id)).toMatchObject([{ status: outcome, closed_at: expect.any(Date) }]);
  });

  it.each(['won', 'lost'] as const)(
    'fault 12: that is %s before anything was heard, with all events at once in another order',
    async (outcome) => {
      const intent = await topup();
      Object.assign(test.stripe.webhooks.settings, { copies: 4, shuffles: true, delayMs: 50 });
      const { id } = test.stripe.openDispute(chargeOf(intent));
      test.stripe.closeDispute(id, outcome);
      await test.settled();
      test.stripe.webhooks.settings.delayMs = 0;
      expect(await credits()).toEqual([outcome === 'won' ? 10_000 : 0, 0]);
    },
  );

  it('fault 12: that was won is not taken again by what is heard late', async () => {
    const intent = await topup();
    const id = await open(intent);
    test.stripe.closeDispute(id, 'won');
    await test.settled();
    const won = test.stripe.state.find('dispute', id);
    if (!won) throw new Error('There is no dispute.');
    for (const status of ['needs_response', 'under_review', 'lost'] as const) {
      test.stripe.state.put('dispute', { ...won, status });
      test.stripe.webhooks.emit('charge.dispute.updated', won);
      await test.settled();
      expect(await credits()).toEqual([10_000, 0]);
    }
    expect(await dispute(id)).toMatchObject([{ status: 'won' }]);
  });

  it('that is a warning moves nothing, until it is more', async () => {
    const intent = await topup();
    await test.stopWebhooks();
    const { id } = test.stripe.openDispute(chargeOf(intent));
    test.stripe.webhooks.settings.copies = 1;
    const opened = test.stripe.state.find('dispute', id);
    if (!opened) throw new Error('There is no dispute.');
    for (const [status, left] of [
      ['warning_needs_response', 10_000],
      ['warning_under_review', 10_000],
      ['needs_response', 0],
    ] as const) {
      test.stripe.state.put('dispute', { ...opened, status });
      test.stripe.webhooks.emit('charge.dispute.updated', opened);
      await test.settled();
      expect([status, await credits()]).toEqual([status, [left, 0]]);
    }
  });

  it('that is heard of before the refund whose failure made it possible takes what is its own after all', async () => {
    const intent = await topup();
    await refund(intent);
    await test.stopWebhooks(); // otherwise its own event may report the failure
    test.stripe.failRefund(atProvider(intent)[0]?.id ?? '');
    const { id } = test.stripe.openDispute(chargeOf(intent), { amount: 731 });
    await test.gateway.service.app.get(DisputesService).refreshDispute(id);
    expect(await dispute(id)).toMatchObject([{ credits: '0', debt: '0' }]);
    await test.gateway.service.app.get(RefundsService).refreshPaymentRefunds(intent);
    expect(await dispute(id)).toMatchObject([{ credits: '7310', debt: '0' }]);
    expect(await credits()).toEqual([2_690, 0]);
    test.stripe.webhooks.settings.copies = 1;
    test.stripe.closeDispute(id, 'won');
    await test.settled();
    expect(await credits()).toEqual([10_000, 0]);
  });

  it('that found less because of a refund takes the rest once that has failed, and all of it comes back when it is won', async () => {
    const intent = await topup();
    await refund(intent, { amount_cents: 400 });
    await test.stopWebhooks();
    test.stripe.failRefund(atProvider(intent)[0]?.id ?? '');
    const { id } = test.stripe.openDispute(chargeOf(intent), { amount: 1_000 });
    await test.gateway.service.app.get(DisputesService).refreshDispute(id);
    expect(await dispute(id)).toMatchObject([{ credits: '6000' }]);
    await test.gateway.service.app.get(RefundsService).refreshPaymentRefunds(intent);
    expect(await dispute(id)).toMatchObject([{ credits: '10000', debt: '0' }]);
    expect(await credits()).toEqual([0, 0]);
    test.stripe.webhooks.settings.copies = 1;
    test.stripe.closeDispute(id, 'won');
    await test.settled();
    expect(await credits()).toEqual([10_000, 0]);
    expect([await refundsOf(intent), await dispute(id)]).toMatchObject([[{ credits: '0' }], [{ credits: '0' }]]);
  });

  it('that is won leaves to a refund what that did not find because of it', async () => {
    const intent = await topup();
    const id = await open(intent);
    await test.stopWebhooks();
    test.stripe.closeDispute(id, 'won');
    await atDashboard(intent, 400);
    await test.gateway.service.app.get(RefundsService).refreshPaymentRefunds(intent);
    expect(await refundsOf(intent)).toMatchObject([{ status: 'succeeded', credits: '0' }]);
    await test.gateway.service.app.get(DisputesService).refreshDispute(id);
    expect(await refundsOf(intent)).toMatchObject([{ status: 'succeeded', credits: '4000', debt: '0' }]);
    expect(await credits()).toEqual([6_000, 0]);
  });

  it('takes the rest of each refund that fails after it', async () => {
    const intent = await topup();
    await refund(intent, { amount_cents: 600 });
    await refund(intent, { amount_cents: 400 });
    await test.stopWebhooks();
    for (const { id } of atProvider(intent)) test.stripe.failRefund(id);
    const { id } = test.stripe.openDispute(chargeOf(intent));
    await test.gateway.service.app.get(DisputesService).refreshDispute(id);
    expect(await dispute(id)).toMatchObject([{ credits: '0' }]);
    await test.gateway.service.app.get(RefundsService).refreshPaymentRefunds(intent);
    expect(await dispute(id)).toMatchObject([{ credits: '10000' }]);
    expect(await credits()).toEqual([0, 0]);
    test.stripe.webhooks.settings.copies = 1;
    test.stripe.closeDispute(id, 'won');
    await test.settled();
    expect(await credits()).toEqual([10_000, 0]);
  });

  it.each(['refund', 'dispute'] as const)(
    'that is won, and then all is refunded, keeps no credits, where the %s is heard first',
    async (first) => {
      const intent = await topup();
      const id = await open(intent);
      await test.stopWebhooks();
      test.stripe.closeDispute(id, 'won');
      await atDashboard(intent);
      const hear = {
        refund: () => test.gateway.service.app.get(RefundsService).refreshPaymentRefunds(intent),
        dispute: () => test.gateway.service.app.get(DisputesService).refreshDispute(id),
      };
      await hear[first]();
      await hear[first === 'refund' ? 'dispute' : 'refund']();
      expect(await credits()).toEqual([0, 0]);
      expect([await refundsOf(intent), await dispute(id)]).toMatchObject([
        [{ status: 'succeeded', credits: '10000' }],
        [{ status: 'won', credits: '0' }],
      ]);
    },
  );

  it('of a second payment for a month, which brought nothing, takes nothing of what the first one brought, also where its refund fails', async () => {
    const intent = await buy();
    const before = await credits();
    const [twin, refundId] = [newId('pay'), newId('refund')];
    await test.gateway.service.query(
      `INSERT INTO payments (id, tenant_id, user_id, purpose, scope, status, amount_cents, currency, credits, is_live, subscription_id, plan_id, plan_version,
         period_number, provider_intent_id, completed_at)
       SELECT $1, tenant_id, user_id, 'renewal', 'again:' || $1, 'succeeded', amount_cents, currency, 0, is_live, subscription_id, plan_id, plan_version,
         period_number, $1, now() FROM payments WHERE provider_intent_id = $2`,
      [twin, intent],
    );
    await test.gateway.service.query(
      `INSERT INTO payment_refunds (id, tenant_id, payment_id, number, amount_cents, reason, status, provider_refund_id, completed_at)
       SELECT $1, tenant_id, id, 1, amount_cents, 'not_deliverable', 'succeeded', $1, now() FROM payments WHERE id = $2`,
      [refundId, twin],
    );
    await test.gateway.service.query(
      `INSERT INTO payment_disputes (id, tenant_id, payment_id, provider_dispute_id, amount_cents, status, reason, created_at, taken_at)
       SELECT $1, tenant_id, id, $1, amount_cents, 'lost', 'general', now(), now() FROM payments WHERE id = $2`,
      [newId('dispute'), twin],
    );
    const first = await topup();
    await refund(first);
    const [template] = atProvider(first);
    if (!template) throw new Error('There is no refund.');
    const failed = { payment_intent: twin, amount: 2_900, metadata: { refund_id: refundId }, status: 'failed' };
    test.stripe.state.put('refund', { ...template, ...failed, id: refundId });
    await test.gateway.service.app.get(RefundsService).refreshRefund(refundId);
    expect(
      (await test.gateway.service.query('SELECT status FROM payment_refunds WHERE id = $1', [refundId]))[0],
    ).toEqual({
      status: 'failed',
    });
    expect(await credits()).toEqual(before);
    expect(await plan()).toMatchObject({ plan: 'pro' });
  });

  it('of a part after a refund of the other takes each credit once', async () => {
    const intent = await topup();
    await refund(intent, { amount_cents: 400 });
    await open(intent);
    expect(await credits()).toEqual([0, 0]);
  });

  it('of a plan in full ends it', async () => {
    const intent = await buy();
    const id = await open(intent);
    expect(await plan()).toMatchObject({ plan: 'free' });
    expect(await dispute(id)).toMatchObject([{ credits: '30000', debt: '0' }]);
  });
});

describe('the database refuses', () => {
  const ofPayment = (intent: string, sql: string) => test.gateway.service.query(sql, [intent]);
  const PAYMENT = '(SELECT id FROM payments WHERE provider_intent_id = $1)';
  const insert = (cents: number, status: string) =>
    `INSERT INTO payment_refunds (id, tenant_id, payment_id, number, amount_cents, reason, status)
     VALUES ('${newId('refund')}', 'default', ${PAYMENT}, 9, ${cents}, 'requested', '${status}')`;

  it.each<[string, string, string | RegExp]>([
    ['refunds beyond the payment', insert(601, 'requested'), 'payments_returning_check'],
    ['a refund that is done at once beyond it', insert(601, 'succeeded'), 'payments_refunded_check'],
    [
      'more refunded than goes back',
      'UPDATE payments SET refunded_cents = 500 WHERE provider_intent_id = $1',
      'payments_returning_check',
    ],
    [
      'another amount',
      `UPDATE payment_refunds SET amount_cents = 1 WHERE payment_id = ${PAYMENT}`,
      'a refund stays what it is',
    ],
    [
      'one that is undone',
      `UPDATE payment_refunds SET status = 'requested' WHERE payment_id = ${PAYMENT}`,
      'a refund stays what it is',
    ],
    [
      'another refund of the provider',
      `UPDATE payment_refunds SET provider_refund_id = 're_x' WHERE payment_id = ${PAYMENT}`,
      'stays what it is',
    ],
    [
      'one that goes',
      `DELETE FROM payment_refunds WHERE payment_id = ${PAYMENT}`,
      /never removed|invoices_refund_fkey/,
    ],
    ['all that go', `TRUNCATE payment_refunds CASCADE -- $1`, 'never changed or removed'],
  ])('%s', async (_what, sql, message) => {
    const intent = await topup();
    await refund(intent, { amount_cents: 400 });
    await test.settled(); // otherwise a job of its events may hold a lock that a statement waits for
    const values = sql.includes('-- $1')
      ? test.gateway.service.query(sql.replace(' -- $1', ''))
      : ofPayment(intent, sql);
    await expect(values).rejects.toThrow(message);
  });
});
