import type {
  CallResponse,
  CatalogResponse,
  CatalogTool,
  ExtensionBlock,
  InstalledExtension,
  UserExtensionsResponse,
} from '@platform/contracts';
import { TEST_SERVICE_TOKEN, until, TestProxy, type TestClient } from '@platform/testing';
import { RegistryClient } from '../../kernel/peers/registry/registry.client.js';
import { tool } from '../../testing/apps.js';
import type { TestUser } from '../../testing/gateway-test.js';
import { createRegisteredApp } from '../../testing/registered-apps.js';
import { RegistryTest } from '../../testing/registry-test.js';
import { FakeRunHost } from '../../testing/fake-run-host.js';
import { createTenant } from '../../testing/tenants.js';

let host: FakeRunHost;
let platform: RegistryTest;
let backend: TestClient;
let admin: TestClient;
beforeAll(async () => {
  host = await FakeRunHost.start();
  platform = await RegistryTest.start({ EXT_WEBHOOK_HOST_URL: host.url });
  backend = platform.registry.client().withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN });
  admin = await platform.gateway.signIn(await platform.gateway.user({ role: 'admin' }));
});
afterAll(async () => {
  await platform.stop();
  await host.stop();
});

interface Case {
  user: TestUser;
  client: TestClient;
  appId: string;
  developerId: string;
}

const query = (sql: string, values: unknown[]) => platform.gateway.service.query(sql, values);
const setStatus = (status: string, appId: string, stopped = false) =>
  query(
    "UPDATE apps SET status = $2, stopped_by_platform = $3, submitted_at = now(), submitted_version = '1.0.0' WHERE app_id = $1",
    [appId, status, stopped],
  ).then(() => backend.put(`/v1/apps/${appId}`, { status }));
const rule = (appId: string, body: object) => admin.put(`/v1/extensions/${appId}/access`, { mode: 'public', ...body });

/** A user with an app that both sides serve. */
async function installed(who?: TestUser): Promise<Case> {
  const user = who ?? (await platform.gateway.user());
  const client = await platform.gateway.signIn(user);
  const developer =
    who && (await query('INSERT INTO developers (user_id, display_name) VALUES ($1, $1) RETURNING 1', [who.id]));
  const { app_id: appId, developer_id } = await createRegisteredApp(platform, {
    tools: [tool('list_things')],
    document: {},
    ...(developer && { developer_id: user.id }),
  });
  await platform.gateway.service.app
    .get(RegistryClient)
    .putTools(appId, { version: '1.0.0', tools: [tool('list_things')], skeleton_sections: [], release: true });
  await backend.put(`/v1/apps/${appId}`, { owner_id: developer_id });
  expect((await client.post(`/v1/marketplace/apps/${appId}/install`, {})).status).toBe(200);
  return { user, client, appId, developerId: developer_id as string };
}

/** Reads the app in each place; true if its function can be called. */
async function said({ user, client, appId }: Case) {
  const path = `?user_id=${user.id}`;
  const [mine, of, catalog, tools, call] = await Promise.all([
    client.get<InstalledExtension[]>('/v1/me/extensions'),
    client.get<UserExtensionsResponse>(`/v1/users/${user.id}/extensions`),
    backend.get<CatalogResponse>(`/v1/catalog${path}`),
    backend.get<CatalogTool[]>(`/v1/catalog/tools${path}`),
    client.post<CallResponse>(`/v1/extensions/${appId}/call`, { user_id: user.id, function: 'list_things' }),
  ]);
  const own = mine.body.find(({ app_id }) => app_id === appId);
  const extension = of.body.extensions.find(({ app_id }) => app_id === appId);
  return {
    blocked: own?.blocked_by,
    same: own?.blocked_by === extension?.blocked_by,
    mine: (own?.functions.length ?? 0) > 0,
    of: extension !== undefined && extension.blocked_by === null,
    catalog: catalog.body.apps.some(({ app_id }) => app_id === appId),
    tools: tools.body.some(({ app_id }) => app_id === appId),
    call: call.status === 200,
  };
}

const all = (answer: boolean) => ({
  same: true,
  mine: answer,
  of: answer,
  catalog: answer,
  tools: answer,
  call: answer,
});
const key = async ({ client }: Pick<Case, 'client'>, scopes: string) =>
  (await client.post<{ key: string; id: string }>('/v1/keys', { name: 'pipeline', scopes })).body;

describe('what the lists and the catalog of a user show is what a call runs', () => {
  it.each<[string, (made: Case) => Promise<unknown>, ExtensionBlock | null | undefined]>([
    ['an app that they have', () => Promise.resolve(), null],
    [
      'one that they switched off',
      ({ client, appId }) => client.post('/v1/me/extensions/disable', { app_id: appId }),
      'disabled',
    ],
    [
      'one that was switched on again',
      async ({ client, appId }) => {
        await client.post('/v1/me/extensions/disable', { app_id: appId });
        await client.delete(`/v1/me/extensions/disable/${appId}`);
      },
      null,
    ],
    ['one that is denied to them', ({ user, appId }) => rule(appId, { denied_users: [user.id] }), 'restricted'],
    ['one that is denied to their role', ({ appId }) => rule(appId, { denied_roles: ['user'] }), 'restricted'],
    [
      'one that asks for a scope they lack',
      ({ appId }) => rule(appId, { mode: 'restricted', required_scopes: ['users:write'] }),
      'restricted',
    ],
    [
      'one of which a rule is about others',
      async ({ appId }) => rule(appId, { denied_users: [(await platform.gateway.user()).id] }),
      null,
    ],
    ['one that its developer suspended', ({ appId }) => setStatus('suspended', appId), 'suspended'],
    ['one that the platform suspended', ({ appId }) => setStatus('suspended', appId, true), 'suspended'],
    ['one that is a draft again', ({ appId }) => setStatus('draft', appId), 'not_published'],
    ['one that is under review again', ({ appId }) => setStatus('pending_review', appId), 'not_published'],
    ['one that they removed', ({ client, appId }) => client.delete(`/v1/marketplace/apps/${appId}/install`), undefined],
    [
      'one that an API key installed which is gone',
      async ({ client, appId }) => {
        await client.delete(`/v1/marketplace/apps/${appId}/install`);
        const { key: secret, id } = await key({ client }, 'installs:write');
        const program = platform.gateway.client().withHeaders({ 'x-api-key': secret });
        expect((await program.post(`/v1/marketplace/apps/${appId}/install`, {})).status).toBe(200);
        await client.delete(`/v1/keys/${id}`);
      },
      'not_agreed',
    ],
  ])('%s', async (_what, change, blocked) => {
    const made = await installed();
    await change(made);
    expect(await said(made)).toEqual({ blocked, ...all(blocked === null), same: true });
  });

  it('their own, that is a draft again', async () => {
    const made = await installed(await platform.gateway.user());
    await setStatus('draft', made.appId);
    expect(await said(made)).toEqual({ blocked: null, ...all(true) });
    await setStatus('draft', made.appId, true); // by the operator
    const { catalog: _cached, tools: _too, ...rest } = await said(made);
    expect(rest).toEqual({ blocked: 'suspended', same: true, mine: false, of: false, call: false });
  });

  it('the rule of a tenant is about its own people', async () => {
    const made = await installed();
    const { id: tenant_id } = await createTenant(platform.gateway.backend());
    const foreigner = await platform.gateway.user({ tenant_id });
    const client = await platform.gateway.signIn(foreigner);
    expect((await client.post(`/v1/marketplace/apps/${made.appId}/install`, {})).status).toBe(200);
    await rule(made.appId, { denied_roles: ['user'] });
    expect(await said({ ...made, user: foreigner, client })).toEqual({ blocked: null, ...all(true) });
    expect(await said(made)).toEqual({ blocked: 'restricted', ...all(false) });
  });

  it('one whose install is news to the gateway', async () => {
    const { appId, developerId } = await installed();
    const user = await platform.gateway.user();
    const client = await platform.gateway.signIn(user);
    expect((await backend.post(`/v1/users/${user.id}/extensions`, { app_id: appId })).status).toBe(201);
    expect((await backend.get<CatalogResponse>(`/v1/catalog?user_id=${user.id}`)).body.apps).toMatchObject([
      { app_id: appId },
    ]);
    expect(await said({ user, client, appId, developerId })).toEqual({ blocked: null, ...all(true) });
  });
});

describe('the catalog', () => {
  const apps = async ({ user }: Case) =>
    (await backend.get<CatalogResponse>(`/v1/catalog?user_id=${user.id}`)).body.apps.map(({ app_id }) => app_id);

  it('follows within some seconds, with another tag', async () => {
    const made = await installed();
    const path = `/v1/catalog?user_id=${made.user.id}`;
    const etag = (await backend.get(path)).headers.get('etag') as string;
    const now = performance.now.bind(performance);
    const time = jest.spyOn(performance, 'now').mockImplementation(() => now() + 5_000);
    await made.client.post('/v1/me/extensions/disable', { app_id: made.appId });
    await until(async () => (await apps(made)).length === 0);
    const later = await backend.get(path, { headers: { 'If-None-Match': etag } });
    expect([later.status, (later.body as CatalogResponse).apps]).toEqual([200, []]);
    await made.client.delete(`/v1/me/extensions/disable/${made.appId}`);
    time.mockImplementation(() => now() + 10_000);
    await until(async () => (await apps(made)).length === 1);
    time.mockRestore();
  });

  it('is the last known one while the gateway is away, and none for whom it was never asked about', async () => {
    const made = await installed();
    const other = await installed();
    await made.client.post('/v1/me/extensions/disable', { app_id: made.appId });
    const wire = await TestProxy.start(platform.gateway.service.url);
    const beside = await platform.startSecondRegistry({ AUTH_GATEWAY_URL: wire.url });
    const catalogOf = ({ user }: Case) =>
      beside
        .client()
        .withHeaders({ 'X-Service-Token': TEST_SERVICE_TOKEN })
        .get<CatalogResponse>(`/v1/catalog?user_id=${user.id}`);
    expect(await catalogOf(made)).toMatchObject({ status: 200, body: { apps: [] } });
    await wire.cut();
    const now = performance.now.bind(performance);
    const later = jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    expect(await catalogOf(made)).toMatchObject({ status: 200, body: { apps: [] } });
    expect(await catalogOf(other)).toMatchObject({ status: 503 });
    later.mockRestore();
    await beside.stop();
  });

  it('asks with a permission that only the Registry has', async () => {
    const { user, appId } = await installed();
    const { gateway } = platform;
    const body = { user_id: user.id, app_ids: [appId] };
    expect((await gateway.client().post('/v1/internal/withheld-apps', body)).status).toBe(401);
    expect((await (await gateway.signIn(user)).post('/v1/internal/withheld-apps', body)).status).toBe(401);
    expect(await gateway.backend().post('/v1/internal/withheld-apps', body)).toMatchObject({
      status: 200,
      body: { app_ids: [] },
    });
    for (const wrong of [{}, { ...body, user_id: 7 }, { ...body, app_ids: 'x' }, { ...body, app_ids: [7] }]) {
      expect((await gateway.backend().post('/v1/internal/withheld-apps', wrong)).status).toBe(422);
    }
  });
});
