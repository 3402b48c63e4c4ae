import type { TopUpResponse, WalletResponse } from '@platform/contracts';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';

let test: GatewayWithPayments;
beforeAll(async () => {
  test = await GatewayWithPayments.start({ WORKERS: 'inline' });
});
afterAll(() => test.stop());

/** Each copy is signed at its own time, as Stripe signs retries. */
const post = (event: object, age: number) => {
  const body = JSON.stringify(event);
  return fetch(`${test.gateway.service.url}/v1/webhooks/stripe`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Stripe-Signature': test.stripe.webhooks.sign(body, undefined, Math.floor(Date.now() / 1_000) - age),
    },
    body,
  });
};

it('fault 2: of 100 copies of each event of a payment at once, in any order, one is stored and one credit is made', async () => {
  const { id: userId } = await test.gateway.user();
  const acting = test.gateway.actingFor(userId);
  await test.stopWebhooks();
  const { body } = await acting.post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 });
  expect(await test.pay(body.payment_intent_id, body.client_secret)).toBe('succeeded');
  await test.stripe.webhooks.waitUntilSettled();
  const events = test.stripe.state.list('event').filter(({ data }) => {
    const { id, payment_intent } = data.object as { id?: string; payment_intent?: string };
    return id === body.payment_intent_id || payment_intent === body.payment_intent_id;
  });
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['payment_intent.succeeded', 'charge.succeeded', 'payment_intent.created']),
  );
  const answers = await Promise.all(
    events.flatMap((event) => Array.from({ length: 100 }, (_none, copy) => post(event, copy))),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await test.settled();
  const stored = await test.gateway.service.query('SELECT event_id FROM inbound_events WHERE event_id = ANY ($1)', [
    events.map(({ id }) => id),
  ]);
  expect(stored).toHaveLength(events.length);
  const wallet = (await acting.get<WalletResponse>('/v1/billing/wallet')).body;
  const credits = await test.gateway.service.query(
    "SELECT e.amount::int FROM ledger_entries e JOIN wallets w ON w.id = e.wallet_id WHERE w.user_id = $1 AND e.kind = 'topup'",
    [userId],
  );
  expect(credits).toEqual([{ amount: 10_000 }]);
  expect(wallet.balance).toBeGreaterThanOrEqual(10_000);
});
