import type {
  CheckoutResponse,
  ContinuedPayment,
  PaymentHistoryItem,
  TopUpResponse,
  WalletResponse,
} from '@platform/contracts';
import { newId } from '@platform/platform';
import type { TestClient } from '@platform/testing';
import { RenewalsWorker } from '../../subscriptions/renewals.worker.js';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';
import type { TestUser } from '../../../testing/gateway-test.js';

let test: GatewayWithPayments;
let user: TestUser;
let client: TestClient;
beforeAll(async () => {
  test = await GatewayWithPayments.start();
});
beforeEach(async () => {
  await test.setTime('2031-01-31T12:00:00Z');
  user = await test.gateway.user();
  client = await test.gateway.signIn(user);
});
afterAll(() => test.stop());

const begin = async (): Promise<TopUpResponse> =>
  (
    await client
      .withHeaders({ 'Idempotency-Key': newId('key') })
      .post<TopUpResponse>('/v1/billing/topup', { tokens: 10_000, price_cents: 1_000 })
  ).body;
const goOn = (intentId: string, by = client) => by.post<ContinuedPayment>(`/v1/billing/payments/${intentId}/continue`);
const newest = async (): Promise<PaymentHistoryItem | undefined> =>
  (await client.get<PaymentHistoryItem[]>('/v1/billing/payments')).body[0];
const balance = async (): Promise<number> => (await client.get<WalletResponse>('/v1/billing/wallet')).body.balance;

it('a top-up that was left goes on with the secret that it had, until it is paid', async () => {
  const { payment_intent_id: id, client_secret } = await begin();
  expect(await newest()).toMatchObject({ payment_intent_id: id, status: 'pending', requires_action: true });
  expect(await goOn(id)).toMatchObject({
    status: 200,
    body: {
      payment_intent_id: id,
      status: 'pending',
      client_secret,
      publishable_key: 'pk_test_stand_in',
      amount_cents: 1_000,
      currency: 'usd',
    },
  });
  await test.pay(id, client_secret);
  expect(await goOn(id)).toMatchObject({ status: 200, body: { status: 'succeeded', client_secret: null } });
  expect(await balance()).toBe(10_000);
  await test.settled();
  expect(await newest()).toMatchObject({ status: 'succeeded', requires_action: false });
  expect(await balance()).toBe(10_000);
});

it('a renewal that the bank wants confirmed is confirmed by its user', async () => {
  const { body } = await client.post<CheckoutResponse>('/v1/billing/checkout', { plan_id: 'pro' });
  await test.pay(body.payment_intent_id, body.client_secret);
  await test.settled();
  await test.replaceCard(user.id, 'pm_card_authenticationRequired');
  await test.setTime('2031-02-28T12:01:00Z');
  await test.gateway.service.app.get(RenewalsWorker).renewDueSubscriptions();
  const open = await newest();
  expect(open).toMatchObject({ purpose: 'renewal', requires_action: true });
  const id = open?.payment_intent_id ?? '';
  const continued = (await goOn(id)).body;
  expect(await test.pay(id, continued.client_secret ?? '')).toBe('succeeded');
  await test.settled();
  expect(await newest()).toMatchObject({ purpose: 'renewal', status: 'succeeded', requires_action: false });
  expect((await client.get('/v1/billing/subscription')).body).toMatchObject({ plan: 'pro', status: 'active' });
});

it('one whose place another took does not go on', async () => {
  const { payment_intent_id: first } = await begin();
  await begin();
  expect(await goOn(first)).toMatchObject({ status: 409, body: { code: 'payment.replaced' } });
});

it('is nobody else’s, and nothing for an unknown one', async () => {
  const { payment_intent_id: id } = await begin();
  const other = await test.gateway.signIn(await test.gateway.user());
  for (const answer of [
    await goOn(id, other),
    await goOn('pi_unknown'),
    await goOn('not an id'),
    await goOn('x'.repeat(3_000)),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { code: 'payment.not_found' } });
  }
});

it('says when to try again while the provider is away', async () => {
  const { payment_intent_id: id } = await begin();
  test.stripe.planFault(/./, { kind: 'lost_before' }, 1_000);
  expect(await goOn(id)).toMatchObject({ status: 503 });
  test.stripe.faults.clear();
  await test.waitForCircuit();
  expect(await goOn(id)).toMatchObject({ status: 200, body: { status: 'pending' } });
});
