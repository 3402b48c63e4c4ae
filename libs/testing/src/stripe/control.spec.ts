import type Stripe from 'stripe';
import { text } from 'node:stream/consumers';
import { LocalServer } from '../local-server.js';
import { createStripeClient } from './stripe-client.js';
import { STRIPE_PUBLISHABLE_KEY, STRIPE_SECRET_KEY, FakeStripe } from './fake-stripe.js';

let fake: FakeStripe;
let stripe: Stripe;
beforeEach(async () => {
  fake = await FakeStripe.start();
  stripe = createStripeClient(fake);
});
afterEach(() => fake.stop());

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function control(line: string, body?: unknown, key = STRIPE_SECRET_KEY): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ');
  const answer = await fetch(`${fake.url}/_control${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}` },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const pay = (payment_method: string) =>
  stripe.paymentIntents.create({ amount: 1_000, currency: 'usd', payment_method, confirm: true });

it('plans faults, says what is planned, and forgets it', async () => {
  const request = 'POST .*payment_intents$';
  expect(await control('POST /faults', { request, fault: { kind: 'answer', status: 429 } })).toMatchObject({
    status: 200,
  });
  await expect(pay('pm_card_visa')).rejects.toMatchObject({ statusCode: 429 });
  expect(await pay('pm_card_visa')).toMatchObject({ status: 'succeeded' });
  const slow = { request, fault: { kind: 'slow', ms: 60_000 }, times: 3 };
  await control('POST /faults', slow);
  expect((await control('GET ')).body).toMatchObject({ faults: [slow], ahead: 0, webhooks: { url: null, copies: 1 } });
  expect((await control('DELETE /faults')).body).toMatchObject({ faults: [] });
  expect(await pay('pm_card_visa')).toMatchObject({ status: 'succeeded' });
  await control('POST /faults', { request, fault: { kind: 'lost_before' }, times: 2 });
  await expect(pay('pm_card_visa')).rejects.toMatchObject({ type: 'StripeConnectionError' });
});

it('says where events go and how, and delivers one again', async () => {
  const ids: string[] = [];
  const receiver = await LocalServer.start((request, response) => {
    void text(request).then((body) => {
      ids.push((JSON.parse(body) as { id: string }).id);
      response.end();
    });
  });
  try {
    const settings = {
      url: `http://127.0.0.1:${receiver.port}`,
      secrets: ['whsec_a', 'whsec_b'],
      copies: 2,
      delayMs: 1,
      shuffles: true,
      signsWrongly: true,
      retriesAfterMs: [5, 10],
    };
    expect((await control('POST /webhooks', settings)).body['webhooks']).toEqual(settings);
    const { id } = await stripe.customers.create();
    await fake.webhooks.waitUntilSettled();
    const [event] = (await stripe.events.list()).data;
    expect(event?.data.object).toMatchObject({ id });
    expect((await control('POST /webhooks', { copies: 1, url: settings.url })).body['webhooks']).toEqual({
      ...settings,
      copies: 1,
    });
    expect((await control('POST /redeliver', { id: event?.id })).status).toBe(200);
    await fake.webhooks.waitUntilSettled();
    expect(ids).toEqual([event?.id, event?.id, event?.id]);
    expect((await control('POST /webhooks', { url: null })).body).toMatchObject({ webhooks: { url: null } });
  } finally {
    await receiver.stop();
  }
});

it('moves the time', async () => {
  const { created } = await stripe.customers.create();
  expect((await control('POST /clock', { ahead: 86_400 })).body).toMatchObject({ ahead: 86_400 });
  expect((await stripe.customers.create()).created).toBeGreaterThanOrEqual(created + 86_400);
});

it('does what banks and customers do', async () => {
  const [first, second] = [await pay('pm_card_authenticationRequired'), await pay('pm_card_authenticationRequired')];
  expect(await control('POST /authenticate', { id: first.id })).toMatchObject({
    status: 200,
    body: { status: 'succeeded' },
  });
  expect((await control('POST /authenticate', { id: second.id, succeeds: false })).body['status']).toBe(
    'requires_payment_method',
  );
  const slow = await pay('pm_card_processing');
  const { body: paid } = await control('POST /finish-processing', { id: slow.id });
  expect(paid['status']).toBe('succeeded');
  const refund = await stripe.refunds.create({ payment_intent: slow.id, amount: 100 });
  expect((await control('POST /fail-refund', { id: refund.id })).body['status']).toBe('failed');
  const dispute = await control('POST /open-dispute', {
    charge: paid['latest_charge'],
    amount: 200,
    reason: 'duplicate',
  });
  expect(dispute.body).toMatchObject({ amount: 200, reason: 'duplicate', status: 'needs_response' });
  const { id } = dispute.body;
  expect((await control('POST /close-dispute', { id, outcome: 'won' })).body['status']).toBe('won');
});

it.each([
  ['POST /faults', { request: '(', fault: { kind: 'slow', ms: 1 } }, 'request has to be a regular expression.'],
  ['POST /faults', { request: 'x', fault: 'slow' }, 'fault has to be an object.'],
  [
    'POST /faults',
    { request: 'x', fault: { kind: 'late' } },
    'kind has to be one of lost_before, lost_after, slow, answer.',
  ],
  ['POST /faults', { request: 'x', fault: { kind: 'slow', ms: 0.5 } }, 'ms has to be a whole number from 1 to 600000.'],
  ['POST /faults', { request: 'x', fault: { kind: 'answer', status: 200 } }, 'status has to be one of 409, 429, 500.'],
  [
    'POST /faults',
    { request: 'x', fault: { kind: 'lost_after' }, times: 0 },
    'times has to be a whole number from 1 to 1000000.',
  ],
  ['POST /faults', { fault: { kind: 'lost_after' } }, 'request has to be a text of 1 to 500 characters.'],
  ['POST /webhooks', { urls: 'http://localhost' }, 'There is no "urls" here, but url, secrets, copies,'],
  ['POST /webhooks', { url: 'ftp://localhost' }, 'url has to be an http(s) address, or null.'],
  ['POST /webhooks', { secrets: ['a', ''] }, 'secrets has to be a list of texts.'],
  ['POST /webhooks', { secrets: 'a' }, 'secrets has to be a list of 10 at most.'],
  ['POST /webhooks', { retriesAfterMs: [1, -1] }, 'each of retriesAfterMs has to be a whole number from 0 to 600000.'],
  ['POST /webhooks', { shuffles: 'yes' }, 'shuffles has to be true or false.'],
  ['POST /clock', { ahead: -1 }, 'ahead has to be a whole number from 0 to'],
  ['POST /clock', '{', 'The body has to be JSON.'],
  ['POST /clock', '[]', 'The body has to be an object.'],
  ['POST /open-dispute', { charge: 'ch_0', reason: 'boredom' }, 'reason has to be one of fraudulent,'],
  ['POST /close-dispute', { id: 'dp_0', outcome: 'drawn' }, 'outcome has to be one of won, lost.'],
])('%s %j is refused', async (line, body, detail) => {
  const before = (await control('GET ')).body;
  const answer = await control(line, body);
  expect(answer).toEqual({ status: 400, body: { detail: expect.stringContaining(detail) } });
  expect({ ...(await control('GET ')).body, now: 0 }).toEqual({ ...before, now: 0 });
});

it.each(['authenticate', 'finish-processing', 'fail-refund', 'close-dispute', 'redeliver', 'open-dispute'])(
  '%s of what there is not is a 404',
  async (operation) => {
    const outcome = operation === 'close-dispute' ? { outcome: 'won' } : {};
    const body = operation === 'open-dispute' ? { charge: 'x_0' } : { id: 'x_0', ...outcome };
    const answer = await control(`POST /${operation}`, body);
    expect(answer).toEqual({ status: 404, body: { detail: expect.stringContaining('No such') } });
  },
);

it('is for who has the secret key, and names what there is', async () => {
  for (const key of [STRIPE_PUBLISHABLE_KEY, 'sk_test_other', ''])
    expect((await control('GET ', undefined, key)).status).toBe(401);
  expect((await control('POST /constructor', {})).body['detail']).toContain(
    'There is no POST /_control/constructor, but GET /_control,',
  );
  const { id } = await pay('pm_card_visa');
  expect(await control('POST /authenticate', { id })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('succeeded') },
  });
  // Requests to `/_control` are not recorded.
  expect(fake.requests).toEqual(['POST /v1/payment_intents']);
});
