import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Stripe from 'stripe';
import { createStripeClient } from './stripe-client.js';
import { STRIPE_PUBLISHABLE_KEY, FakeStripe } from './fake-stripe.js';

let fake: FakeStripe;
let stripe: Stripe;
let customer: Stripe.Customer;

beforeEach(async () => {
  fake = await FakeStripe.start();
  stripe = createStripeClient(fake);
  customer = await stripe.customers.create({ email: 'ada@example.com', metadata: { user_id: 'usr_1' } });
});
afterEach(() => fake.stop());

const pay = (changes: Partial<Stripe.PaymentIntentCreateParams> = {}, options: Stripe.RequestOptions = {}) =>
  stripe.paymentIntents.create({ amount: 1_000, currency: 'usd', customer: customer.id, ...changes }, options);
const AUTOMATIC = { confirm: true, off_session: true } as const;
const eventsOf = async (type?: string) =>
  (await stripe.events.list({ limit: 100, ...(type && { type }) })).data.map((event) => event.type);

describe('a payment', () => {
  it('succeeds by the browser of the customer, who has its secret and the publishable key', async () => {
    const { id, client_secret, status } = await pay({ setup_future_usage: 'off_session', metadata: { kind: 'topup' } });
    expect(status).toBe('requires_payment_method');
    const browser = createStripeClient(fake, STRIPE_PUBLISHABLE_KEY);
    const secret = { client_secret: client_secret ?? '' } as Stripe.PaymentIntentConfirmParams;
    await expect(
      browser.paymentIntents.confirm(id, { payment_method: 'pm_card_visa', client_secret: 'other' } as never),
    ).rejects.toThrow('No such');
    await expect(browser.customers.retrieve(customer.id)).rejects.toThrow('publishable');
    expect(await browser.paymentIntents.confirm(id, { payment_method: 'pm_card_visa', ...secret })).toMatchObject({
      status: 'succeeded',
    });
    const paid = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
    expect(paid).toMatchObject({
      amount_received: 1_000,
      metadata: { kind: 'topup' },
      latest_charge: { paid: true, receipt_url: expect.any(String) },
    });
    // The card is saved, so later payments with it need no authentication.
    const [card] = (await stripe.customers.listPaymentMethods(customer.id, { type: 'card' })).data;
    expect(card?.card).toMatchObject({ last4: '4242' });
    expect(await pay({ ...AUTOMATIC, payment_method: card?.id ?? '' })).toMatchObject({ status: 'succeeded' });
    expect(await eventsOf()).toEqual(
      expect.arrayContaining(['payment_intent.succeeded', 'charge.succeeded', 'payment_method.attached']),
    );
  });

  it.each([
    ['pm_card_visa_chargeDeclined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
  ])('with %s is declined, and may be paid with another card', async (payment_method, decline_code) => {
    const { id } = await pay();
    const refusal = { type: 'StripeCardError', statusCode: 402, code: 'card_declined', decline_code };
    await expect(stripe.paymentIntents.confirm(id, { payment_method })).rejects.toMatchObject(refusal);
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { decline_code },
    });
    expect(await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })).toMatchObject({
      status: 'succeeded',
    });
    expect(await eventsOf('payment_intent.payment_failed')).toHaveLength(1);
  });

  it('asks for authentication, which succeeds or fails; without the customer it is refused', async () => {
    const asking = { payment_method: 'pm_card_authenticationRequired', confirm: true };
    const [first, second] = [await pay(asking), await pay(asking)];
    expect(first).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } });
    expect(fake.authenticate(first.id)).toMatchObject({ status: 'succeeded' });
    expect(fake.authenticate(second.id, false)).toMatchObject({ status: 'requires_payment_method' });
    await expect(pay({ ...asking, off_session: true })).rejects.toMatchObject({
      statusCode: 402,
      code: 'authentication_required',
    });
  });

  it('takes its time, and is neither canceled nor paid again meanwhile', async () => {
    const { id, status } = await pay({ payment_method: 'pm_card_processing', confirm: true });
    expect(status).toBe('processing');
    await expect(stripe.paymentIntents.cancel(id)).rejects.toMatchObject({ code: 'payment_intent_unexpected_state' });
    expect(fake.finishProcessing(id)).toMatchObject({ status: 'succeeded', amount_received: 1_000 });
    await expect(stripe.paymentIntents.confirm(id)).rejects.toMatchObject({ code: 'payment_intent_unexpected_state' });
  });

  it('is canceled, and found by its customer and time', async () => {
    const { id, created } = await pay();
    expect(await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'abandoned',
    });
    const others = await stripe.customers.create();
    const found = await stripe.paymentIntents.list({ customer: customer.id, created: { gte: created } });
    expect(found.data.map((intent) => intent.id)).toEqual([id]);
    expect((await stripe.paymentIntents.list({ customer: others.id })).data).toEqual([]);
    expect((await stripe.paymentIntents.list({ customer: customer.id, created: { gt: created + 1 } })).data).toEqual(
      [],
    );
  });

  it.each([
    ['too little', { amount: 49 }, 'amount_too_small'],
    ['too much', { amount: 100_000_000 }, 'amount_too_large'],
    ['in a currency that cannot be', { currency: 'dollars' }, 'parameter_invalid'],
    ['of a customer that there is not', { customer: 'cus_0' }, 'resource_missing'],
    ['with a parameter that Stripe does not know', { amuont: 5 }, 'parameter_unknown'],
    ['with one within another', { automatic_payment_methods: { enabled: true, allow: 'x' } }, 'parameter_unknown'],
  ])('that is %s is refused', async (_what, changes, code) => {
    await expect(pay(changes as never)).rejects.toMatchObject({ type: 'StripeInvalidRequestError', code });
  });
});

describe('a card', () => {
  it('is kept without a payment, chosen, and taken away', async () => {
    const { id } = await stripe.setupIntents.create({ customer: customer.id, usage: 'off_session' });
    await expect(
      stripe.setupIntents.confirm(id, { payment_method: 'pm_card_visa_chargeDeclined' }),
    ).rejects.toMatchObject({
      statusCode: 402,
    });
    const { payment_method } = await stripe.setupIntents.confirm(id, { payment_method: 'pm_card_visa' });
    const card = payment_method as string;
    const chosen = await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: card } });
    expect(chosen.invoice_settings.default_payment_method).toBe(card);
    expect(await stripe.paymentMethods.detach(card)).toMatchObject({ customer: null });
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({
      invoice_settings: { default_payment_method: null },
    });
    await expect(stripe.paymentMethods.detach(card)).rejects.toMatchObject({ code: 'payment_method_not_attached' });
  });

  it('of one customer pays nothing of another, and is not theirs to choose', async () => {
    const other = await stripe.customers.create();
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: other.id });
    await expect(pay({ ...AUTOMATIC, payment_method: card.id })).rejects.toMatchObject({
      code: 'payment_method_customer_mismatch',
    });
    await expect(
      stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: card.id } }),
    ).rejects.toMatchObject({
      code: 'resource_missing',
    });
    await stripe.customers.del(other.id);
    expect((await stripe.paymentMethods.retrieve(card.id)).customer).toBeNull();
    await expect(stripe.paymentMethods.attach('pm_card_visa', { customer: other.id })).rejects.toMatchObject({
      statusCode: 404,
    });
  });

  it('that was authenticated when it was kept pays by itself', async () => {
    const { id } = await stripe.setupIntents.create({ customer: customer.id });
    expect(
      await stripe.setupIntents.confirm(id, { payment_method: 'pm_card_authenticationRequiredOnSetup' }),
    ).toMatchObject({
      status: 'requires_action',
    });
    const { payment_method } = fake.authenticate(id);
    expect(await pay({ ...AUTOMATIC, payment_method: payment_method as string })).toMatchObject({
      status: 'succeeded',
    });
  });
});

describe('a refund', () => {
  it('gives back a part, then the rest, and no more; one that fails is money of the seller again', async () => {
    const { id } = await pay({ payment_method: 'pm_card_visa', confirm: true });
    await expect(stripe.refunds.create({ payment_intent: id, amount: 1_001 })).rejects.toThrow(
      'greater than unrefunded',
    );
    await stripe.refunds.create({ payment_intent: id, amount: 400 });
    const rest = await stripe.refunds.create({ payment_intent: id });
    expect(rest).toMatchObject({ amount: 600, status: 'succeeded' });
    await expect(stripe.refunds.create({ payment_intent: id })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
    expect(fake.failRefund(rest.id)).toMatchObject({ status: 'failed' });
    expect(await stripe.charges.retrieve(rest.charge as string)).toMatchObject({
      amount_refunded: 400,
      refunded: false,
    });
    expect(await eventsOf('refund.failed')).toHaveLength(1);
  });
});

describe('an idempotency key', () => {
  const key = { idempotencyKey: 'topup:1' };
  const made = async () => (await stripe.paymentIntents.list({ limit: 100 })).data.length;

  it('has one answer, also a decline, for 24 hours', async () => {
    const first = await pay({}, key);
    const again = await pay({}, key);
    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    const declined = { payment_method: 'pm_card_visa_chargeDeclined', ...AUTOMATIC };
    for (let time = 0; time < 2; time++)
      await expect(pay(declined, { idempotencyKey: 'b' })).rejects.toMatchObject({ code: 'card_declined' });
    expect(await made()).toBe(2);
    fake.state.ahead = 24 * 60 * 60 + 1;
    expect((await pay({}, key)).id).not.toBe(first.id);
  });

  it('is of one request: another one, or the same at once, is refused; what is malformed has none', async () => {
    await expect(pay({ amount: 1 }, key)).rejects.toMatchObject({ code: 'amount_too_small' });
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => pay({}, key)));
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'idempotency_key_in_use' });
    expect(await made()).toBe(1);
    await expect(pay({ amount: 2_000 }, key)).rejects.toMatchObject({ type: 'StripeIdempotencyError' });
  });

  it('finds again what was done where the answer was lost; what was lost on the way there was not done', async () => {
    fake.planFault(/POST .*payment_intents$/, { kind: 'lost_before' }, 2); // stripe-node retries once by itself
    fake.planFault(/POST .*payment_intents$/, { kind: 'lost_after' }, 2);
    await expect(pay({}, key)).rejects.toMatchObject({ type: 'StripeConnectionError' });
    expect(await made()).toBe(0);
    await expect(pay({}, key)).rejects.toMatchObject({ type: 'StripeConnectionError' });
    expect(await made()).toBe(1);
    expect((await pay({}, key)).lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(await made()).toBe(1);
  });

  it('keeps a 500, and neither a 409 nor a 429', async () => {
    for (const status of [409, 429] as const) {
      fake.planFault(/POST .*payment_intents$/, { kind: 'answer', status });
      await expect(pay({}, { idempotencyKey: `k${status}` })).rejects.toMatchObject({ statusCode: status });
      expect(await pay({}, { idempotencyKey: `k${status}` })).toMatchObject({ status: 'requires_payment_method' });
    }
    fake.planFault(/POST .*payment_intents$/, { kind: 'answer', status: 500 });
    for (let time = 0; time < 2; time++) await expect(pay({}, key)).rejects.toMatchObject({ statusCode: 500 });
    expect(await made()).toBe(2);
  });
});

it('goes on where it was when it is started again with its file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-stand-in-'));
  const file = join(folder, 'objects.jsonl');
  const first = await FakeStripe.start({ file });
  const made = await createStripeClient(first).customers.create({ name: 'Ada' }, { idempotencyKey: 'a' });
  await createStripeClient(first).customers.update(made.id, { name: 'Ada Lovelace' });
  await first.stop();
  appendFileSync(file, '{"kind":"customer","obj'); // an incomplete line, as after a kill
  const second = await FakeStripe.start({ file });
  try {
    const client = createStripeClient(second);
    expect(await client.customers.retrieve(made.id)).toMatchObject({ name: 'Ada Lovelace' });
    expect((await client.customers.create({ name: 'Ada' }, { idempotencyKey: 'a' })).id).toBe(made.id);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(
      lines.filter((line) => line.includes(`"id":"${made.id}"`) && line.startsWith('{"kind":"customer"')),
    ).toHaveLength(1);
  } finally {
    await second.stop();
    rmSync(folder, { recursive: true });
  }
});

it('is for who has one of its keys', async () => {
  await expect(createStripeClient(fake, 'sk_test_other').customers.list()).rejects.toMatchObject({
    type: 'StripeAuthenticationError',
  });
  await expect(stripe.products.list()).rejects.toThrow('Unrecognized request URL');
});

/** Returns the status of a request with this host name. */
async function statusAs(name: string, { url }: FakeStripe): Promise<number | undefined> {
  const { port } = new URL(url);
  const asked = request({ port, host: '127.0.0.1', path: '/v1/events', headers: { host: `${name}:${port}` } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer.resume().statusCode;
}

it('answers nobody who calls it by another name, as a page elsewhere could', async () => {
  expect(await statusAs('evil.example', fake)).toBe(403);
});

it('is called by the names that it is given, too', async () => {
  const named = await FakeStripe.start({ host: '0.0.0.0', names: ['payments'] });
  try {
    expect(await Promise.all(['Payments', 'localhost', 'pay'].map((name) => statusAs(name, named)))).toEqual([
      401, 401, 403,
    ]);
  } finally {
    await named.stop();
  }
});

it('says when its port is taken', async () => {
  const port = Number(new URL(fake.url).port);
  await expect(FakeStripe.start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
});
