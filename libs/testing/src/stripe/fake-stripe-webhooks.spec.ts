import { text } from 'node:stream/consumers';
import type Stripe from 'stripe';
import { LocalServer } from '../local-server.js';
import { until } from '../until.js';
import { createStripeClient } from './stripe-client.js';
import { FakeStripe } from './fake-stripe.js';

interface Taken {
  id: string;
  type: string;
  body: string;
  signature: string;
}

let fake: FakeStripe;
let stripe: Stripe;
let receiver: LocalServer;
let taken: Taken[];
/** Number of further deliveries to refuse. */
let refusals: number;
beforeEach(async () => {
  taken = [];
  refusals = 0;
  receiver = await LocalServer.start((request, response) => {
    void text(request).then((body) => {
      const { id, type } = JSON.parse(body) as Taken;
      taken.push({ id, type, body, signature: String(request.headers['stripe-signature']) });
      response.writeHead(refusals-- > 0 ? 503 : 200).end();
    });
  });
  fake = await FakeStripe.start({ webhooks: { url: `http://127.0.0.1:${receiver.port}` } });
  stripe = createStripeClient(fake);
});
afterEach(async () => {
  await fake.stop();
  await receiver.stop();
});

const pay = (changes: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({ amount: 1_000, currency: 'usd', ...changes });
const opened = ({ body, signature }: Taken, secret = 'whsec_stand_in') =>
  stripe.webhooks.constructEvent(body, signature, secret);

it('are signed and delivered as Stripe does it: more than once, in another order, or not at all', async () => {
  const secrets = ['whsec_old', 'whsec_new'];
  Object.assign(fake.webhooks.settings, { secrets, copies: 3, shuffles: true });
  await pay({ payment_method: 'pm_card_visa', confirm: true });
  await fake.webhooks.waitUntilSettled();
  expect(taken).toHaveLength(9);
  const [first] = taken as [Taken];
  for (const secret of secrets) expect(opened(first, secret).type).toBe(first.type);
  expect(() => opened(first, 'whsec_other')).toThrow();
  expect((await stripe.events.list({ delivery_success: false })).data).toEqual([]);
  refusals = 3;
  await pay();
  await fake.webhooks.waitUntilSettled();
  const undelivered = await stripe.events.list({ delivery_success: false });
  expect(undelivered.data.map(({ type }) => type)).toEqual(['payment_intent.created']);
  const types = ['payment_intent.created', 'charge.succeeded'];
  expect((await stripe.events.list({ delivery_success: true, types })).data.map(({ type }) => type)).toEqual(
    types.toReversed(),
  );
});

it('are tried again while nobody takes them, each time with the signature of that time', async () => {
  fake.webhooks.settings.retriesAfterMs = [1, 1, 1];
  refusals = 2;
  await pay();
  await fake.webhooks.waitUntilSettled();
  expect(taken).toHaveLength(3);
  expect(new Set(taken.map(({ id }) => id)).size).toBe(1);
  expect((await stripe.events.list({ delivery_success: false })).data).toEqual([]);
});

it('are given up in the end, and when it stops', async () => {
  fake.webhooks.settings.retriesAfterMs = [1];
  refusals = Infinity;
  await pay();
  await fake.webhooks.waitUntilSettled();
  expect(taken).toHaveLength(2);
  fake.webhooks.settings.retriesAfterMs = [60_000];
  await pay();
  await until(() => taken.length === 3);
  await fake.stop(); // does not wait for a minute
  fake = await FakeStripe.start();
});

it('are lost as long as none is to be delivered, whatever is set right after that', async () => {
  const { settings } = fake.webhooks;
  settings.copies = 0;
  // Emits directly instead of by a request: no timer can fire between these lines.
  fake.webhooks.emit('customer.deleted', {});
  settings.copies = 1;
  fake.webhooks.emit('customer.created', {});
  await fake.webhooks.waitUntilSettled();
  expect(taken.map(({ type }) => type)).toEqual(['customer.created']);
});

it('are delivered again with their id, and signed wrongly where that is asked for', async () => {
  await pay();
  await fake.webhooks.waitUntilSettled();
  const [first] = taken as [Taken];
  fake.webhooks.settings.signsWrongly = true;
  expect(fake.redeliver(first.id)).toMatchObject({ id: first.id });
  await fake.webhooks.waitUntilSettled();
  const second = taken[1] as Taken;
  expect(second.id).toBe(first.id);
  expect(() => opened(second)).toThrow('No signatures found matching');
  expect(() => fake.redeliver('evt_0')).toThrow("No such event: 'evt_0'");
});
