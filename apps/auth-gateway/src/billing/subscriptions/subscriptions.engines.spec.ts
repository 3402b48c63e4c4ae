import { PaymentSweepService } from '@platform/billing';
import type {
  CheckoutConfirmResponse,
  CheckoutResponse,
  PaymentHistoryItem,
  PlanChangePreview,
  PlanChangeResponse,
  RenewResponse,
  SubscriptionResponse,
  WalletResponse,
} from '@platform/contracts';
import { newId } from '@platform/platform';
import { HeldLock, type TestClient } from '@platform/testing';
import { GatewayWithPayments } from '../../testing/gateway-with-payments.js';
import { createTenant } from '../../testing/tenants.js';
import { RenewalsWorker } from './renewals.worker.js';

let test: GatewayWithPayments;
let client: TestClient;
let userId: string;
beforeAll(async () => {
  test = await GatewayWithPayments.start({ WORKERS: 'inline' });
});
beforeEach(async () => {
  test.stripe.webhooks.settings.copies = 1;
  await test.setTime('2031-01-31T12:00:00Z');
  // Subscriptions of earlier tests would be renewed, too.
  await test.gateway.service.query("UPDATE subscriptions SET status = 'canceled' WHERE plan_id <> 'free'");
  const user = await test.gateway.user();
  userId = user.id;
  client = await test.gateway.signIn(user);
});
afterAll(() => test.stop());

const post = <Body>(path: string, body: object = {}, by = client) => by.post<Body>(`/v1/billing/${path}`, body);
const checkout = (plan_id = 'pro', by = client) => post<CheckoutResponse>('checkout', { plan_id }, by);
const confirm = (payment_intent_id: string, by = client) =>
  post<CheckoutConfirmResponse>('checkout/confirm', { payment_intent_id }, by);
const subscription = async (by = client): Promise<SubscriptionResponse> =>
  (await by.get<SubscriptionResponse>('/v1/billing/subscription')).body;
const balance = async (): Promise<number> => (await client.get<WalletResponse>('/v1/billing/wallet')).body.balance;
const payments = async (): Promise<PaymentHistoryItem[]> =>
  (await client.get<PaymentHistoryItem[]>('/v1/billing/payments')).body;
const rows = (sql: string) => test.gateway.service.query(sql, [userId]);
const renewAll = () => test.gateway.service.app.get(RenewalsWorker).renewDueSubscriptions();
const sweepPayments = () =>
  test.gateway.service.app.get(PaymentSweepService).checkDuePayments({ since: new Date(Date.now() + 60_000) });
/** This day at noon; the minutes depend on the speed of the test. */
const until = (day: string): unknown => expect.stringMatching(`^${day}T12:00:`);
const codeOf = ({ status, body }: { status: number; body: unknown }): [number, string] => [
  status,
  (body as { code: string }).code,
];

/** Buys a plan and keeps the card. */
async function buy(plan = 'pro', card = 'pm_card_visa', by = client): Promise<CheckoutResponse> {
  const { body } = await checkout(plan, by);
  expect(await test.pay(body.payment_intent_id, body.client_secret, card)).toBe('succeeded');
  await test.settled();
  return body;
}

describe('a checkout', () => {
  it('begins the plan with its credits once it is paid, and the free one ends', async () => {
    const begun = await checkout();
    expect(begun).toMatchObject({
      status: 200,
      body: { amount_cents: 2_900, currency: 'usd', publishable_key: 'pk_test_stand_in' },
    });
    expect(await subscription()).toMatchObject({ plan: 'free' });
    expect(await test.pay(begun.body.payment_intent_id, begun.body.client_secret)).toBe('succeeded');
    const confirmed = await confirm(begun.body.payment_intent_id);
    expect(confirmed).toMatchObject({
      status: 200,
      body: { status: 'active', plan: 'pro', expires_at: until('2031-02-28') },
    });
    await test.settled();
    expect((await confirm(begun.body.payment_intent_id)).body).toEqual(confirmed.body);
    expect(await subscription()).toMatchObject({
      plan: 'pro',
      status: 'active',
      billing_mode: 'card',
      cancel_at_period_end: false,
    });
    expect(await balance()).toBe(30_000);
    expect(await payments()).toMatchObject([
      { status: 'succeeded', type: 'subscription', plan: 'pro', tokens: 30_000 },
    ]);
    expect(
      await rows("SELECT plan_id, status FROM subscriptions WHERE user_id = $1 AND status IN ('active', 'past_due')"),
    ).toEqual([{ plan_id: 'pro', status: 'active' }]);
  });

  it('lets developers earn of the credits that were paid for, and not of what the platform adds', async () => {
    await buy('business');
    const [wallet] = await rows("SELECT lots FROM wallets WHERE user_id = $1 AND kind = 'user'");
    expect(wallet?.['lots']).toMatchObject([
      { source: 'plan', earns: false, amount: 11_000 },
      { source: 'plan', earns: true, amount: 99_000 },
    ]);
  });

  it('sells starter too, and neither free, enterprise nor years', async () => {
    expect((await checkout('starter')).body.amount_cents).toBe(900);
    expect(codeOf(await checkout('free'))).toEqual([400, 'plan.not_for_sale']);
    expect(codeOf(await checkout('enterprise'))).toEqual([400, 'plan.not_for_sale']);
    expect(codeOf(await checkout('nothing'))).toEqual([404, 'plan.not_found']);
    expect(codeOf(await post('checkout', { plan_id: 'pro', period: 'annual' }))).toEqual([400, 'plan.monthly_only']);
    expect(codeOf(await post('checkout', { plan_id: 'pro', period: 'weekly' }))).toEqual([422, 'validation_failed']);
    expect(codeOf(await post('checkout', {}))).toEqual([422, 'validation_failed']);
  });

  it('that is not paid yet is 402, and 202 while the bank takes its time', async () => {
    const { body } = await checkout();
    expect(codeOf(await confirm(body.payment_intent_id))).toEqual([402, 'payment.not_paid']);
    expect(await test.pay(body.payment_intent_id, body.client_secret, 'pm_card_processing')).toBe('processing');
    expect(await confirm(body.payment_intent_id)).toMatchObject({
      status: 202,
      body: { status: 'processing', plan: 'pro', expires_at: null },
    });
    expect(await subscription()).toMatchObject({ plan: 'free' });
    test.stripe.finishProcessing(body.payment_intent_id);
    expect(await confirm(body.payment_intent_id)).toMatchObject({ status: 200, body: { status: 'active' } });
  });

  it("fault 23: is confirmed by its own user alone, whoever's the tenant", async () => {
    const { body } = await checkout();
    await test.pay(body.payment_intent_id, body.client_secret);
    const { id: tenant_id } = await createTenant(test.gateway.backend());
    for (const other of [await test.gateway.user(), await test.gateway.user({ tenant_id })]) {
      expect(codeOf(await confirm(body.payment_intent_id, test.gateway.actingFor(other.id)))).toEqual([
        404,
        'payment.not_found',
      ]);
      expect(await subscription(test.gateway.actingFor(other.id))).toMatchObject({ plan: 'free' });
    }
  });

  it('is refused to who has a paid plan', async () => {
    await buy();
    expect(codeOf(await checkout('business'))).toEqual([409, 'subscription.exists']);
  });

  it('takes the place of one that was begun, and its draft is gone', async () => {
    const first = (await checkout('pro')).body;
    const second = (await checkout('business')).body;
    expect(await test.pay(first.payment_intent_id, first.client_secret)).toBe('payment_intent_unexpected_state');
    expect(await test.pay(second.payment_intent_id, second.client_secret)).toBe('succeeded');
    await test.settled();
    expect(await subscription()).toMatchObject({ plan: 'business' });
    expect(await rows("SELECT plan_id FROM subscriptions WHERE user_id = $1 AND status = 'incomplete'")).toEqual([]);
  });

  it('that is paid while the provider does not hear that another takes its place gives its plan, and the other is not paid', async () => {
    const first = (await checkout('pro')).body;
    test.stripe.planFault(/^POST \/v1\/payment_intents\/\w+\/cancel$/, { kind: 'lost_before' }, 3);
    expect((await checkout('business')).status).toBe(503);
    expect(await test.pay(first.payment_intent_id, first.client_secret)).toBe('succeeded');
    await test.settled();
    expect(await subscription()).toMatchObject({ plan: 'pro' });
    expect(codeOf(await checkout('business'))).toEqual([409, 'subscription.exists']);
    expect((await payments()).filter(({ status }) => status === 'succeeded')).toHaveLength(1);
    expect(await balance()).toBe(30_000);
  });

  it('whose bank takes its time, and that is paid after another, gives its money back', async () => {
    const first = (await checkout('pro')).body;
    expect(await test.pay(first.payment_intent_id, first.client_secret, 'pm_card_processing')).toBe('processing');
    await test.settled();
    await buy('business');
    test.stripe.finishProcessing(first.payment_intent_id);
    await test.settled();
    expect(await subscription()).toMatchObject({ plan: 'business' });
    expect(await balance()).toBe(110_000);
    expect(codeOf(await confirm(first.payment_intent_id))).toEqual([409, 'payment.given_back']);
  });

  it('is once paid of 50 confirms and webhooks at once', async () => {
    const { body } = await checkout();
    await test.pay(body.payment_intent_id, body.client_secret);
    await Promise.all(
      Array.from({ length: 50 }, () => confirm(body.payment_intent_id, test.gateway.actingFor(userId))),
    );
    await test.settled();
    expect(await balance()).toBe(30_000);
  });
});

describe('subscribe', () => {
  it('takes the free plan, and points to the checkout for one that is paid', async () => {
    expect(await post('subscribe', { plan_id: 'free' })).toMatchObject({ status: 200, body: { plan: 'free' } });
    expect(await post('subscribe', { plan_id: 'pro' })).toMatchObject({
      status: 402,
      body: { code: 'subscription.checkout_required', checkout: '/v1/billing/checkout', plan_id: 'pro' },
    });
    await buy();
    expect(codeOf(await post('subscribe', { plan_id: 'free' }))).toEqual([409, 'subscription.exists']);
  });
});

describe('a cancellation', () => {
  it('ends the plan with its period, and until then is taken back', async () => {
    await buy();
    for (let again = 0; again < 2; again++) {
      expect(await post('cancel')).toMatchObject({ status: 200, body: { plan: 'pro', cancel_at_period_end: true } });
    }
    expect(await post('resume')).toMatchObject({ status: 200, body: { cancel_at_period_end: false } });
    await post('cancel');
    await test.setTime('2031-02-28T12:01:00Z');
    await renewAll();
    expect(await subscription()).toMatchObject({ plan: 'free', status: 'active' });
    expect(await balance()).toBe(1_000);
    expect(codeOf(await post('resume'))).toEqual([409, 'subscription.none']);
  });

  it('of the free plan is refused', async () => {
    expect(codeOf(await post('cancel'))).toEqual([409, 'subscription.none']);
    expect(codeOf(await post('resume'))).toEqual([409, 'subscription.none']);
  });
});

describe('a change to a larger plan', () => {
  it('costs the difference for the rest of the period, and brings as much more', async () => {
    await buy();
    await test.setTime('2031-02-14T12:00:00Z'); // 14 of 28 days are left
    const preview = await post<PlanChangePreview>('change-plan/preview', { plan_id: 'business' });
    expect(preview).toMatchObject({
      status: 200,
      body: { action: 'upgrade', plan: 'business', tokens: 40_000, amount_cents: 3_500 },
    });
    expect(await subscription()).toMatchObject({ plan: 'pro' });
    const changed = await post<PlanChangeResponse>('change-plan', { plan_id: 'business' });
    expect(changed).toMatchObject({
      status: 200,
      body: { action: 'upgrade', succeeded: true, requires_action: false, pending: false },
    });
    expect(changed.body.amount_cents).toBeGreaterThan(3_490);
    expect(await subscription()).toMatchObject({ plan: 'business', expires_at: until('2031-02-28') });
    expect(await balance()).toBe(30_000 + changed.body.tokens);
  });

  it('is made once of 20 that come at once', async () => {
    await buy();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        post<PlanChangeResponse>('change-plan', { plan_id: 'business' }, test.gateway.actingFor(userId)),
      ),
    );
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(answers.map(({ body }) => (body as { code?: string }).code)).not.toContain('subscription.none');
    await test.settled();
    expect(await subscription()).toMatchObject({ plan: 'business' });
    const paid = (await payments()).filter(({ purpose, status }) => purpose === 'upgrade' && status === 'succeeded');
    expect(paid).toHaveLength(1);
  });

  it('that the card does not pay leaves the plan', async () => {
    await buy();
    await test.replaceCard(userId, 'pm_card_chargeCustomerFail');
    expect(codeOf(await post('change-plan', { plan_id: 'business' }))).toEqual([402, 'payment.declined']);
    expect(await subscription()).toMatchObject({ plan: 'pro' });
  });

  it('whose bank wants to see the user is ended in a browser', async () => {
    await buy();
    await test.replaceCard(userId, 'pm_card_authenticationRequired');
    const withKey = client.withHeaders({ 'Idempotency-Key': newId('key') });
    const { body } = await withKey.post<PlanChangeResponse>('/v1/billing/change-plan', { plan_id: 'business' });
    expect(body).toMatchObject({ succeeded: false, requires_action: true, client_secret: expect.any(String) });
    expect(
      await test.pay(body.payment_intent_id ?? '', body.client_secret ?? '', 'pm_card_authenticationRequired'),
    ).toBe('requires_action');
    test.stripe.authenticate(body.payment_intent_id ?? '');
    await test.settled();
    expect(await subscription()).toMatchObject({ plan: 'business' });
    // A retry gets the same success, not the error that this is already the plan.
    const again = await withKey.post<PlanChangeResponse>('/v1/billing/change-plan', { plan_id: 'business' });
    expect(again).toMatchObject({
      status: 200,
      body: { succeeded: true, requires_action: false, payment_intent_id: body.payment_intent_id },
    });
  });

  it('is free when less than 50 cents are left, and brings no credits then', async () => {
    await buy('starter');
    const before = await balance();
    await test.setTime('2031-02-27T22:00:00Z'); // 41 cents, and some hundred credits
    for (const path of ['change-plan/preview', 'change-plan'])
      expect((await post(path, { plan_id: 'pro' })).body).toMatchObject({ amount_cents: 0, tokens: 0 });
    expect(await subscription()).toMatchObject({ plan: 'pro' });
    expect(await balance()).toBe(before);
    expect(await payments()).toHaveLength(1);
  });

  /** Cents paid for plan changes, minus refunds. */
  const paidForChanges = async (): Promise<number> =>
    (await payments())
      .filter(({ purpose, status }) => purpose === 'upgrade' && ['succeeded', 'refunded'].includes(status))
      .reduce((sum, { amount_cents, refunded_cents }) => sum + amount_cents - refunded_cents, 0);

  it('that is paid when the plan has become another one gives its money back', async () => {
    await buy('starter');
    await test.replaceCard(userId, 'pm_card_processing');
    const slow = (await post<PlanChangeResponse>('change-plan', { plan_id: 'business' })).body;
    expect(slow).toMatchObject({ succeeded: false, pending: true });
    await test.replaceCard(userId, 'pm_card_visa');
    expect((await post('change-plan', { plan_id: 'pro' })).body).toMatchObject({ succeeded: true });
    const paid = await paidForChanges();
    test.stripe.finishProcessing(slow.payment_intent_id ?? '');
    await test.settled();
    expect(await subscription()).toMatchObject({ plan: 'pro' });
    expect(await paidForChanges()).toBe(paid);
    expect(
      await rows(
        'SELECT r.reason, r.status FROM payment_refunds r JOIN payments p ON p.id = r.payment_id WHERE p.user_id = $1',
      ),
    ).toEqual([{ reason: 'not_deliverable', status: 'succeeded' }]);
  });

  it('to two plans at once costs what the one costs that is there', async () => {
    await buy('starter');
    const acting = test.gateway.actingFor(userId);
    const previews = await Promise.all(
      ['pro', 'business'].map(
        async (plan_id) => (await post<PlanChangePreview>('change-plan/preview', { plan_id })).body.amount_cents,
      ),
    );
    const answers = await Promise.all(['pro', 'business'].map((plan_id) => post('change-plan', { plan_id }, acting)));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    await test.settled();
    const { plan } = await subscription();
    const expected = previews[['pro', 'business'].indexOf(plan)] ?? Number.NaN;
    // The seconds that have passed cost nothing.
    expect(expected - (await paidForChanges())).toBeGreaterThanOrEqual(0);
    expect(expected - (await paidForChanges())).toBeLessThan(10);
  });

  it('is refused for the same plan, without one, by contract, and once the period is over', async () => {
    expect(codeOf(await post('change-plan', { plan_id: 'pro' }))).toEqual([409, 'subscription.none']);
    await buy();
    expect(codeOf(await post('change-plan', { plan_id: 'pro' }))).toEqual([409, 'subscription.same_plan']);
    expect(codeOf(await post('change-plan', { plan_id: 'enterprise' }))).toEqual([400, 'plan.not_for_sale']);
    await test.setTime('2031-02-28T12:01:00Z');
    expect(codeOf(await post('change-plan', { plan_id: 'business' }))).toEqual([409, 'subscription.over']);
  });
});

describe('a change to a smaller plan', () => {
  it('happens at the end of the period, which costs what the smaller one costs', async () => {
    await buy('business');
    expect((await post('change-plan', { plan_id: 'starter' })).body).toMatchObject({
      action: 'downgrade',
      succeeded: false,
      pending: true,
      effective_at: until('2031-02-28'),
    });
    expect(await subscription()).toMatchObject({
      plan: 'business',
      cancel_at_period_end: false,
      pending_plan: 'starter',
    });
    await test.setTime('2031-02-28T12:01:00Z');
    await renewAll();
    expect(await subscription()).toMatchObject({
      plan: 'starter',
      status: 'active',
      expires_at: until('2031-03-31'),
      pending_plan: null,
    });
    expect((await payments())[0]).toMatchObject({ amount_cents: 900, plan: 'starter' });
  });

  it('is taken back by resume, and to the free plan is a cancellation', async () => {
    await buy('business');
    await post('change-plan', { plan_id: 'pro' });
    expect(await subscription()).toMatchObject({ pending_plan: 'pro' });
    await post('resume');
    expect(await subscription()).toMatchObject({ plan: 'business', pending_plan: null });
    await post('change-plan', { plan_id: 'free' });
    expect(await subscription()).toMatchObject({ plan: 'business', cancel_at_period_end: true });
    await post('resume');
    await test.setTime('2031-02-28T12:01:00Z');
    await renewAll();
    expect(await subscription()).toMatchObject({ plan: 'business' });
  });
});

describe('a month that is not paid yet', () => {
  it('does not count as paid', async () => {
    await buy();
    await test.setTime('2031-02-28T13:00:00Z');
    expect(await subscription()).toMatchObject({
      plan: 'pro',
      status: 'active',
      expires_at: until('2031-02-28'),
      period_starts_at: until('2031-02-28'),
      period_ends_at: until('2031-03-31'),
    });
    await renewAll();
    expect(await subscription()).toMatchObject({
      expires_at: until('2031-03-31'),
      period_starts_at: until('2031-02-28'),
    });
  });
});

describe('a renewal', () => {
  it('happens by itself each month, without drift, and brings the credits of the month', async () => {
    await buy();
    for (const [at, end] of [
      ['2031-02-28T12:01:00Z', '2031-03-31'],
      ['2031-03-31T12:01:00Z', '2031-04-30'],
      ['2031-04-30T12:01:00Z', '2031-05-31'],
    ] as const) {
      await test.setTime(at);
      await renewAll();
      expect(await subscription()).toMatchObject({ plan: 'pro', status: 'active', expires_at: until(end) });
      expect(await balance()).toBe(30_000);
    }
    expect((await payments()).map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'succeeded'));
  });

  it('fault 5: is one charge of 100 sweeps and renews at once', async () => {
    await buy();
    await test.setTime('2031-02-28T12:01:00Z');
    const beside = await test.gateway.startSecondProcess({ WORKERS: 'off' });
    const answers = await Promise.all([
      ...Array.from({ length: 45 }, renewAll),
      ...Array.from({ length: 30 }, () => beside.app.get(RenewalsWorker).renewDueSubscriptions()),
      ...Array.from({ length: 25 }, () => post<RenewResponse>('renew', {}, test.gateway.actingFor(userId))),
    ]);
    await beside.stop();
    await sweepPayments();
    await test.settled();
    const statuses = answers.flatMap((answer) => (answer ? [answer.status] : []));
    expect(statuses.filter((status) => ![200, 202, 409, 503].includes(status))).toEqual([]);
    expect(await subscription()).toMatchObject({ plan: 'pro', status: 'active', expires_at: until('2031-03-31') });
    expect((await payments()).filter(({ purpose }) => purpose === 'renewal')).toHaveLength(1);
    expect(await balance()).toBe(30_000);
  });

  it('that is declined is tried again on the first, third, fifth and seventh day, and then the plan is the free one', async () => {
    await buy();
    await test.replaceCard(userId, 'pm_card_chargeCustomerFail');
    const attempts = async () => (await payments()).filter(({ purpose }) => purpose === 'renewal').length;
    const at = async (day: string): Promise<[string, string, number]> => {
      await test.setTime(day);
      await renewAll();
      await renewAll();
      const { plan, status } = await subscription();
      return [plan, status, await attempts()];
    };
    expect(await at('2031-02-28T12:01:00Z')).toEqual(['pro', 'past_due', 1]);
    expect(await at('2031-03-01T11:00:00Z')).toEqual(['pro', 'past_due', 1]);
    expect(await at('2031-03-01T12:01:00Z')).toEqual(['pro', 'past_due', 2]);
    expect(await at('2031-03-03T12:01:00Z')).toEqual(['pro', 'past_due', 3]);
    expect(await at('2031-03-05T12:01:00Z')).toEqual(['pro', 'past_due', 4]);
    expect(await at('2031-03-07T12:01:00Z')).toEqual(['free', 'active', 5]);
    expect(await rows("SELECT DISTINCT scope FROM payments WHERE user_id = $1 AND purpose = 'renewal'")).toHaveLength(
      1,
    );
  });

  it('fault 9: by hand, with another card, is a new attempt; within the grace the months stay where they were', async () => {
    await buy();
    await test.replaceCard(userId, 'pm_card_chargeCustomerFail');
    await test.setTime('2031-02-28T12:01:00Z');
    await renewAll();
    expect(codeOf(await post('renew'))).toEqual([402, 'payment.declined']);
    await test.replaceCard(userId, 'pm_card_visa');
    await test.setTime('2031-03-02T12:00:00Z');
    expect(await post('renew')).toMatchObject({
      status: 200,
      body: { plan: 'pro', status: 'active', succeeded: true, expires_at: until('2031-03-31') },
    });
  });

  it('by hand waits for an earlier attempt that is settled now, and locks nothing before that it needs', async () => {
    await buy();
    await test.replaceCard(userId, 'pm_card_chargeCustomerFail');
    await test.setTime('2031-02-28T12:01:00Z');
    await renewAll();
    await test.replaceCard(userId, 'pm_card_visa');
    const settlement = await HeldLock.acquire(
      test.gateway.service,
      "SELECT FROM payments WHERE user_id = $1 AND purpose = 'renewal' FOR NO KEY UPDATE",
      [userId],
    );
    const renewed = post('renew');
    await settlement.waitForBlocked(1);
    await settlement.runStatement(
      "SELECT FROM subscriptions WHERE user_id = $1 AND status = 'past_due' FOR NO KEY UPDATE NOWAIT",
      [userId],
    );
    await settlement.release();
    expect(await renewed).toMatchObject({ status: 200, body: { succeeded: true } });
  });

  it('that was declined, and is paid all the same after another attempt was, gives its money back', async () => {
    await buy();
    await test.replaceCard(userId, 'pm_card_chargeCustomerFail');
    await test.setTime('2031-02-28T12:01:00Z');
    // Otherwise the first attempt would be canceled.
    test.stripe.planFault(/^POST \/v1\/payment_intents\/\w+\/cancel$/, { kind: 'lost_before' }, 3);
    await renewAll();
    await test.replaceCard(userId, 'pm_card_visa');
    expect(await post('renew')).toMatchObject({ status: 200, body: { succeeded: true } });
    const [declined] = await rows(
      "SELECT id, provider_intent_id AS intent FROM payments WHERE user_id = $1 AND status = 'failed'",
    );
    const intentId = declined?.['intent'] as string;
    expect(await test.pay(intentId, test.stripe.state.find('payment_intent', intentId)?.client_secret ?? '')).toBe(
      'succeeded',
    );
    await test.settled();
    expect(
      await rows(
        'SELECT p.id, p.scope, r.reason FROM payments p JOIN payment_refunds r ON r.payment_id = p.id WHERE p.user_id = $1',
      ),
    ).toEqual([{ id: declined?.['id'], scope: `again:${declined?.['id'] as string}`, reason: 'not_deliverable' }]);
    expect(await subscription()).toMatchObject({ plan: 'pro', expires_at: until('2031-03-31') });
    expect(await balance()).toBe(30_000);
  });

  it('of a plan that has expired begins a month now', async () => {
    await buy();
    await post('cancel');
    await test.setTime('2031-03-20T09:00:00Z');
    await renewAll();
    expect(await subscription()).toMatchObject({ plan: 'free' });
    expect(await post('renew')).toMatchObject({
      status: 200,
      body: { plan: 'pro', status: 'active', succeeded: true },
    });
    expect((await subscription()).expires_at).toMatch(/^2031-04-20T09:00/);
    expect(codeOf(await post('renew'))).toEqual([409, 'subscription.not_due']);
  });

  it('whose answer was lost is found out, and charged once', async () => {
    await buy();
    await test.setTime('2031-02-28T12:01:00Z');
    await test.stopWebhooks();
    test.stripe.planFault(/^POST \/v1\/payment_intents$/, { kind: 'lost_after' }, 3);
    await renewAll();
    expect(await rows("SELECT status FROM payments WHERE user_id = $1 AND purpose = 'renewal'")).toEqual([
      { status: 'unknown' },
    ]);
    await renewAll();
    expect(await subscription()).toMatchObject({ plan: 'pro', status: 'active', expires_at: until('2031-03-31') });
    const made = test.stripe.state
      .list('payment_intent')
      .filter(({ metadata }) => metadata['user_id'] === userId && metadata['kind'] === 'renewal');
    expect(made).toHaveLength(1);
  });

  it('that the provider fails at stops no other', async () => {
    await buy();
    const other = await test.gateway.user();
    const acting = test.gateway.actingFor(other.id);
    await buy('pro', 'pm_card_visa', acting);
    await test.setTime('2031-02-28T12:01:00Z');
    test.stripe.planFault(/^POST \/v1\/payment_intents$/, { kind: 'answer', status: 500 }, 3);
    await renewAll();
    expect((await subscription(acting)).expires_at).toEqual(until('2031-03-31'));
    expect(await rows("SELECT status FROM payments WHERE user_id = $1 AND purpose = 'renewal'")).toEqual([
      { status: 'unknown' },
    ]);
  });

  it('that was canceled while its answer was lost is not made', async () => {
    await buy();
    await test.setTime('2031-02-28T12:01:00Z');
    test.stripe.planFault(/^POST \/v1\/payment_intents$/, { kind: 'lost_before' }, 3);
    await renewAll();
    expect(await post('cancel')).toMatchObject({ status: 200, body: { plan: 'free' } }); // its month is over
    await sweepPayments();
    await renewAll();
    expect(await subscription()).toMatchObject({ plan: 'free' });
    expect(
      test.stripe.state.list('payment_intent').filter(({ metadata }) => metadata['user_id'] === userId),
    ).toHaveLength(1);
  });

  it('is refused where nothing is due, and without a card', async () => {
    expect(codeOf(await post('renew'))).toEqual([409, 'subscription.nothing_to_renew']);
    await buy();
    expect(codeOf(await post('renew'))).toEqual([409, 'subscription.not_due']);
    await test.setTime('2031-02-28T12:01:00Z');
    await test.gateway.service.query('DELETE FROM payment_methods WHERE user_id = $1', [userId]);
    expect(codeOf(await post('renew'))).toEqual([402, 'payment.card_required']);
    await renewAll();
    expect(await subscription()).toMatchObject({ plan: 'pro', status: 'past_due' });
  });

  it.each([
    ['a user', 'UPDATE users SET is_active = false WHERE id = $1'],
    [
      'a user of a tenant',
      'UPDATE tenants SET is_active = false WHERE id = (SELECT tenant_id FROM users WHERE id = $1)',
    ],
  ])('of %s who is inactive is not charged', async (_whose, deactivate) => {
    const { id: tenant_id } = await createTenant(test.gateway.backend());
    const theirs = await test.gateway.user({ tenant_id });
    [userId, client] = [theirs.id, await test.gateway.signIn(theirs)];
    await buy();
    await test.setTime('2031-02-28T12:01:00Z');
    await test.gateway.service.query(deactivate, [userId]);
    await renewAll();
    expect(await rows("SELECT id FROM payments WHERE user_id = $1 AND purpose = 'renewal'")).toEqual([]);
    await test.setTime('2031-03-08T12:01:00Z');
    await renewAll();
    expect(
      await rows("SELECT plan_id FROM subscriptions WHERE user_id = $1 AND status IN ('active', 'past_due')"),
    ).toEqual([{ plan_id: 'free' }]);
  });
});

it('belongs to a session: no API key changes a plan', async () => {
  const { body } = await client.post<{ key: string }>('/v1/keys', { name: newId('k'), scopes: 'billing:read' });
  const byKey = test.gateway.client().withHeaders({ 'x-api-key': body.key });
  for (const path of [
    'subscribe',
    'checkout',
    'checkout/confirm',
    'cancel',
    'resume',
    'change-plan',
    'change-plan/preview',
    'renew',
  ]) {
    const answer = await byKey.post(`/v1/billing/${path}`, { plan_id: 'pro', payment_intent_id: 'pi_x' });
    expect([path, answer.status]).toEqual([path, 403]);
    expect([path, (await test.gateway.client().post(`/v1/billing/${path}`, {})).status]).toEqual([path, 401]);
  }
});
