import type { CheckoutResponse, SubscriptionResponse, TopUpResponse, WalletResponse } from '@platform/contracts';
import { PaymentSweepService } from '@platform/billing';
import { newId } from '@platform/platform';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';
import { RenewalsWorker } from '../../subscriptions/renewals.worker.js';
import { PaymentReconciliationService } from './payment-reconciliation.service.js';
import { PaymentSweepsWorker } from './payment-sweeps.worker.js';

let test: GatewayWithPayments;
beforeAll(async () => {
  test = await GatewayWithPayments.start({ WORKERS: 'inline' });
});
beforeEach(() => {
  test.stripe.webhooks.settings.copies = 1;
});
afterAll(() => test.stop());

const begin = (userId: string, key = newId('key')) =>
  test.gateway
    .actingFor(userId)
    .withHeaders({ 'Idempotency-Key': key })
    .post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
const balance = async (userId: string): Promise<number> =>
  (await test.gateway.actingFor(userId).get<WalletResponse>('/v1/billing/wallet')).body.balance;
const reconcile = () => test.gateway.service.app.get(PaymentReconciliationService).reconcilePayments();
const statuses = async (userId: string): Promise<string[]> =>
  (
    await test.gateway.service.query<{ status: string }>(
      'SELECT status FROM payments WHERE user_id = $1 ORDER BY created_at',
      [userId],
    )
  ).map(({ status }) => status);

it('an event that could not be delivered is fetched, and has its effect once', async () => {
  const { id } = await test.gateway.user();
  await test.stopWebhooks(); // no webhook of Stripe arrives
  const { body } = await begin(id);
  await test.pay(body.payment_intent_id, body.client_secret);
  await test.stripe.webhooks.waitUntilSettled();
  expect(await balance(id)).toBe(0);
  const sweeps = test.gateway.service.app.get(PaymentSweepsWorker);
  for (let again = 0; again < 2; again++) {
    await sweeps.fetchMissedEvents();
    await test.settled();
    expect(await balance(id)).toBe(10_000);
  }
});

it('a reconciliation leaves nothing whose state is not known, and changes nothing the second time', async () => {
  const users = await Promise.all(Array.from({ length: 12 }, () => test.gateway.user()));
  await test.stopWebhooks();
  const faults = [{ kind: 'lost_before' }, { kind: 'lost_after' }, { kind: 'answer', status: 500 }] as const;
  for (const [at, { id }] of users.entries()) {
    const fault = faults[at % 4];
    if (fault) test.stripe.planFault(/^POST \/v1\/payment_intents$/, fault, 3);
    const { status, body } = await begin(id);
    expect(status).toBe(fault ? 503 : 200);
    if (!fault) await test.pay(body.payment_intent_id, body.client_secret);
    await test.waitForCircuit();
  }
  expect(await reconcile()).toMatchObject({ left: 0 });
  for (const [at, { id }] of users.entries()) {
    // A payment whose answer was lost is found and waits for its customer; one that was never made
    // is canceled.
    expect([at % 4, await statuses(id)]).toEqual([
      at % 4,
      [['canceled'], ['open'], ['canceled'], ['succeeded']][at % 4],
    ]);
    expect(await balance(id)).toBe(at % 4 === 3 ? 10_000 : 0);
  }
  expect(await reconcile()).toMatchObject({ changed: 0, events: 0, left: 0 });
});

it('a reconciliation finds what a running service was at meanwhile', async () => {
  const { id } = await test.gateway.user();
  test.stripe.planFault(/^POST \/v1\/payment_intents$/, { kind: 'lost_before' }, 3);
  expect((await begin(id)).status).toBe(503);
  await test.waitForCircuit();
  const sweep = test.gateway.service.app.get(PaymentSweepService);
  jest.spyOn(sweep, 'checkDuePayments').mockResolvedValueOnce({ checked: 0, changed: 0 }); // the other sweep has it
  expect(await reconcile()).toMatchObject({ changed: 1, left: 0 });
  expect(await statuses(id)).toEqual(['canceled']);
});

it('fault 28: while the provider is away reads answer, a top-up says when to try again, and all converges', async () => {
  const [before, during] = [await test.gateway.user(), await test.gateway.user()];
  const begun = (await begin(before.id)).body;
  test.stripe.planFault(/./, { kind: 'lost_before' }, 10_000);
  for (const path of ['wallet', 'plans', 'subscription', 'payments', 'payment-methods', 'topup-config']) {
    expect([path, (await test.gateway.actingFor(during.id).get(`/v1/billing/${path}`)).status]).toEqual([path, 200]);
  }
  const answers = await Promise.all(Array.from({ length: 20 }, () => begin(during.id)));
  for (const { status, headers } of answers)
    expect([status, Number(headers.get('Retry-After')) > 0]).toEqual([503, true]);
  await expect(reconcile()).rejects.toMatchObject({ status: 503 });
  test.stripe.faults.clear();
  await test.waitForCircuit();
  await test.pay(begun.payment_intent_id, begun.client_secret);
  await test.gateway.service.query("UPDATE payments SET created_at = created_at - interval '1 minute'"); // old enough: no request can still work on them
  expect(await reconcile()).toMatchObject({ left: 0 });
  await test.settled();
  expect(new Set(await statuses(during.id))).toEqual(new Set(['canceled']));
  expect([await balance(before.id), await balance(during.id)]).toEqual([10_000, 0]);
  const { body } = await begin(during.id);
  await test.pay(body.payment_intent_id, body.client_secret);
  await test.settled();
  expect(await balance(during.id)).toBe(10_000);
});

it('fault 28: that is away for ten minutes, by the clock of the circuit, has a renewal wait, which is made once', async () => {
  const { id } = await test.gateway.user();
  const acting = test.gateway.actingFor(id);
  await test.setTime('2031-01-31T12:00:00Z');
  const { body } = await acting.post<CheckoutResponse>('/v1/billing/checkout', { plan_id: 'pro' });
  expect(await test.pay(body.payment_intent_id, body.client_secret)).toBe('succeeded');
  await test.settled();
  await test.setTime('2031-02-28T12:01:00Z');
  const renewAll = () => test.gateway.service.app.get(RenewalsWorker).renewDueSubscriptions();
  test.stripe.planFault(/./, { kind: 'lost_before' }, 1_000_000);
  const now = Date.now.bind(Date);
  let passedMs = 0;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + passedMs);
  for (; passedMs <= 600_000; passedMs += 100_000) {
    const answers = await Promise.all(Array.from({ length: 3 }, () => begin(id)));
    for (const { status, headers } of answers)
      expect([status, Number(headers.get('Retry-After')) > 0]).toEqual([503, true]);
    for (const path of ['wallet', 'subscription', 'payments', 'payment-methods'])
      expect([path, (await acting.get(`/v1/billing/${path}`)).status]).toEqual([path, 200]);
    await renewAll().catch((error: unknown) => expect(error).toMatchObject({ status: 503 }));
  }
  expect((await acting.get<SubscriptionResponse>('/v1/billing/subscription')).body).toMatchObject({
    plan: 'pro',
    status: 'active',
  });
  test.stripe.faults.clear();
  await test.waitForCircuit();
  await test.gateway.service.query(
    "UPDATE payments SET created_at = created_at - interval '1 minute' WHERE status = 'created'",
  );
  expect(await reconcile()).toMatchObject({ left: 0 });
  for (let again = 0; again < 2; again++) await renewAll();
  await test.settled();
  clock.mockRestore();
  const renewals = test.stripe.state
    .list('payment_intent')
    .filter(({ metadata }) => metadata['user_id'] === id && metadata['kind'] === 'renewal');
  expect(renewals).toMatchObject([{ status: 'succeeded' }]);
  expect(await balance(id)).toBe(30_000);
});
