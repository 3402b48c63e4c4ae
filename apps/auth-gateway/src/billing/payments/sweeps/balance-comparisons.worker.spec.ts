import { PaymentBalanceService, type BalanceComparison } from '@platform/billing';
import type { TopUpResponse, WalletResponse } from '@platform/contracts';
import { Registry } from 'prom-client';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';

/** Comparison of the provider's balance with the payments of the gateway. */
let test: GatewayWithPayments;
let userId: string;
beforeAll(async () => {
  test = await GatewayWithPayments.start();
  await test.stopWebhooks();
});
beforeEach(async () => {
  await test.gateway.service.query('DELETE FROM payment_balance_checks');
  // A comparison looks back 30 days; this hides the movements of earlier tests.
  for (const row of movements())
    test.stripe.state.put('balance_transaction', { ...row, created: row.created - 40 * DAY_SECONDS });
  userId = (await test.gateway.user()).id;
});
afterAll(() => test.stop());

const DAY_SECONDS = 24 * 3_600;
const compare = (): Promise<BalanceComparison> =>
  test.gateway.service.app.get(PaymentBalanceService).compareBalance({ until: new Date(Date.now() + 60_000) });
const balance = async (): Promise<number> =>
  (await test.gateway.actingFor(userId).get<WalletResponse>('/v1/billing/wallet')).body.balance;
const movements = () => test.stripe.state.list('balance_transaction');

/**
 * A payment that succeeded at the provider; with `confirmed` the gateway knows it, too. Returns the
 * intent.
 */
async function topup({ confirmed = true } = {}): Promise<string> {
  const acting = test.gateway.actingFor(userId);
  const { body } = await acting.post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
  expect(await test.pay(body.payment_intent_id, body.client_secret)).toBe('succeeded');
  if (confirmed) await acting.post('/v1/billing/topup/confirm', { payment_intent_id: body.payment_intent_id });
  return body.payment_intent_id;
}
const chargeOf = (intentId: string): string =>
  test.stripe.state.find('payment_intent', intentId)?.latest_charge as string;

it('agrees, and what nobody told of has its effect', async () => {
  await test.stripe.createObject('refunds', { payment_intent: await topup(), amount: '400' });
  test.stripe.openDispute(chargeOf(await topup()));
  await topup({ confirmed: false });
  expect(await balance()).toBe(20_000);
  expect(await compare()).toEqual({ movements: 5, differences: 0 });
  expect(await balance()).toBe(16_000);
  const metrics = await test.gateway.service.app.get(Registry).metrics();
  expect(metrics).toMatch(/payment_balance_differences\S* 0\n/);
  expect(metrics).toMatch(/payment_balance_age_seconds\S* \d/);
  expect(await compare()).toEqual({ movements: 5, differences: 0 });
});

it('agrees about disputes that were won and refunds that failed before anybody heard of them', async () => {
  const [first, second] = [await topup(), await topup()];
  test.stripe.closeDispute(test.stripe.openDispute(chargeOf(first)).id, 'won');
  test.stripe.failRefund(await test.stripe.createObject('refunds', { payment_intent: second, amount: '100' }));
  expect(await compare()).toEqual({ movements: 6, differences: 0 });
  expect(await balance()).toBe(20_000);
});

it('finds another amount, names it, and looks at the same days again until it agrees', async () => {
  await topup();
  const [charged] = movements();
  if (!charged) throw new Error('Nothing moved the balance.');
  const { state } = test.stripe;
  state.put('balance_transaction', { ...charged, amount: 999, created: charged.created - 20 * DAY_SECONDS });
  await test.gateway.service.query(
    "INSERT INTO payment_balance_checks (checked_at, agrees_until, movements, differences) VALUES (now(), now() - interval '20 days', 0, 0)",
  );
  for (let again = 0; again < 2; again++) expect(await compare()).toEqual({ movements: 1, differences: 1 });
  expect(
    test.gateway.service.logLines.filter(
      (line) => line.includes('differs from the stored payment') && line.includes('999'),
    ),
  ).toHaveLength(2);
  state.put('balance_transaction', { ...charged, created: charged.created - 20 * DAY_SECONDS });
  expect(await compare()).toEqual({ movements: 1, differences: 0 });
  expect(await compare()).toEqual({ movements: 0, differences: 0 });
});

it('leaves out what is of somebody else in the same account', async () => {
  const customer = await test.stripe.createObject('customers', { email: 'somebody@example.com' });
  const method = await test.stripe.createObject('payment_intents', {
    amount: '700',
    currency: 'usd',
    customer,
    payment_method: 'pm_card_visa',
    confirm: 'true',
    'automatic_payment_methods[enabled]': 'true',
    'automatic_payment_methods[allow_redirects]': 'never',
  });
  test.stripe.openDispute(chargeOf(method));
  expect(await compare()).toEqual({ movements: 2, differences: 0 });
});

it('remembers nothing while the provider is away', async () => {
  test.stripe.planFault(/balance_transactions/, { kind: 'lost_before' }, 3);
  await expect(compare()).rejects.toMatchObject({ status: 503 });
  test.stripe.faults.clear();
  await test.waitForCircuit();
  expect(await test.gateway.service.app.get(PaymentBalanceService).findLastComparison()).toBeNull();
});
