import { LocalServer, STRIPE_SECRET_KEY, until, type FakeStripe } from '@platform/testing';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { request as sendRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type Stripe from 'stripe';
import { createStripeClient } from '../../libs/testing/src/stripe/stripe-client.js';
import { startPayments } from './payments.js';

let root: string;
let gateway: LocalServer;
let taken: Stripe.Event[];
/** Status that the gateway answers with. */
let status: number;
let payments: FakeStripe;
let stripe: Stripe;

const start = async () => {
  payments = await startPayments(root, {
    PAYMENTS_PORT: '0',
    PAYMENTS_WEBHOOK_URL: `http://127.0.0.1:${gateway.port}/v1/webhooks/stripe`,
  });
  stripe = createStripeClient(payments);
};

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'payments-'));
  taken = [];
  status = 200;
  gateway = await LocalServer.start((request, response) => {
    void text(request).then((body) => {
      if (status === 200) {
        const signature = String(request.headers['stripe-signature']);
        taken.push(stripe.webhooks.constructEvent(body, signature, 'whsec_stand_in'));
      }
      response.writeHead(status).end();
    });
  });
  await start();
});

afterEach(async () => {
  await payments.stop();
  await gateway.stop();
  rmSync(root, { recursive: true });
});

it('tells the gateway of what happens, signed with its secret', async () => {
  const { id } = await stripe.customers.create({ name: 'Ada' });
  await until(() => taken.length === 1);
  expect(taken[0]).toMatchObject({ type: 'customer.created', data: { object: { id } } });
  expect(gateway.requests[0]?.url).toBe('/v1/webhooks/stripe');
});

it('tells it again where it does not listen yet', async () => {
  status = 503;
  await stripe.customers.create({ name: 'Ada' });
  await until(() => gateway.requests.length === 1);
  expect((await stripe.events.list({ delivery_success: false })).data).toHaveLength(1);
  status = 200;
  await until(() => taken.length === 1);
  await until(async () => (await stripe.events.list({ delivery_success: false })).data.length === 0);
});

it('finds its payments after a restart, even when a kill left half a line', async () => {
  const intent = await stripe.paymentIntents.create({ amount: 1_000, currency: 'usd' });
  await payments.stop();
  const file = join(root, '.data', 'payments.jsonl');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  appendFileSync(file, '{"kind":"payment_intent","object":{"id"');
  await start();
  const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
  expect(paid.status).toBe('succeeded');
});

it('goes on when a client breaks off', async () => {
  const broken = sendRequest(`${payments.url}/v1/payment_intents`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${STRIPE_SECRET_KEY}`, 'Content-Length': 100, Expect: '100-continue' },
  });
  const failed = once(broken, 'error');
  broken.flushHeaders();
  await once(broken, 'continue'); // it has begun to read the request
  await new Promise((done) => broken.write('amount=1', done));
  broken.destroy(new Error('broken off'));
  await failed;
  expect((await stripe.customers.create()).object).toBe('customer');
});

it('serves the page to pay, and what a developer does with it from outside', async () => {
  const intent = await stripe.paymentIntents.create({ amount: 1_000, currency: 'usd' });
  const page = await fetch(`${payments.url}/pay/${intent.id}?client_secret=${intent.client_secret}`);
  expect(await page.text()).toContain('$10.00');
  const headers = { Authorization: `Bearer ${STRIPE_SECRET_KEY}` };
  const described = await (await fetch(`${payments.url}/_control`, { headers })).json();
  expect(described).toMatchObject({ webhooks: { retriesAfterMs: [1_000, 5_000, 30_000] } });
});

it('says when its port is taken', async () => {
  const port = Number(new URL(payments.url).port);
  const second = startPayments(join(root, 'other'), { PAYMENTS_PORT: String(port) });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE', port });
});
