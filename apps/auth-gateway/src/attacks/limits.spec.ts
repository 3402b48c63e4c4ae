import type { CallResponse } from '@platform/contracts';
import { until, type TestClient } from '@platform/testing';
import { SystemExtensionsRegistry } from '../extensions/calls/system-extensions.registry.js';
import { tool } from '../testing/apps.js';
import { LIMITS_TIME, type TestUser } from '../testing/gateway-test.js';
import { createRegisteredApp } from '../testing/registered-apps.js';
import { RegistryTest } from '../testing/registry-test.js';
import { createRunGrant } from '../testing/run-grants.js';
import { FakeRunHost } from '../testing/fake-run-host.js';

/**
 * Work that costs the platform something has a limit by address or by user, on every way of access.
 */
let host: FakeRunHost;
let platform: RegistryTest;
beforeAll(async () => {
  host = await FakeRunHost.start();
  platform = await RegistryTest.start({
    EXT_WEBHOOK_HOST_URL: host.url,
    DEVELOPER_TIER_LIMITS: 'standard',
    RATE_LIMIT_SCALE: '1',
  });
});
afterAll(async () => {
  await platform.stop();
  await host.stop();
});

const LIMITED = { status: 429, body: { code: 'rate_limited' } };
const query = <Row>(sql: string, values: unknown[] = []) => platform.gateway.service.query<Row>(sql, values);

/** Sets a counter so that `left` requests remain. */
async function leave(counter: string, windowSeconds: number, quota: number, left: number): Promise<void> {
  const ahead = windowSeconds * (1 - left / quota);
  await query(
    `INSERT INTO rate_limits (key, arrival) VALUES ($1, to_timestamp($2))
     ON CONFLICT (key) DO UPDATE SET arrival = excluded.arrival`,
    [counter, LIMITS_TIME + ahead],
  );
}

describe('a body', () => {
  const unknownKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));
  const issuesOf = ({ status, body }: { status: number; body: unknown }) => ({
    status,
    types: new Set((body as { detail: { type: string }[] }).detail.map(({ type }) => type)),
  });
  const TOO_MANY = { status: 422, types: new Set(['json_too_many_keys']) };

  it('has at most 1000 keys in all, at every depth, on every route', async () => {
    const client = await platform.gateway.signIn(await platform.gateway.user());
    const lists = { a: Array.from({ length: 501 }, () => ({ k: {}, l: [] })) };
    for (const keys of [unknownKeys(1_001), unknownKeys(50_000), lists, { nickname: unknownKeys(1_000) }]) {
      expect(issuesOf(await client.put('/v1/me/nickname', keys))).toEqual(TOO_MANY);
    }
    for (const route of ['refresh', 'logout', 'login', 'signup']) {
      expect(issuesOf(await platform.gateway.client().post(`/v1/auth/${route}`, unknownKeys(101)))).toEqual(TOO_MANY);
    }
    const { status, types } = issuesOf(await client.put('/v1/me/nickname', unknownKeys(1_000)));
    expect({ status, types }).toEqual({ status: 422, types: new Set(['extra_forbidden']) });
  });

  it('has at most 10,000 values in all, in whatever lists, on every route', async () => {
    const user = await platform.gateway.user();
    const client = await platform.gateway.signIn(user);
    const many = (value: unknown, count = 10_001) => Array.from({ length: count }, () => value);
    const TOO_LONG = { status: 422, types: new Set(['json_too_many_values']) };
    for (const body of [many({}), { nickname: many([]) }, { unknown: [many(0, 6_000), many('', 6_000)] }]) {
      expect(issuesOf(await client.put('/v1/me/nickname', body))).toEqual(TOO_LONG);
    }
    for (const route of ['refresh', 'logout', 'login', 'signup', 'cli/device/token']) {
      expect(issuesOf(await platform.gateway.client().post(`/v1/auth/${route}`, { email: many({}, 501) }))).toEqual(
        TOO_LONG,
      );
    }
    expect(issuesOf(await client.put('/v1/me/nickname', { nickname: many(0, 9_000) }))).not.toEqual(TOO_LONG);
    const call = (params: object) =>
      client.post('/v1/extensions/no-such-app/call', { user_id: user.id, function: 'f', params });
    expect(issuesOf(await call({ points: many(0, 50_001) }))).toEqual(TOO_LONG);
    expect(await call({ points: many(0, 40_000) })).toMatchObject({ status: 404 });
    const deploy = (list: unknown[]) => client.post('/v1/developer/apps/nobodys-app/deploys', { ir_dict: { list } });
    expect(issuesOf(await deploy(many(0, 100_001)))).toEqual(TOO_LONG);
    expect(await deploy(many(0, 90_000))).toMatchObject({ status: 404 });
  });

  it('with a list that is longer than its rule allows is refused for that, its items unseen', async () => {
    const user = await platform.gateway.user();
    const client = await platform.gateway.signIn(user);
    const batch = (count: number) =>
      client.post('/v1/extensions/no-such-app/batch', {
        user_id: user.id,
        calls: Array.from({ length: count }, () => ({})),
      });
    expect(issuesOf(await batch(1_000))).toEqual({ status: 422, types: new Set(['too_long']) });
    expect(issuesOf(await batch(50)).types).toEqual(new Set(['missing']));
  });

  it('may have more where it is a document', async () => {
    const client = await platform.gateway.signIn(await platform.gateway.user());
    const send = (keys: number) =>
      client.post('/v1/developer/apps/nobodys-app/deploys', { ir_dict: unknownKeys(keys) });
    expect(issuesOf(await send(50_000))).toEqual(TOO_MANY);
    expect((await send(5_000)).status).toBe(404); // read, but no app is found
  });

  it('is not read for who may not come in', async () => {
    const send = (client: TestClient) => client.put('/v1/me/nickname', unknownKeys(50_000));
    expect((await send(platform.gateway.client())).status).toBe(401);
    expect((await send(platform.gateway.client().withToken('nonsense'))).status).toBe(401);
    const client = platform.gateway.client();
    await leave(`refresh-ip:${client.address}`, 60, 300, -300);
    expect(await client.post('/v1/auth/refresh', unknownKeys(5_000))).toMatchObject(LIMITED);
  });
});

describe('without an account, an address', () => {
  it.each(['refresh', 'logout'])('%s is limited, and says when to come back', async (route) => {
    const client = platform.gateway.client();
    await leave(`${route}-ip:${client.address}`, 60, route === 'refresh' ? 300 : 120, 1);
    const send = () => client.post(`/v1/auth/${route}`, { refresh_token: 'rt1.unknown' });
    expect([200, 401]).toContain((await send()).status);
    const refused = await send();
    expect(refused).toMatchObject(LIMITED);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(
      (await platform.gateway.client().post(`/v1/auth/${route}`, { refresh_token: 'rt1.unknown' })).status,
    ).not.toBe(429);
  });
});

describe('a user', () => {
  let user: TestUser;
  let client: TestClient;
  beforeEach(async () => {
    user = await platform.gateway.user();
    client = await platform.gateway.signIn(user);
  });

  /** An app of a new developer. */
  async function installed(changes: object = {}): Promise<string> {
    const { app_id } = await createRegisteredApp(platform, {
      tools: [tool('list_notes'), tool('change_note', { action_type: 'write' })],
      document: {},
      ...changes,
    });
    expect((await client.post(`/v1/marketplace/apps/${app_id}/install`, {})).status).toBe(200);
    return app_id;
  }
  const body = () => ({ user_id: user.id, function: 'list_notes' });
  const call = (appId: string) => client.post<CallResponse>(`/v1/extensions/${appId}/call`, body());

  it('calls only so often, by one call or by many in one, by whatever credential', async () => {
    const appId = await installed();
    await leave(`calls:${user.id}`, 60, 1_200, 10);
    const calls = Array.from({ length: 50 }, () => ({ function: 'list_notes', params: {} }));
    const batch = (count: number) =>
      client.post(`/v1/extensions/${appId}/batch`, { user_id: user.id, calls: calls.slice(0, count) });
    expect(await batch(50)).toMatchObject(LIMITED);
    expect((await batch(8)).status).toBe(200);
    await leave(`calls:${user.id}`, 60, 1_200, -1_200);
    const refused = await call(appId);
    expect(refused).toMatchObject(LIMITED);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const { body: key } = await client.post<{ key: string }>('/v1/keys', { name: 'other', scopes: '*' });
    const withKey = platform.gateway.client().withHeaders({ 'x-api-key': key.key });
    expect(await withKey.post(`/v1/extensions/${appId}/call`, body())).toMatchObject(LIMITED);
    expect(await client.post(`/v1/extensions/${appId}/operate`, { ...body(), params: {} })).toMatchObject(LIMITED);
  });

  it('calls the apps of a developer only as often as their tier allows, all callers together', async () => {
    const developer = await platform.gateway.user();
    await query("INSERT INTO developers (user_id, display_name, tier) VALUES ($1, 'Ada', 'explorer')", [developer.id]);
    const appId = await installed();
    const other = await installed();
    await query('UPDATE apps SET developer_id = $1 WHERE app_id = $2', [developer.id, appId]);
    await leave(`app-requests:${developer.id}`, 60, 100, 1);
    expect((await call(appId)).status).toBe(200);
    await leave(`app-requests:${developer.id}`, 60, 100, -100);
    expect(await call(appId)).toMatchObject(LIMITED);
    expect((await call(other)).status).toBe(200);
    await leave(`app-requests:${developer.id}`, 60, 100, 0.5);
    expect(await call(appId)).toMatchObject(LIMITED);
    await query("UPDATE developers SET tier = 'partner' WHERE user_id = $1", [developer.id]);
    // Half a request of the small quota is more than one of the large quota.
    await until(async () => (await call(appId)).status === 200);
  });

  describe('of one developer', () => {
    let appId: string;
    let developerId: string;
    beforeEach(async () => {
      ({ id: developerId } = await platform.gateway.user());
      await query("INSERT INTO developers (user_id, display_name, tier) VALUES ($1, 'Ada', 'explorer')", [developerId]);
      appId = await installed();
      await query('UPDATE apps SET developer_id = $1 WHERE app_id = $2', [developerId, appId]);
    });
    const counters = () =>
      query<{ key: string }>("SELECT key FROM rate_limits WHERE key LIKE 'app-requests%' AND key LIKE $1", [
        `%${developerId}%`,
      ]);

    it('a user takes nothing off what the apps may be called by calls that cannot be made', async () => {
      const calls = Array.from({ length: 50 }, () => ({ function: 'nope' }));
      for (let at = 0; at < 4; at++) {
        const { status, body } = await client.post(`/v1/extensions/${appId}/batch`, { user_id: user.id, calls });
        expect([status, (body as CallResponse[])[0]?.error_code]).toEqual([200, 'UNKNOWN_SUB_FUNCTION']);
      }
      const unknown = { user_id: user.id, function: 'nope', params: {} };
      for (const route of ['call', 'operate'])
        expect((await client.post(`/v1/extensions/${appId}/${route}`, unknown)).status).toBe(200);
      expect(await counters()).toEqual([]);
      expect((await call(appId)).status).toBe(200);
      expect(await counters()).toHaveLength(2);
    });

    it('a user takes a quarter of what the apps may be called, and leaves the rest to others', async () => {
      const calls = Array.from({ length: 25 }, () => ({ function: 'list_notes', params: {} }));
      expect((await client.post(`/v1/extensions/${appId}/batch`, { user_id: user.id, calls })).status).toBe(200);
      expect(await call(appId)).toMatchObject(LIMITED);
      const other = await platform.gateway.user();
      const theirs = await platform.gateway.signIn(other);
      await theirs.post(`/v1/marketplace/apps/${appId}/install`, {});
      expect(
        (await theirs.post(`/v1/extensions/${appId}/call`, { user_id: other.id, function: 'list_notes' })).status,
      ).toBe(200);
    });

    it('a call that was confirmed while too many were made can be confirmed again', async () => {
      expect((await client.patch('/v1/me/settings', { confirmation_enabled: true })).status).toBe(200);
      const { body } = await client.post<{ confirmation_id: string }>(`/v1/extensions/${appId}/operate`, {
        user_id: user.id,
        function: 'change_note',
        params: {},
      });
      const confirm = () => client.post<{ result: CallResponse }>(`/v1/confirmations/${body.confirmation_id}/confirm`);
      await leave(`app-requests-user:${developerId}:${user.id}`, 60, 25, -25);
      expect(await confirm()).toMatchObject(LIMITED);
      const { body: kept } = await client.get<{ status: string }>(`/v1/confirmations/${body.confirmation_id}`);
      expect(kept.status).toBe('pending');
      await query('DELETE FROM rate_limits WHERE key LIKE $1', [`app-requests%${developerId}%`]);
      const { status, body: confirmed } = await confirm();
      expect([status, confirmed.result.error_code]).toEqual([200, null]);
      expect((await confirm()).status).toBe(409);
    });
  });

  it('makes only so many keys', async () => {
    await leave(`keys:${user.id}`, 3_600, 100, 1);
    expect((await client.post('/v1/keys', { name: 'one' })).status).toBe(201);
    expect(await client.post('/v1/keys', { name: 'two' })).toMatchObject(LIMITED);
  });

  it.each([
    ['action-lists', 300, '/v1/actions?search=note'],
    ['action-stats', 120, '/v1/actions/stats'],
    ['action-stats', 120, '/v1/actions/stats/extension/notes'],
    ['app-analytics', 120, '/v1/developer/apps/notes/analytics'],
  ])('reads what it has done only so often: %s, %i a minute, by %s', async (name, quota, path) => {
    await leave(`${name}:${user.id}`, 60, quota, 1);
    expect((await client.get(path)).status).not.toBe(429);
    expect(await client.get(path)).toMatchObject(LIMITED);
    expect((await (await platform.gateway.signIn(await platform.gateway.user())).get(path)).status).not.toBe(429);
  });

  describe('who is a developer', () => {
    const appId = () => `app-${user.id.slice(-20)}`;
    beforeEach(async () => {
      await query("INSERT INTO developers (user_id, display_name, tier) VALUES ($1, 'Ada', 'partner')", [user.id]);
      expect((await client.post('/v1/developer/apps', { app_id: appId(), name: 'Notes' })).status).toBe(201);
    });
    const history = () => query('SELECT action FROM gateway_audit.audit_entries WHERE target_id = $1', [appId()]);
    const syncs = () =>
      query("SELECT id FROM outbox WHERE queue = 'app-sync' AND payload ->> 'app_id' = $1", [appId()]);

    it('changes only so much in the portal, by whatever route and credential, and reads on', async () => {
      const { body: key } = await client.post<{ key: string }>('/v1/keys', { name: 'ci', scopes: '*' });
      const callers = [
        client,
        platform.gateway.client().withHeaders({ 'x-api-key': key.key }),
        platform.gateway.actingFor(user.id),
      ];
      const rename = (name: string, caller = client) =>
        caller.put(`/v1/developer/apps/${appId()}`, { display_name: name });
      await leave(`developer-portal:${user.id}`, 60, 240, 1);
      expect((await rename('One')).status).toBe(200);
      await leave(`developer-portal:${user.id}`, 60, 240, -240);
      await until(async () => !(await syncs()).length);
      const before = await history();
      for (const caller of callers) {
        const refused = await rename('Two', caller);
        expect(refused).toMatchObject(LIMITED);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      const app = `/v1/developer/apps/${appId()}`;
      expect(await client.post('/v1/developer/apps', { app_id: `${appId()}-2`, name: 'More' })).toMatchObject(LIMITED);
      for (const way of ['submit', 'suspend']) expect(await client.post(`${app}/${way}`, {})).toMatchObject(LIMITED);
      expect(await client.request('DELETE', app, { confirm_name: appId() })).toMatchObject(LIMITED);
      expect([await history(), await syncs()]).toEqual([before, []]);
      expect(await client.get(app)).toMatchObject({ status: 200, body: { display_name: 'One' } });
      const other = await platform.gateway.user();
      await query("INSERT INTO developers (user_id, display_name, tier) VALUES ($1, 'Ben', 'partner')", [other.id]);
      const theirs = await platform.gateway.signIn(other);
      expect((await theirs.post('/v1/developer/apps', { app_id: `${appId()}-3`, name: 'Theirs' })).status).toBe(201);
    });

    it('changes only so much in the portal by functions, too: by a call, in a batch, by an app', async () => {
      await query("UPDATE users SET role = 'admin' WHERE id = $1", [user.id]); // an administrator: their apps can get scopes of the platform
      client = await platform.gateway.signIn(user);
      const app = await installed({ tools: [tool('start', { required_scopes: ['apps:write', 'secrets:write'] })] });
      const grant = await createRunGrant(platform.gateway.service, app, {
        userId: user.id,
        scopes: ['apps:write', 'secrets:write'],
      });
      type Call = { function: string; params: object };
      const developer = '/v1/extensions/developer';
      const asHost = platform.gateway.backend();
      const ways: Record<string, (call: Call) => Promise<CallResponse | undefined>> = {
        call: async (one) => (await client.post<CallResponse>(`${developer}/call`, { user_id: user.id, ...one })).body,
        batch: async (one) =>
          (await client.post<CallResponse[]>(`${developer}/batch`, { user_id: user.id, calls: [one] })).body[0],
        app: async (one) =>
          (await asHost.post<CallResponse>('/v1/internal/extensions/developer/call', { grant, ...one })).body,
      };
      const renamed = (name: string) => ({
        function: 'update_app_info',
        params: { app_id: appId(), display_name: name },
      });
      for (const [way, send] of Object.entries(ways)) {
        await leave(`developer-portal:${user.id}`, 60, 240, 1);
        expect(await send(renamed(`By ${way}`))).toMatchObject({
          status: 'success',
          data: { display_name: `By ${way}` },
        });
      }
      await until(async () => !(await syncs()).length);
      const before = await history();
      await leave(`developer-portal:${user.id}`, 60, 240, -240);
      const params = { app_id: appId(), confirm_name: appId(), name: 'token', value: 'secret' };
      const changing = [
        ...(platform.gateway.service.app.get(SystemExtensionsRegistry).findFunctions('developer') ?? []),
      ]
        .filter(([name, { action_type: type }]) => type !== 'read' && !['deploy_ir', 'smoke_ir'].includes(name)) // these have their own limits
        .map(([name]) => name);
      expect(changing.length).toBeGreaterThanOrEqual(8);
      for (const [way, send] of Object.entries(ways)) {
        for (const name of changing) {
          const answer = await send({ function: name, params });
          const refused = { status: 'error', error_code: 'RATE_LIMITED', retryable: true };
          expect([way, name, answer]).toMatchObject([way, name, refused]);
        }
      }
      expect([await history(), await syncs()]).toEqual([before, []]);
      expect(await client.get(`/v1/developer/apps/${appId()}`)).toMatchObject({
        status: 200,
        body: { display_name: 'By app' },
      });
    });

    it('is told of the limit by the description of every route that changes something', async () => {
      type Operations = Record<string, { 'x-limited-by'?: string; responses: Record<string, unknown> }>;
      const { body } = await platform.gateway.client().get<{ paths: Record<string, Operations> }>('/v1/openapi.json');
      const writes = Object.entries(body.paths)
        .filter(([path]) => path.startsWith('/v1/developer/') && !path.endsWith('/_sync_manifest')) // this route acts for no user
        .flatMap(([path, { get: _read, ...others }]) =>
          Object.entries(others).map(([method, route]) => ({ name: `${method} ${path}`, route })),
        );
      expect(writes.length).toBeGreaterThan(10);
      expect(
        writes
          .filter(({ route }) => route['x-limited-by'] !== 'user' || !route.responses['429'])
          .map(({ name }) => name),
      ).toEqual([]);
    });
  });

  it('deploys and tests only so many documents, by the route and by the function', async () => {
    await leave(`deploys:${user.id}`, 60, 60, 1);
    const deploy = () => client.post('/v1/developer/apps/nobodys-app/deploys', { version: '1.0.0', ir_dict: {} });
    expect((await deploy()).status).not.toBe(429);
    await leave(`deploys:${user.id}`, 60, 60, -60);
    expect(await deploy()).toMatchObject(LIMITED);
    const developer = (name: string, params: object) =>
      client.post<CallResponse>('/v1/extensions/developer/call', { user_id: user.id, function: name, params });
    expect(await developer('deploy_ir', { app_id: 'a', ir_dict: {} })).toMatchObject({
      status: 200,
      body: { status: 'error', error_code: 'RATE_LIMITED', retryable: true },
    });
    await leave(`smoke-tests:${user.id}`, 60, 60, -60);
    expect(await developer('smoke_ir', { ir_dict: {}, function: 'f' })).toMatchObject({
      status: 200,
      body: { status: 'error', error_code: 'RATE_LIMITED', retryable: true },
    });
  });
});
