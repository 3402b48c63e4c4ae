import type { JsonObject } from '@platform/app-document';
import { createHmac } from 'node:crypto';
import { HostTest } from '../testing/host.js';

let host: HostTest;
beforeAll(async () => (host = await HostTest.start()));
afterAll(() => host.stop());

const SECRET = 'the secret of the provider';

/** Deploys a webhook `in` with these steps, after a step that reads its secret. */
async function deploy(appId: string, webhook: JsonObject, steps: JsonObject[]): Promise<void> {
  const secret = { id: 'secret', kind: 'secret', action: 'get', params: { name: 'signing' } };
  const hook = { id: 'hook', kind: 'webhook', action: 'in', params: { ...webhook, steps: [secret, ...steps] } };
  host.deploy(
    { app_id: appId, version: '1.0.0', secrets: [{ name: 'signing', scope: 'app' }], steps: [hook] },
    { app_id: appId },
  );
  await host.backend().put(`/v1/internal/apps/${appId}/secrets/signing?scope=app`, { value: SECRET });
}

const answer = (params: JsonObject, id = 'answer'): JsonObject => ({ id, kind: 'control', action: 'return', params });

interface Sent {
  method?: string;
  query?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function send(appId: string, { method = 'POST', query = '', headers = {}, body }: Sent = {}) {
  const url = `${host.service.url}/v1/ext/${appId}/webhook/in${query}`;
  const answered = await fetch(url, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) });
  return {
    status: answered.status,
    headers: answered.headers,
    type: answered.headers.get('content-type'),
    text: await answered.text(),
  };
}

const HARMLESS = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

it('Twilio gets TwiML, by GET and by POST, which no browser shows or runs', async () => {
  const twiml = '<?xml version="1.0" encoding="UTF-8"?><Response><Say>Hello</Say></Response>';
  await deploy('twilio', { method: ['GET', 'POST'] }, [
    answer({ headers: { 'Content-Type': 'text/xml' }, body: twiml }),
  ]);
  for (const method of ['GET', 'POST']) {
    const { status, type, text, headers } = await send('twilio', {
      method,
      headers: { Origin: 'https://elsewhere.example' },
    });
    expect({ status, type, text }).toEqual({ status: 200, type: 'text/xml', text: twiml });
    expect(Object.fromEntries(headers)).toMatchObject({ ...HARMLESS, 'content-disposition': 'attachment' });
  }
});

it('Slack gets its challenge, as text or JSON', async () => {
  const sent = {
    body: '{"type":"url_verification","challenge":"3eZbrw1a"}',
    headers: { 'Content-Type': 'application/json' },
  };
  await deploy('slack', {}, [answer({ body: '{{ event.json.challenge }}' })]);
  expect(await send('slack', sent)).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8', text: '3eZbrw1a' });
  await deploy('slack-json', {}, [answer({ body: { challenge: '{{ event.json.challenge }}' } })]);
  expect(await send('slack-json', sent)).toMatchObject({
    status: 200,
    type: 'application/json',
    text: '{"challenge":"3eZbrw1a"}',
  });
});

it('Meta gets its challenge as text, also where it is a number', async () => {
  await deploy('meta', { method: 'GET' }, [answer({ body: "{{ event.query_params['hub.challenge'] }}" })]);
  const query = '?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=x';
  expect(await send('meta', { method: 'GET', query })).toMatchObject({
    status: 200,
    type: 'text/plain; charset=utf-8',
    text: '1158201444',
  });
});

it('Zoom gets its token with the HMAC of it', async () => {
  await deploy('zoom', {}, [
    {
      id: 'sealed',
      kind: 'crypto',
      action: 'hmac_sign',
      params: { data: '{{ event.json.payload.plainToken }}', secret: '{{ steps.secret.value }}' },
    },
    answer({
      body: { plainToken: '{{ event.json.payload.plainToken }}', encryptedToken: '{{ steps.sealed.signature }}' },
    }),
  ]);
  const { type, text } = await send('zoom', {
    body: '{"event":"endpoint.url_validation","payload":{"plainToken":"qgg8vlvZ"}}',
  });
  const encryptedToken = createHmac('sha256', SECRET).update('qgg8vlvZ').digest('hex');
  expect([type, JSON.parse(text)]).toEqual(['application/json', { plainToken: 'qgg8vlvZ', encryptedToken }]);
});

it('Microsoft Graph gets its token as text, decoded once', async () => {
  await deploy('graph', {}, [answer({ body: '{{ event.query_params.validationToken }}' })]);
  const token = 'Validation: Testing <client> 100% %2B + a&b "q"';
  const query = `?validationToken=${encodeURIComponent(token)}`;
  expect(await send('graph', { query })).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8', text: token });
});

it('Trello gets 200 for a HEAD', async () => {
  await deploy('trello', { method: ['HEAD', 'POST'] }, [answer({ status_code: 200 })]);
  expect(await send('trello', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  await deploy('trello-get', { method: 'GET' }, [answer({ body: 'here' })]);
  expect(await send('trello-get', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
});

it('a sender of CloudEvents gets the consent of the app, and of nobody else', async () => {
  const handshake = {
    method: 'OPTIONS',
    headers: { 'WebHook-Request-Origin': 'eventemitter.example.com', 'WebHook-Request-Rate': '120' },
  };
  const headers = {
    'WebHook-Allowed-Origin': '{{ event.headers.webhook-request-origin }}',
    'WebHook-Allowed-Rate': '100',
    Allow: 'POST',
  };
  await deploy('cloudevents', { method: ['OPTIONS', 'POST'] }, [answer({ status_code: 200, headers })]);
  const { status, headers: answered } = await send('cloudevents', handshake);
  expect([
    status,
    answered.get('webhook-allowed-origin'),
    answered.get('webhook-allowed-rate'),
    answered.get('allow'),
  ]).toEqual([200, 'eventemitter.example.com', '100', 'POST']);
  await deploy('no-cloudevents', {}, [answer({})]);
  const refused = await send('no-cloudevents', handshake);
  expect([refused.status, refused.headers.get('webhook-allowed-origin'), refused.headers.get('allow')]).toEqual([
    204,
    null,
    'POST',
  ]);
});

it('Shopify and others get a status with an empty body, which has a length', async () => {
  for (const status of [200, 201, 202]) {
    await deploy(`empty-${status}`, {}, [answer({ status_code: status })]);
    const { headers, text } = await send(`empty-${status}`);
    expect([headers.get('content-length'), headers.get('transfer-encoding'), text]).toEqual(['0', null, '']);
  }
  await deploy('empty-204', {}, [answer({ status_code: 204 })]);
  const { status, headers } = await send('empty-204');
  expect([status, headers.get('content-length'), headers.get('content-type')]).toEqual([204, null, null]);
});

it('a sender is told when to come back', async () => {
  await deploy('later', {}, [answer({ status_code: 429, headers: { 'Retry-After': '120' } })]);
  const { status, headers } = await send('later');
  expect([status, headers.get('retry-after')]).toEqual([429, '120']);
});

it('a program that sends no credentials unasked is asked for them, and no browser', async () => {
  await deploy('basic', {}, [answer({ status_code: 401, headers: { 'WWW-Authenticate': 'Basic realm="calls"' } })]);
  expect((await send('basic')).headers.get('www-authenticate')).toBe('Basic realm="calls"');
  expect(
    (await send('basic', { headers: { Origin: 'https://elsewhere.example' } })).headers.get('www-authenticate'),
  ).toBeNull();
});

it('a player gets sound, to the byte', async () => {
  const sound = Buffer.from([0xff, 0xfb, 0x90, 0x00, 0xfe]);
  await deploy('sound', { method: 'GET' }, [
    answer({ headers: { 'Content-Type': 'audio/mpeg' }, body_base64: sound.toString('base64') }),
  ]);
  const answered = await fetch(`${host.service.url}/v1/ext/sound/webhook/in`);
  expect([answered.headers.get('content-type'), answered.headers.get('content-length')]).toEqual(['audio/mpeg', '5']);
  expect(Buffer.from(await answered.arrayBuffer()).equals(sound)).toBe(true);
});

it('a provider that signs the query finds it as it sent it', async () => {
  await deploy('query', {}, [
    answer({
      body: { query: '{{ event.query }}', tags: '{{ event.query_values.tag }}', last: '{{ event.query_params.tag }}' },
    }),
  ]);
  const { text } = await send('query', { query: '?tag=a%20b&tag=c+d&x=%2F' });
  expect(JSON.parse(text)).toEqual({ query: 'tag=a%20b&tag=c+d&x=%2F', tags: ['a b', 'c d'], last: 'c d' });
});
