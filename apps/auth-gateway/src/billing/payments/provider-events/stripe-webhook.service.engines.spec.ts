import { newId } from '@platform/platform';
import { once } from 'node:events';
import { request as sendRequest, type IncomingMessage } from 'node:http';
import { Registry } from 'prom-client';
import { GatewayWithPayments } from '../../../testing/gateway-with-payments.js';

let test: GatewayWithPayments;
beforeAll(async () => {
  test = await GatewayWithPayments.start({ WORKERS: 'inline', STRIPE_WEBHOOK_SECRETS: 'whsec_new,whsec_stand_in' });
});
afterAll(() => test.stop());

const eventOf = (changes: object = {}): string =>
  JSON.stringify({
    id: newId('evt'),
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object: { id: 'pi_x', object: 'payment_intent' } },
    ...changes,
  });
const signed = (body: string, secrets?: string[], at?: number): string => test.stripe.webhooks.sign(body, secrets, at);
const post = (body: string | Buffer, signature: string | null) =>
  test.gateway.client().post('/v1/webhooks/stripe', undefined, {
    raw: body,
    headers: signature === null ? {} : { 'Stripe-Signature': signature },
  });
const stored = (id: string) =>
  test.gateway.service.query<{ type: string; handled_at: Date | null }>(
    'SELECT type, handled_at FROM inbound_events WHERE event_id = $1',
    [id],
  );
const now = () => Math.floor(Date.now() / 1_000);

it('takes an event that is signed, and stores it once of 50 that come at the same time', async () => {
  const id = newId('evt');
  const body = eventOf({ id });
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(body, signed(body))));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers[0]?.body).toEqual({ received: true });
  expect(await stored(id)).toHaveLength(1);
});

it('fault 27: takes one by either of two secrets, and one that is signed with both', async () => {
  const body = eventOf();
  for (const secrets of [
    ['whsec_new'],
    ['whsec_stand_in'],
    ['whsec_new', 'whsec_stand_in'],
    ['whsec_old', 'whsec_new'],
  ]) {
    expect((await post(body, signed(body, secrets))).status).toBe(200);
  }
});

it('stores an event of a type that means nothing here', async () => {
  const id = newId('evt');
  const body = eventOf({ id, type: 'product.created' });
  expect((await post(body, signed(body))).status).toBe(200);
  expect(await stored(id)).toEqual([{ type: 'product.created', handled_at: expect.any(Date) }]);
});

it.each<[string, (body: string) => string | null]>([
  ['without a signature', () => null],
  ['with an empty one', () => ''],
  ['by a secret of before', (body) => signed(body, ['whsec_old'])],
  ['of another body', () => signed(eventOf())],
  ['signed six minutes ago', (body) => signed(body, undefined, now() - 360)],
  ['signed in six minutes', (body) => signed(body, undefined, now() + 360)],
  ['with two times', (body) => `t=${now()},${signed(body)}`],
  ['with a time in words', (body) => signed(body).replace(/t=\d+/, 't=now')],
  ['with a signature that is cut', (body) => signed(body).slice(0, -2)],
  ['with one that is not hexadecimal', (body) => signed(body).replace(/v1=.*/, `v1=${'z'.repeat(64)}`)],
  ['with a time alone', () => `t=${now()}`],
])('fault 27: refuses an event %s', async (_what, signatureOf) => {
  const id = newId('evt');
  const body = eventOf({ id });
  const answer = await post(body, signatureOf(body));
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ code: 'webhook.invalid_signature' });
  expect(await stored(id)).toEqual([]);
});

it.each([
  ['no JSON', 'x'],
  ['nothing', ''],
  ['null', 'null'],
  ['a list', '[]'],
  ['an object of another kind', '{"id":"ch_1","object":"charge"}'],
  ['an event without an id', eventOf({ id: undefined })],
  ['an event without data', eventOf({ data: undefined })],
])('refuses what is signed and is %s', async (_what, body) => {
  const answer = await post(body, signed(body));
  expect([answer.status, (answer.body as { code: string }).code]).toEqual([400, 'webhook.no_event']);
});

it.each<[string, object]>([
  ['an id with a zero', { id: 'evt_\u0000' }],
  ['an id of 300 characters', { id: 'e'.repeat(300) }],
  ['a type with a zero', { type: 'product.\u0000' }],
  ['an object whose id has a zero', { data: { object: { id: 'pi_\u0000', object: 'payment_intent' } } }],
  [
    'an intent of 300 characters',
    { data: { object: { id: 'ch_x', object: 'charge', payment_intent: 'p'.repeat(300) } } },
  ],
])('refuses an event that has %s, and none of those that come with it', async (_what, changes) => {
  const bad = eventOf(changes);
  const good = Array.from({ length: 20 }, () => eventOf({ type: 'product.created' }));
  const answers = await Promise.all(
    [...good.slice(10), bad, ...good.slice(0, 10)].map((body) => post(body, signed(body))),
  );
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 10 }, () => 200),
    400,
    ...Array.from({ length: 10 }, () => 200),
  ]);
});

it.each([
  ['without a signature', {}],
  ['with one that is none', { 'Stripe-Signature': 'v1' }],
  ['with an old one', { 'Stripe-Signature': `t=${Math.floor(Date.now() / 1_000) - 360},v1=${'0'.repeat(64)}` }],
])('refuses an event %s before its body comes, counts it, and writes nothing to the log', async (_what, headers) => {
  const lines = test.gateway.service.logLines.length;
  const request = sendRequest(`${test.gateway.service.url}/v1/webhooks/stripe`, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'Content-Length': 1_000 },
  });
  request.flushHeaders();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined);
  request.destroy();
  expect(response.statusCode).toBe(400);
  expect(test.gateway.service.logLines.slice(lines).filter((line) => line.includes('signed'))).toEqual([]);
  expect(await test.gateway.service.app.get(Registry).metrics()).toMatch(
    /payment_webhooks_refused_total\{reason="(missing|stale)"[^}]*\} [1-9]/,
  );
});

it('takes a megabyte, and no more', async () => {
  const padded = (length: number): string => {
    const short = eventOf({ padding: '' });
    return short.replace('"padding":""', `"padding":"${'x'.repeat(length - short.length)}"`);
  };
  const [most, tooMuch] = [padded(1024 * 1024), padded(1024 * 1024 + 1)];
  expect((await post(most, signed(most))).status).toBe(200);
  expect((await post(tooMuch, signed(tooMuch))).status).toBe(413);
});

it('is signed over the bytes, whatever they are', async () => {
  const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x00]), Buffer.from('x')]);
  const signature = test.stripe.webhooks.sign(body.toString('latin1'));
  // `sign` signs text; the same bytes read as another text have another signature.
  expect((await post(body, signature)).status).toBe(400);
});
