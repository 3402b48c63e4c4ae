import type { CallResponse, WebhookDeliveryDetail } from '@platform/contracts';
import { RUN_LIMITS } from '@platform/extension-sdk/runtime';
import { LocalServer, type TestService, until } from '@platform/testing';
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import type { DeployedApp } from '../kernel/deployed/deployed-apps.service.js';
import { HostTest, userNamed } from '../testing/host.js';
import { webhookInboxQueue } from './inbox/webhook-inbox.jobs.js';

let host: HostTest;
let elsewhere: LocalServer;
let answer: RequestListener;
let service: TestService;
beforeAll(async () => {
  jest.spyOn(webhookInboxQueue, 'backoff').mockReturnValue(1);
  elsewhere = await LocalServer.start((request, response) => answer(request, response));
  host = await HostTest.start({ EGRESS_ALLOW: `127.0.0.1:${elsewhere.port}` });
  ({ service } = host);
});
afterAll(async () => {
  await host.stop();
  await elsewhere.stop();
});

const deploy = <Document extends { app_id: string }>(document: Document): DeployedApp =>
  host.deploy({ ...document }, { app_id: document.app_id });
const internal = () => host.backend();
const setSecret = async (appId: string, name: string, value: string) => {
  const { status } = await internal().put(`/v1/internal/apps/${appId}/secrets/${name}?scope=app`, { value });
  expect(status).toBe(204);
};
const at = (appId: string, path: string) => `/v1/ext/${appId}/webhook/${path}`;
const send = <Body = unknown>(
  appId: string,
  path: string,
  raw: string | Uint8Array,
  headers: Record<string, string> = {},
) => service.client().post<Body>(at(appId, path), undefined, { raw, headers });
const seconds = (ago = 0) => Math.floor(Date.now() / 1000) - ago;
const hmac = (secret: string, data: string | Buffer, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', secret).update(data).digest(encoding);
/** Documents that the app's webhook has stored. */
const stored = (appId: string, collection: string) =>
  service.query<{ id: string; data: Record<string, unknown> }>(
    `SELECT id, data FROM documents WHERE app_id = $1 AND collection = $2 AND user_id = '__webhook__' AND tenant_id = 'makers' ORDER BY created_at, id`,
    [appId, collection],
  );

const stripeHeader = (secret: string, payload: string, timestamp = seconds()) => ({
  'Stripe-Signature': new Stripe('sk_test_unused').webhooks.generateTestHeaderString({ payload, secret, timestamp }),
});

/** Signatures by each provider's own library or documentation. */
const PROVIDERS: Record<string, { secret: string; sign: (secret: string, body: string) => Record<string, string> }> = {
  github: { secret: 'a secret', sign: (secret, body) => ({ 'X-Hub-Signature-256': `sha256=${hmac(secret, body)}` }) },
  stripe: { secret: 'whsec_one', sign: (secret, body) => stripeHeader(secret, body) },
  slack: {
    secret: 'a secret',
    sign: (secret, body) => {
      const time = String(seconds());
      return { 'X-Slack-Request-Timestamp': time, 'X-Slack-Signature': `v0=${hmac(secret, `v0:${time}:${body}`)}` };
    },
  },
  shopify: { secret: 'a secret', sign: (secret, body) => ({ 'X-Shopify-Hmac-Sha256': hmac(secret, body, 'base64') }) },
  'standard-webhooks': {
    secret: `whsec_${randomBytes(24).toString('base64')}`,
    sign: (secret, body) => {
      const now = new Date();
      return {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('msg_1', now, body),
      };
    },
  },
};

const verifying = (appId: string, scheme: string, webhook: object = {}) => ({
  app_id: appId,
  version: '1.0.0',
  secrets: [{ name: 'signing', scope: 'app' }],
  steps: [
    {
      id: 'hook',
      kind: 'webhook',
      action: 'in',
      params: {
        ...webhook,
        steps: [
          { id: 'secret', kind: 'secret', action: 'get', params: { name: 'signing' } },
          {
            id: 'signature',
            kind: 'crypto',
            action: 'webhook_verify',
            params: { scheme, secret: '{{ steps.secret.value }}' },
          },
          {
            id: 'signed',
            kind: 'control',
            action: 'if',
            params: {
              if: { field: '{{ steps.signature.valid }}', eq: true },
              then: [{ id: 'yes', kind: 'control', action: 'return', params: { body: 'signed' } }],
              else: [
                {
                  id: 'no',
                  kind: 'control',
                  action: 'return',
                  params: { status_code: 401, body: '{{ steps.signature.reason }}' },
                },
              ],
            },
          },
        ],
      },
    },
  ],
});

describe.each(Object.entries(PROVIDERS))('a webhook that %s signs', (scheme, { secret, sign }) => {
  const body = '{"id":"evt_1","text":"žluťoučký \u{1f511}"}\r\n';

  it('is verified over the bytes that were sent', async () => {
    const appId = `signed-${scheme}`;
    deploy(verifying(appId, scheme));
    await setSecret(appId, 'signing', secret);
    const headers = sign(secret, body);
    expect(await send(appId, 'in', body, headers)).toMatchObject({ status: 200, body: 'signed' });
    const flipped = Buffer.from(body);
    flipped.writeUInt8(flipped.readUInt8(8) ^ 1, 8);
    expect(await send(appId, 'in', flipped, headers)).toMatchObject({ status: 401, body: 'mismatch' });
    expect(await send(appId, 'in', body)).toMatchObject({ status: 401, body: 'missing' });
    expect(
      await send(
        appId,
        'in',
        body,
        sign(scheme === 'standard-webhooks' ? `${secret.slice(0, -4)}AAAA` : 'another', body),
      ),
    ).toMatchObject({
      status: 401,
      body: 'mismatch',
    });
  });
});

it('a webhook without its secret is an error of the app, which says nothing', async () => {
  deploy(verifying('no-secret', 'github'));
  expect(await send('no-secret', 'in', '{}')).toMatchObject({ status: 500, body: { code: 'webhook.failed' } });
});

it('a request in an inbox is as old as it was when it came', async () => {
  const secret = 'whsec_one';
  deploy(verifying('late', 'stripe', { inbox: true }));
  await setSecret('late', 'signing', secret);
  const deliver = async (headers: Record<string, string>, receivedAgo: string) => {
    const { body } = await send<{ delivery_id: string }>('late', 'in', '{}', headers);
    const path = `/v1/internal/apps/late/webhook-deliveries/${body.delivery_id}`;
    const finished = () =>
      until(async () => {
        const delivery = (await internal().get<WebhookDeliveryDetail>(path)).body;
        return delivery.finished_at === null ? null : delivery;
      });
    await finished();
    await service.query('UPDATE webhook_deliveries SET received_at = now() - $2::interval WHERE id = $1', [
      body.delivery_id,
      receivedAgo,
    ]);
    expect((await internal().post(`${path}/replay`)).status).toBe(202);
    return finished();
  };
  expect(await deliver(stripeHeader(secret, '{}', seconds(3600)), '1 hour')).toMatchObject({
    status: 'succeeded',
    status_code: 200,
  });
  expect(await deliver(stripeHeader(secret, '{}'), '1 hour')).toMatchObject({ status: 'dead', status_code: 401 });
});

describe('a handler that takes too long', () => {
  const { seconds: usual } = RUN_LIMITS.webhook;
  beforeEach(() => Object.assign(RUN_LIMITS.webhook, { seconds: 2 }));
  afterEach(() => Object.assign(RUN_LIMITS.webhook, { seconds: usual }));

  it('is a 504, and does nothing more', async () => {
    let answerNow = (): void => undefined;
    let closed = false;
    answer = (_request, response) => {
      answerNow = () => response.end('{}');
      response.once('close', () => (closed = true));
    };
    deploy({
      app_id: 'slow',
      version: '1.0.0',
      steps: [
        {
          id: 'hook',
          kind: 'webhook',
          action: 'in',
          params: {
            steps: [
              { id: 'first', kind: 'store', action: 'create', params: { kind: 'done', data: { n: 1 } } },
              { id: 'wait', kind: 'http', action: 'get', params: { url: `http://127.0.0.1:${elsewhere.port}/` } },
              { id: 'second', kind: 'store', action: 'create', params: { kind: 'done', data: { n: 2 } } },
            ],
          },
        },
      ],
    });
    expect(await send('slow', 'in', '{}')).toMatchObject({ status: 504, body: { code: 'webhook.timeout' } });
    await until(() => closed);
    answerNow();
    expect((await stored('slow', 'done')).map(({ data }) => data)).toEqual([{ n: 1 }]);
  });
});

const example = (name: string) =>
  JSON.parse(readFileSync(`examples/${name}/app.json`, 'utf8')) as { app_id: string; version: string };

describe('the sample apps', () => {
  it.each(readdirSync('examples').filter((name) => existsSync(`examples/${name}/app.json`)))(
    '%s: its document is good, and its README tells how to deploy it',
    (name) => {
      expect(deploy(example(name)).app_id).toBe(name);
      expect(readFileSync(`examples/${name}/README.md`, 'utf8')).toContain(
        `npm run platform -- deploy examples/${name}/app.json`,
      );
    },
  );

  describe('bookmark-keeper', () => {
    let app: DeployedApp;
    beforeAll(() => (app = deploy(example('bookmark-keeper'))));

    const call = async (userId: string, name: string, params: Record<string, unknown> = {}): Promise<CallResponse> =>
      (await host.runFunction(app, { function: name, params, user: userNamed(userId) })).body;

    it('keeps, lists, marks and removes, for each user', async () => {
      const url = 'https://example.com/';
      const added = await call('usr_ada', 'add_bookmark', { url, tag: 'later' });
      expect(added).toMatchObject({ status: 'success', data: { is_new: true } });
      const { id } = added.data as { id: string };
      expect(await call('usr_ada', 'add_bookmark', { url, title: 'Example', tag: 'later' })).toMatchObject({
        data: { id, is_new: false },
      });
      await call('usr_ada', 'add_bookmark', { url: 'https://example.org/' });
      expect(await call('usr_ada', 'list_bookmarks')).toMatchObject({ data: { count: 2 } });
      expect(await call('usr_ada', 'list_bookmarks', { tag: 'later' })).toMatchObject({
        data: { count: 1, bookmarks: [{ id, url, title: 'Example' }] },
        summary: 'Bookmarks with the tag later: 1',
      });
      expect(await call('usr_grace', 'list_bookmarks')).toMatchObject({ data: { count: 0 } });
      expect(await call('usr_grace', 'remove_bookmark', { id })).toMatchObject({
        status: 'error',
        error_code: 'BOOKMARK_NOT_FOUND',
      });
      expect(await call('usr_ada', 'mark_read', { id })).toMatchObject({ data: { is_read: true } });
      expect(await call('usr_ada', 'remove_bookmark', { id })).toMatchObject({ status: 'success' });
      expect(await call('usr_ada', 'list_bookmarks')).toMatchObject({ data: { count: 1 } });
    });
  });

  it('github-receiver keeps what GitHub has signed, once for each delivery', async () => {
    deploy(example('github-receiver'));
    const appId = 'github-receiver';
    expect((await send(appId, 'github', '{}')).status).toBe(500);
    await setSecret(appId, 'github_webhook_secret', 'hush');
    const push = JSON.stringify({
      ref: 'refs/heads/main',
      repository: { full_name: 'ada/engine' },
      sender: { login: 'ada' },
    });
    const headers = (body: string, event = 'push') => ({
      'X-GitHub-Event': event,
      'X-GitHub-Delivery': 'd-1',
      'X-Hub-Signature-256': `sha256=${hmac('hush', body)}`,
    });
    for (let n = 0; n < 2; n++)
      expect(await send(appId, 'github', push, headers(push))).toMatchObject({ status: 200, body: { stored: 'd-1' } });
    expect((await stored(appId, 'deliveries')).map(({ data }) => data)).toEqual([
      { event: 'push', repository: 'ada/engine', sender: 'ada', ref: 'refs/heads/main' },
    ]);
    expect(await send(appId, 'github', '{"zen":1}', headers('{"zen":1}', 'ping'))).toMatchObject({
      status: 200,
      body: 'pong',
    });
    expect((await send(appId, 'github', `${push} `, headers(push))).status).toBe(401);
    expect((await send(appId, 'github', push, { ...headers(push), 'X-Hub-Signature-256': '' })).status).toBe(401);
    expect((await send(appId, 'github', 'no json', headers('no json'))).status).toBe(400);
    const { status, body } = await send<{ delivery_id: string }>(appId, 'github/inbox', push, {
      ...headers(push),
      'X-GitHub-Delivery': 'd-2',
    });
    expect(status).toBe(202);
    expect(body.delivery_id).toMatch(/^dlv_/);
    await until(async () => (await stored(appId, 'deliveries')).length === 2);
  });

  it('payment-receiver does each event once, and refuses old ones', async () => {
    deploy(example('payment-receiver'));
    const [appId, secret] = ['payment-receiver', 'whsec_hush'];
    await setSecret(appId, 'payment_webhook_secret', secret);
    const event = (id: string) =>
      JSON.stringify({
        id,
        type: 'payment_intent.succeeded',
        data: { object: { id: 'pi_1', amount: 1000, currency: 'usd' } },
      });
    const pay = (body: string, ago = 0) =>
      send<object>(appId, 'payments', body, stripeHeader(secret, body, seconds(ago)));
    expect(await pay(event('evt_1'))).toMatchObject({ status: 200, body: { received: true, duplicate: false } });
    expect(await pay(event('evt_1'))).toMatchObject({ status: 200, body: { received: true, duplicate: true } });
    expect((await pay(event('evt_2'), 301)).status).toBe(401);
    expect((await pay(event('evt_2'), -301)).status).toBe(401);
    expect((await pay('{"type":"x"}')).status).toBe(400);
    expect((await pay('no json')).status).toBe(400);
    // Duplicates that arrive during the first run must be retried; then they get the answer of a
    // duplicate.
    const many = await Promise.all(Array.from({ length: 10 }, () => pay(event('evt_3'))));
    for (const { status } of many) expect([200, 500]).toContain(status);
    expect(many.filter(({ body }) => 'duplicate' in body && !body.duplicate)).toHaveLength(1);
    expect(await pay(event('evt_3'))).toMatchObject({ status: 200, body: { duplicate: true } });
    expect((await stored(appId, 'payments')).map(({ data }) => data['event_id'])).toEqual(['evt_1', 'evt_3']);
  });

  it('oauth-receiver leads to the provider and back, once', async () => {
    const appId = 'oauth-receiver';
    const provider = `http://127.0.0.1:${elsewhere.port}`;
    deploy(example(appId));
    host.gateway.config = {
      oauth: {
        authorize_url: 'https://provider.example.com/authorize',
        token_url: `${provider}/token`,
        client_id: 'me',
      },
    };
    let asked = '';
    answer = (request, response) => {
      request.on('data', (chunk: Buffer) => (asked += chunk.toString()));
      request.on('end', () => {
        response.setHeader('Content-Type', 'application/json');
        response.end('{"access_token":"at","account_id":"acc_1","scope":"read"}');
      });
    };
    await setSecret(appId, 'oauth_client_secret', 'client-secret');
    await setSecret(appId, 'handshake_secret', 'hook-secret');
    const started = await fetch(`${service.url}${at(appId, 'oauth/start')}`, { redirect: 'manual' });
    const location = new URL(started.headers.get('location') ?? '');
    expect([started.status, location.origin, location.searchParams.get('client_id')]).toEqual([
      302,
      'https://provider.example.com',
      'me',
    ]);
    const back = at(appId, `oauth/callback?code=the%2Fcode&state=${location.searchParams.get('state')}`);
    expect(await service.client().get(back)).toMatchObject({
      status: 200,
      body: 'You are connected. You may close this page.',
    });
    expect(JSON.parse(asked)).toMatchObject({ code: 'the/code', client_secret: 'client-secret' });
    expect((await stored(appId, 'accounts')).map(({ data }) => data)).toMatchObject([
      { account_id: 'acc_1', scope: 'read' },
    ]);
    expect((await service.client().get(back)).status).toBe(401);
    expect((await service.client().get(at(appId, 'oauth/callback?code=x'))).status).toBe(400);
    expect(await service.client().get(at(appId, 'verification?challenge=c4'))).toMatchObject({
      status: 200,
      body: 'c4',
    });
    expect((await service.client().get(at(appId, 'verification'))).status).toBe(400);
    const handshake = await service.client().post(at(appId, 'handshake'), {});
    expect([handshake.status, handshake.headers.get('x-hook-secret')]).toEqual([200, 'hook-secret']);
  });
});
