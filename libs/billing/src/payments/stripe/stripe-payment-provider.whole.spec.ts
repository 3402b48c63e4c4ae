import { ServiceUnavailable } from '@platform/platform';
import { STRIPE_PUBLISHABLE_KEY, STRIPE_SECRET_KEY, FakeStripe, until } from '@platform/testing';
import { Registry } from 'prom-client';
import { PaymentRefused } from '../payment-provider.js';
import { StripePaymentProvider } from './stripe-payment-provider.js';

let fakeStripe: FakeStripe;
let payments: StripePaymentProvider;
let lessPatient: StripePaymentProvider;
let customerId: string;
let card: string;
beforeEach(async () => {
  fakeStripe = await FakeStripe.start();
  [payments, lessPatient] = [paymentsWith(80_000), paymentsWith(1_000)];
  customerId = await payments.createCustomer(
    { userId: 'usr_1', email: 'ada@example.com', name: null, country: null },
    'cust:usr_1',
  );
  await fakeStripe.createObject('payment_methods/pm_card_visa/attach', { customer: customerId });
  card = (await payments.listCards(customerId))[0]?.id ?? '';
});
afterEach(async () => {
  payments.close();
  lessPatient.close();
  await fakeStripe.stop();
});

/** @param timeoutMs limit of one attempt */
const paymentsWith = (timeoutMs: number) =>
  new StripePaymentProvider({
    apiUrl: fakeStripe.url,
    secretKey: STRIPE_SECRET_KEY,
    publishableKey: STRIPE_PUBLISHABLE_KEY,
    metrics: new Registry(),
    timeoutMs,
    probeAfterMs: 50,
  });
const INTENTS = /^POST \/v1\/payment_intents$/;
const pay = (key = 'topup:pay_1:a1', paymentMethodId = card, provider = payments) =>
  provider.createIntent(
    {
      amountCents: 1_000,
      customerId,
      description: '10000 credits',
      metadata: { payment_id: 'pay_1' },
      keepsCard: false,
      paymentMethodId,
    },
    key,
  );
const made = () => fakeStripe.state.list('payment_intent');
const asked = () => fakeStripe.requests.filter((line) => INTENTS.test(line)).length;

describe('fault 7: an answer that comes after the time limit', () => {
  const payInTime = () => pay(undefined, undefined, lessPatient);

  it('is had by the next try, with the same key', async () => {
    fakeStripe.planFault(INTENTS, { kind: 'slow', ms: 10_000 });
    expect(await payInTime()).toMatchObject({ status: 'succeeded', receivedCents: 1_000 });
    expect(made()).toHaveLength(1);
  });

  it('is had by who asks again with the same key, where no try had it: there is one payment', async () => {
    fakeStripe.planFault(INTENTS, { kind: 'slow', ms: 10_000 }, 3);
    await expect(payInTime()).rejects.toBeInstanceOf(ServiceUnavailable);
    expect(await payInTime()).toMatchObject({ status: 'succeeded' });
    expect(made()).toHaveLength(1);
    expect(fakeStripe.state.list('charge')).toHaveLength(1);
  });
});

describe('fault 10: a provider that is busy, or that fails', () => {
  it.each([409, 500] as const)('with %i is asked three times with one key, and no more', async (status) => {
    fakeStripe.planFault(INTENTS, { kind: 'answer', status }, 100);
    await expect(pay()).rejects.toBeInstanceOf(ServiceUnavailable);
    expect(asked()).toBe(3);
    expect(made()).toEqual([]);
  });

  it('with 429 is not asked again by itself', async () => {
    fakeStripe.planFault(INTENTS, { kind: 'answer', status: 429 }, 100);
    await expect(pay()).rejects.toBeInstanceOf(ServiceUnavailable);
    expect(asked()).toBe(1);
  });

  it('that was busy makes the payment once it is not, and one that failed says so for this key for ever', async () => {
    fakeStripe.planFault(INTENTS, { kind: 'answer', status: 409 }, 3);
    await expect(pay('a')).rejects.toBeInstanceOf(ServiceUnavailable);
    expect(await pay('a')).toMatchObject({ status: 'succeeded' });
    fakeStripe.planFault(INTENTS, { kind: 'answer', status: 500 });
    for (let again = 0; again < 2; again++) await expect(pay('b')).rejects.toBeInstanceOf(ServiceUnavailable);
    expect(made()).toHaveLength(1);
  });
});

it('fault 28: a provider that is away is not asked any more after five failures, and is as soon as it is back', async () => {
  fakeStripe.planFault(/./, { kind: 'lost_before' }, 1_000_000);
  for (let call = 0; call < 5; call++)
    await expect(payments.findIntent('pi_x')).rejects.toBeInstanceOf(ServiceUnavailable);
  const before = fakeStripe.requests.length;
  await Promise.all(
    Array.from({ length: 100 }, () => expect(payments.findIntent('pi_x')).rejects.toMatchObject({ status: 503 })),
  );
  // Only one of the hundred calls tests, with three attempts, if the provider is back.
  expect(fakeStripe.requests.slice(before).filter((line) => line.includes('pi_x')).length).toBeLessThanOrEqual(3);
  fakeStripe.faults.clear();
  await until(() =>
    payments.findIntent('pi_x').then(
      (found) => found === null,
      () => false,
    ),
  );
});

describe('a card that pays nothing any more', () => {
  it.each<[string, () => Promise<string>]>([
    ['that was taken away', () => payments.detachCard(card).then(() => card)],
    ['that there is not', () => Promise.resolve('pm_none')],
  ])('%s is refused, and nothing is made', async (_which, which) => {
    const refused = await which();
    await expect(pay('a', refused)).rejects.toBeInstanceOf(PaymentRefused);
    expect(made()).toEqual([]);
  });

  it('while the provider does not say whose it is leaves open what became of the payment', async () => {
    await payments.detachCard(card);
    fakeStripe.planFault(/^GET \/v1\/payment_methods/, { kind: 'lost_before' }, 3);
    await expect(pay()).rejects.toBeInstanceOf(ServiceUnavailable);
  });
});

it('has all events that nobody took, however many there are, the oldest first', async () => {
  const { webhooks } = fakeStripe;
  Object.assign(webhooks.settings, { url: 'http://127.0.0.1:9', copies: 0 });
  for (let event = 0; event < 250; event++)
    webhooks.emit('product.created', { id: `prod_${event}`, object: 'product' });
  const events = await payments.listUndeliveredEvents(new Date(Date.now() - 60_000));
  expect(events.map(({ objectId }) => objectId)).toEqual(Array.from({ length: 250 }, (_none, at) => `prod_${at}`));
});
