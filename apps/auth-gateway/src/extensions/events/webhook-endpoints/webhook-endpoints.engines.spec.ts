import type { WebhookEndpoint, WebhookEndpointsResponse, WebhookEndpointWithSecret } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { GatewayTest, type TestUser } from '../../../testing/gateway-test.js';
import { createTenant } from '../../../testing/tenants.js';
import { createTestEndpoint, TestWebhookReceiver } from '../../../testing/test-webhook-receiver.js';

let gateway: GatewayTest;
let receiver: TestWebhookReceiver;
let admin: TestUser;
let client: TestClient;
let tenantId: string;
beforeAll(async () => {
  receiver = await TestWebhookReceiver.start();
  gateway = await GatewayTest.start(receiver.env);
});
beforeEach(async () => {
  ({ id: tenantId } = await createTenant(gateway.backend()));
  admin = await gateway.user({ tenant_id: tenantId, role: 'admin' });
  client = await gateway.signIn(admin);
});
afterAll(async () => {
  await gateway.stop();
  await receiver.stop();
});

const ROUTE = '/v1/webhook-endpoints';
const SENT = {
  url: 'https://hooks.example.com/in?x=1',
  description: 'Billing',
  event_types: ['billing.*', 'user.created'],
};
const create = (changes: object = {}, as = client) =>
  as.post<WebhookEndpointWithSecret>(ROUTE, { ...SENT, ...changes });
const entries = () =>
  gateway.service.query<{ action: string; actor_id: string; before_state: object | null; after_state: object | null }>(
    "SELECT action, actor_id, before_state, after_state FROM gateway_audit.audit_entries WHERE tenant_id = $1 AND action LIKE 'webhook_endpoint.%' ORDER BY id",
    [tenantId],
  );

it('is created, read, changed, listed and deleted, and the secret is told once', async () => {
  const { status, body } = await create();
  expect(status).toBe(201);
  const { secret, ...endpoint } = body;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(endpoint).toEqual({
    id: expect.stringMatching(/^whe_/),
    tenant_id: tenantId,
    ...SENT,
    all_tenants: false,
    status: 'enabled',
    disabled_reason: null,
    failing_since: null,
    previous_secret_until: null,
    created_by: admin.id,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  const path = `${ROUTE}/${endpoint.id}`;
  expect((await client.get(path)).body).toEqual(endpoint);
  expect((await client.get<WebhookEndpointsResponse>(ROUTE)).body.items).toEqual([endpoint]);
  const changed = await client.patch<WebhookEndpoint>(path, {
    description: 'None',
    event_types: ['*', '*'],
    status: 'disabled',
    url: null,
  });
  expect(changed).toMatchObject({
    status: 200,
    body: { description: 'None', event_types: ['*'], status: 'disabled', disabled_reason: 'by_hand' },
  });
  expect((await client.patch(path, { status: 'enabled' })).body).toMatchObject({
    status: 'enabled',
    disabled_reason: null,
    url: SENT.url,
  });
  expect(await client.delete(path)).toMatchObject({ status: 200, body: { status: 'deleted', id: endpoint.id } });
  expect(await client.get(path)).toMatchObject({ status: 404, body: { code: 'webhook_endpoint.not_found' } });
  const history = await entries();
  expect(history.map(({ action, actor_id }) => [action, actor_id])).toEqual(
    ['created', 'updated', 'updated', 'deleted'].map((what) => [`webhook_endpoint.${what}`, admin.id]),
  );
  expect(history[0]?.after_state).toMatchObject({ origin: 'https://hooks.example.com', event_types: SENT.event_types });
  expect(JSON.stringify(history)).not.toMatch(/whsec_|x=1/);
});

it('leaves an entry of each change, also of the path of the address or the description alone', async () => {
  const { body } = await create();
  const path = `${ROUTE}/${body.id}`;
  await client.patch(path, { url: 'https://hooks.example.com/in?x=2' });
  for (let time = 0; time < 2; time++)
    await client.patch(path, { description: 'The warehouse', event_types: ['billing.*', 'payout.changed'] });
  const digest = expect.stringMatching(/^[0-9a-f]{16}$/) as string;
  const [, moved, described, ...more] = await entries();
  expect(moved).toMatchObject({
    action: 'webhook_endpoint.updated',
    before_state: { url_sha256: digest },
    after_state: { url_sha256: digest },
  });
  expect(Object.keys(moved?.after_state ?? {})).toEqual(['url_sha256']);
  expect(described).toMatchObject({
    before_state: { description: 'Billing' },
    after_state: { description: 'The warehouse' },
  });
  expect(more).toEqual([]);
});

it('may be at localhost where 127.0.0.1 is allowed at that port', async () => {
  expect(await create({ url: `http://localhost:${receiver.port}/` })).toMatchObject({ status: 201 });
  expect(await create({ url: `https://localhost:${receiver.port}/` })).toMatchObject({ status: 201 });
});

it('keeps the secret sealed', async () => {
  const { body } = await create();
  const [row] = await gateway.service.query<{ sealed_secret: string }>(
    'SELECT sealed_secret FROM webhook_endpoints WHERE id = $1',
    [body.id],
  );
  expect(row?.sealed_secret).not.toContain(body.secret.slice(6, 20));
});

it('gets another secret, beside which the one before signs for 24 hours', async () => {
  const { body: made } = await create();
  const { status, body } = await client.post<WebhookEndpointWithSecret>(`${ROUTE}/${made.id}/rotate-secret`);
  expect(status).toBe(200);
  expect(body.secret).not.toBe(made.secret);
  const left = Date.parse(String(body.previous_secret_until)) - Date.now();
  expect(Math.abs(left - 86_400_000)).toBeLessThan(60_000);
  expect((await entries()).map(({ action }) => action)).toContain('webhook_endpoint.secret_rotated');
});

describe('what is refused', () => {
  it.each([
    ['http', { url: 'http://hooks.example.com/' }],
    ['no URL', { url: 'hooks.example.com' }],
    ['credentials', { url: 'https://ada:secret@hooks.example.com/' }],
    ['a private address', { url: 'https://10.1.2.3/' }],
    ['this machine', { url: 'https://[::1]/' }],
    ['a decimal spelling of it', { url: 'https://2130706433/' }],
    ['its name', { url: 'https://localhost/' }],
    ['its name at a port that nothing may be posted to', { url: 'http://localhost:8081' }],
    ['a port that is not for HTTP', { url: 'https://hooks.example.com:25/' }],
    ['no types', { event_types: [] }],
    ['a type of no event', { event_types: ['billing.plan_change'] }],
    ['the type of a test', { event_types: ['webhook_endpoint.test'] }],
    ['a kind that there is not', { event_types: ['bill.*'] }],
    ['too many types', { event_types: Array.from({ length: 51 }, () => '*') }],
    ['a key that there is not', { secret: 'whsec_mine' }],
    ['a line break', { description: 'a\nb' }],
  ])('%s', async (_what, changes) => {
    expect((await create(changes)).status).toBe(422);
  });

  it.each([
    ['billing.plan_change', 'Did you mean \\"billing.plan_changed\\"?'],
    ['task.*', 'Did you mean \\"task_update\\"?'],
    ['chat.*', 'Did you mean \\"chat_message\\"?'],
    ['webhook_endpoint.test', 'test deliveries are sent without a subscription'],
  ])('is told with what was meant: %s', async (type, words) => {
    const { body } = await create({ event_types: [type] });
    expect(JSON.stringify(body)).toContain(words);
  });

  it.each([
    ['https://hooks.example.com/#part', 'without a fragment'],
    ['https://hooks.example.com:99999/', 'whose port is a number up to 65535'],
    ['https://hooks.example.com:port/', 'whose port is a number up to 65535'],
    ['https://ada:secret@hooks.example.com/', 'without credentials'],
    ['http://hooks.example.com/', 'a URL with https'],
    ['http://localhost:8081/', 'a URL with https'],
    ['https://localhost/', 'the URL of a public address'],
    [`https://hooks.example.com/${'x'.repeat(2_048)}`, 'at most 2048 characters'],
  ])('is told with what is wrong with an address: %.40s', async (url, words) => {
    const { body } = await create({ url });
    expect(JSON.stringify(body)).toContain(words);
  });

  it('is a cursor that no answer has given', async () => {
    const { body } = await create();
    const path = `${ROUTE}/${body.id}`;
    const cursor = expect.objectContaining({ msg: 'Input should be the cursor of a previous answer' }) as object;
    for (const answer of [
      await client.get(`${path}/deliveries?cursor=zz`),
      await client.post(`${path}/replay`, { since: new Date().toISOString(), cursor: 'zz' }),
    ])
      expect(answer).toMatchObject({ status: 422, body: { detail: [cursor] } });
  });

  it('is a status that there is not, and an address that was fine, when it is changed', async () => {
    const { body } = await create();
    for (const change of [{ status: 'gone' }, { url: 'http://hooks.example.com/' }, { all_tenants: true }])
      expect((await client.patch(`${ROUTE}/${body.id}`, change)).status).toBe(422);
  });

  it('is one more than twenty, also of many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => create()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    for (const { status, body } of answers)
      if (status !== 201)
        expect({ status, body }).toMatchObject({ status: 409, body: { code: 'webhook_endpoint.too_many' } });
    const [first] = answers.filter(({ status }) => status === 201);
    await client.delete(`${ROUTE}/${first?.body.id}`);
    expect((await create()).status).toBe(201);
  });

  it('is whoever is no administrator', async () => {
    const user = await gateway.signIn(await gateway.user({ tenant_id: tenantId }));
    expect((await create({}, user)).status).toBe(403);
    expect((await create({}, gateway.client())).status).toBe(401);
  });
});

it('is not there for another tenant', async () => {
  const { body } = await create();
  const { id: other } = await createTenant(gateway.backend());
  const stranger = await gateway.signIn(await gateway.user({ tenant_id: other, role: 'admin' }));
  const path = `${ROUTE}/${body.id}`;
  expect((await stranger.get<WebhookEndpointsResponse>(ROUTE)).body.items).toEqual([]);
  const answers = [
    await stranger.get(path),
    await stranger.patch(path, { description: 'x' }),
    await stranger.delete(path),
    await stranger.post(`${path}/rotate-secret`),
    await stranger.post(`${path}/test`),
    await stranger.post(`${path}/replay`, { since: new Date().toISOString() }),
    await stranger.get(`${path}/deliveries`),
    await stranger.get(`${path}/deliveries/whd_x`),
    await stranger.post(`${path}/deliveries/whd_x/replay`),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  expect((await client.get(path)).status).toBe(200);
});

describe('events of all tenants', () => {
  it('are for the own tenant of the platform, by those who run it', async () => {
    const root = await gateway.signIn(await gateway.user({ role: 'admin' }));
    const all = { all_tenants: true };
    expect(await create(all)).toMatchObject({ status: 403, body: { code: 'webhook_endpoint.all_tenants' } });
    expect((await gateway.backend().post(`${ROUTE}?tenant_id=${tenantId}`, { ...SENT, ...all })).status).toBe(403);
    expect(await create(all, root)).toMatchObject({ status: 201, body: { all_tenants: true, tenant_id: 'default' } });
    expect((await create(all, gateway.backend())).status).toBe(201);
  });

  it('cannot be those of an endpoint of another tenant in the database either', async () => {
    const { body } = await create();
    await expect(
      gateway.service.query('UPDATE webhook_endpoints SET all_tenants = true WHERE id = $1', [body.id]),
    ).rejects.toThrow('webhook_endpoints_all_tenants_check');
  });
});

it('is managed for a tenant by a trusted backend', async () => {
  const { id, created_by } = await createTestEndpoint(gateway.backend(), receiver, { query: `?tenant_id=${tenantId}` });
  expect(created_by).toBeNull();
  expect((await client.get(`${ROUTE}/${id}`)).status).toBe(200);
});

it('outlives the user who made it, who is forgotten', async () => {
  const { body } = await create();
  const other = await gateway.signIn(await gateway.user({ tenant_id: tenantId, role: 'admin' }));
  expect((await other.delete(`/v1/users/${admin.id}?permanent=true`)).status).toBe(200);
  expect((await gateway.backend().get(`${ROUTE}/${body.id}?tenant_id=${tenantId}`)).body).toMatchObject({
    created_by: null,
  });
});
