import type {
  AppConfigResponse,
  AppRuntimeChangesResponse,
  AppRuntimeInfo,
  AuditPageResponse,
  CallResponse,
  NotificationsResponse,
} from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { DataSource } from 'typeorm';
import { RegistryClient } from '../../kernel/peers/registry/registry.client.js';
import { createApp, createDeveloper, tool, type TestAppChanges } from '../../testing/apps.js';
import type { TestUser } from '../../testing/gateway-test.js';
import { RegistryTest } from '../../testing/registry-test.js';
import { createRegisteredApp } from '../../testing/registered-apps.js';
import { createRunGrant } from '../../testing/run-grants.js';
import { FakeRunHost } from '../../testing/fake-run-host.js';
import { createTenant } from '../../testing/tenants.js';
import type { RunGrant } from '../run-grants/run-grant.js';
import { CapabilityDenialsService } from './capability-denials.service.js';

let host: FakeRunHost;
let platform: RegistryTest;
let backend: TestClient;
beforeAll(async () => {
  host = await FakeRunHost.start();
  platform = await RegistryTest.start({ EXT_WEBHOOK_HOST_URL: host.url });
  backend = platform.gateway.backend();
});
afterAll(async () => {
  await platform.stop();
  await host.stop();
});

const query = <Row>(sql: string, values: unknown[] = []) => platform.gateway.service.query<Row>(sql, values);
const internal = (path: string) => `/v1/internal/${path}`;
const grant = (appId: string, changes: Partial<RunGrant> = {}) =>
  createRunGrant(platform.gateway.service, appId, changes);
const has = async (user: TestUser, appId: string) =>
  expect((await platform.gateway.actingFor(user.id).post(`/v1/marketplace/apps/${appId}/install`, {})).status).toBe(
    200,
  );

/** An app that serves a document with these settings. */
async function deployedApp(changes: TestAppChanges = {}, settings: object[] = []) {
  const document = { ir_version: '1.0', app: { settings } };
  const app = await createRegisteredApp(platform, { document, ...changes });
  const [version] = (await query("SELECT encode(sha256, 'hex') AS sha256 FROM app_versions WHERE app_id = $1", [
    app.app_id,
  ])) as [{ sha256: string }];
  return { ...app, ...version, document };
}

it('only trusted backends get in', async () => {
  const { app_id } = await deployedApp();
  const client = await platform.gateway.signIn(await platform.gateway.user({ role: 'admin' }));
  for (const stranger of [platform.gateway.client(), client]) {
    expect((await stranger.get(internal(`apps/${app_id}/runtime`))).status).toBe(401);
    expect((await stranger.post(internal(`extensions/${app_id}/call`), {})).status).toBe(401);
    expect((await stranger.post(internal('notifications'), {})).status).toBe(401);
  }
});

describe('what runs of an app', () => {
  it('is the version that is served, and its document by its hash', async () => {
    const { id: tenant_id } = await createTenant(backend);
    const developer_id = await createDeveloper(platform.gateway, { tenant_id });
    const { app_id, sha256, document } = await deployedApp({ developer_id });
    const { body } = await backend.get<AppRuntimeInfo>(internal(`apps/${app_id}/runtime`));
    expect(body).toEqual({
      app_id,
      version: '1.0.0',
      sha256,
      tenant_id,
      developer_id,
      is_active: true,
      is_suspended: false,
      hosts: [],
      capabilities: [],
    });
    expect((await backend.get(internal(`apps/${app_id}/documents/${sha256}`))).body).toEqual(document);
    await query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [app_id]);
    const { is_active, is_suspended } = (await backend.get<AppRuntimeInfo>(internal(`apps/${app_id}/runtime`))).body;
    expect([is_active, is_suspended]).toEqual([false, true]);
  });

  it('is not there for an unknown app, one without a document, a part of the platform, or a foreign hash', async () => {
    const { app_id } = await deployedApp();
    const { sha256: foreign } = await deployedApp();
    const bare = await createApp(platform.gateway);
    const part = await createApp(platform.gateway, { system: true, document: {} });
    for (const path of [
      'apps/no-such-app/runtime',
      `apps/${bare.app_id}/runtime`,
      `apps/${part.app_id}/runtime`,
      `apps/${app_id}/documents/${foreign}`,
      `apps/${app_id}/documents/xyz`,
      `apps/${app_id}/documents/${'é'.repeat(32)}`,
    ]) {
      expect(await backend.get(internal(path))).toMatchObject({ status: 404, body: { code: 'app_version.not_found' } });
    }
  });
});

describe('the changes of what runs', () => {
  const LATER_THAN_ALL = 999_999_999_999_999;
  const changes = async (after: number, limit = 500) =>
    (await backend.get<AppRuntimeChangesResponse>(internal(`app-runtimes?after=${after}&limit=${limit}`))).body;
  /** All apps, by the changes that the host gets. */
  async function everything(): Promise<Map<string, unknown>> {
    const known = new Map<string, unknown>();
    for (let after = 0, more = true; more;) {
      const { items, next, has_more } = await changes(after, 3);
      for (const { app_id, runtime } of items) known.set(app_id, runtime);
      [after, more] = [next, has_more];
    }
    return known;
  }

  it('tell of a version, a suspension and an end, of each app the latest', async () => {
    const { next: before } = await changes(LATER_THAN_ALL);
    const { app_id, sha256, developer_id } = await deployedApp();
    // The platform's own apps change by themselves, too.
    const ofApp = async (after: number) => {
      const { items, next } = await changes(after);
      return { items: items.filter((change) => change.app_id === app_id), next };
    };
    const runtime = {
      app_id,
      version: '1.0.0',
      sha256,
      tenant_id: 'default',
      developer_id,
      is_active: true,
      is_suspended: false,
    };
    const first = await ofApp(before);
    expect(first.items).toEqual([{ app_id, revision: first.items[0]?.revision, runtime }]);
    await query("UPDATE apps SET display_name = 'New' WHERE app_id = $1", [app_id]);
    expect((await ofApp(first.next)).items).toEqual([]);
    await query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [app_id]);
    const second = await ofApp(first.next);
    expect(second.items).toMatchObject([{ app_id, runtime: { ...runtime, is_active: false, is_suspended: true } }]);
    await query("UPDATE apps SET status = 'draft', served_version = NULL WHERE app_id = $1", [app_id]);
    await query('DELETE FROM apps WHERE app_id = $1', [app_id]);
    expect((await ofApp(second.next)).items).toMatchObject([{ app_id, runtime: null }]);
    expect((await everything()).get(app_id)).toBeNull();
  });

  it('are all there whatever commits last, and in whatever order', async () => {
    const apps = await Promise.all(Array.from({ length: 8 }, () => deployedApp()));
    const { next: before } = await changes(LATER_THAN_ALL);
    const seen = new Set<string>();
    let after = before;
    let done = false;
    const follow = async () => {
      while (!done || seen.size < apps.length) {
        const { items, next } = await changes(after, 2);
        for (const { app_id } of items) seen.add(app_id);
        after = next;
      }
    };
    const suspend = apps.map(({ app_id }, at) =>
      platform.gateway.service.app.get(DataSource).transaction(async (em) => {
        await em.query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [app_id]);
        await em.query('SELECT pg_sleep($1)', [at % 2 ? 0 : 0.3]);
      }),
    );
    await Promise.all([follow(), Promise.all(suspend).then(() => (done = true))]);
    expect([...seen].sort()).toEqual(apps.map(({ app_id }) => app_id).sort());
  });

  it('begin anew for a host that has seen more than there is, and are for services alone', async () => {
    const { app_id } = await deployedApp();
    expect((await changes(LATER_THAN_ALL)).items.map((change) => change.app_id)).toContain(app_id);
    expect((await platform.gateway.client().get(internal('app-runtimes'))).status).toBe(401);
    expect((await backend.get(internal('app-runtimes?after=-1'))).status).toBe(422);
  });
});

describe('the configuration of an app', () => {
  const config = async (appId: string, run: Partial<RunGrant> = {}) =>
    (await backend.post<AppConfigResponse>(internal('config'), { grant: await grant(appId, run) })).body.config;

  it('is merged from the defaults up to what the tenant enforces', async () => {
    const { id: tenant_id } = await createTenant(backend);
    const user = await platform.gateway.user({ tenant_id });
    const declared = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({
      name: `letters.${name}`,
      default: 'default',
    }));
    const developer_id = await createDeveloper(platform.gateway, { tenant_id });
    const { app_id } = await deployedApp({ developer_id }, [...declared, { name: 'list', default: [1, 2] }]);
    await has(user, app_id);
    const from = (layer: string, names: string) => ({
      letters: Object.fromEntries(Array.from(names, (name) => [name, layer])),
    });
    const tenant = {
      config: from('tenant', 'cdefg'),
      roles: { user: from('role', 'defg'), admin: from('another role', 'abcdefg') },
      users: { [user.id]: from('user', 'fg'), usr_another: from('another user', 'abcdefg') },
      enforced: from('enforced', 'g'),
    };
    await platform.gateway.service.app.get(RegistryClient).updateSettings(app_id, {
      ...from('app', 'efg'),
      list: [3],
      skeleton: { ttl: 60 },
      layers: {
        platform: from('platform', 'bcdefg'),
        tenants: { [tenant_id]: tenant, another: { enforced: from('another tenant', 'abcdefg') } },
      },
    });
    const letters = { a: 'default', b: 'platform', c: 'tenant', d: 'role', e: 'app', f: 'user', g: 'enforced' };
    expect(await config(app_id, { tenantId: tenant_id, userId: user.id })).toEqual({ letters, list: [3] });
    expect(await config(app_id, { tenantId: tenant_id })).toEqual({
      letters: { ...letters, d: 'tenant', f: 'app' },
      list: [3],
    });
    await platform.wire.cut();
    expect(await config(app_id, { tenantId: tenant_id })).toMatchObject({ list: [3] });
    await platform.wire.restore();
    const elsewhere = await platform.gateway.user();
    await has(elsewhere, app_id);
    expect(await config(app_id, { userId: elsewhere.id })).toEqual({
      letters: { a: 'default', b: 'platform', c: 'platform', d: 'platform', e: 'app', f: 'app', g: 'app' },
      list: [3],
    });
  });

  it('is the defaults alone where nothing is set', async () => {
    const { app_id } = await createApp(platform.gateway, {
      document: { app: { settings: [{ name: 'mail.sender', default: 'me' }] } },
    });
    expect(await config(app_id)).toEqual({ mail: { sender: 'me' } });
  });
});

describe('a call of one app by another', () => {
  const TOOLS = [
    tool('read_it'),
    tool('write_it', { action_type: 'write' }),
    tool('guarded', { required_scopes: ['notes:read'] }),
    tool('strict', { params_schema: { type: 'object', required: ['text'] } }),
  ];
  /** An app that requests these scopes. */
  const asking = async (...scopes: string[]) =>
    (await deployedApp({ tools: [tool('start', { required_scopes: scopes })] })).app_id;
  const call = async (
    appId: string,
    { of, ...grantChanges }: Partial<RunGrant> & { of: string },
    changes: object = {},
  ) => {
    const body = {
      grant: await grant(of, { chain: [`${of}.start`], ...grantChanges }),
      function: 'read_it',
      ...changes,
    };
    const answer = await backend.post<CallResponse>(internal(`extensions/${appId}/call`), body);
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    return answer.body;
  };

  it('for a user runs as that user, who has the app and may use it so', async () => {
    const { app_id } = await deployedApp({ tools: TOOLS });
    const user = await platform.gateway.user({ scopes: [`${app_id}:read`, 'extensions:write'] });
    const from = await asking(`${app_id}:read`, 'extensions:write', 'notes:read');
    await has(user, from);
    const as = { of: from, userId: user.id };
    expect(await call(app_id, as)).toMatchObject({ status: 'error', error_code: 'EXTENSION_NOT_FOUND' });
    await has(user, app_id);
    expect(await call(app_id, as, { params: { a: 1 } })).toMatchObject({ status: 'success', data: { a: 1 } });
    expect(host.lastRun).toMatchObject({
      app_id,
      user: { user_id: user.id, email: user.email },
      tenant_id: 'default',
      chain: [`${from}.start`, `${app_id}.read_it`],
    });
    expect(await call(app_id, as, { function: 'write_it' })).toMatchObject({ status: 'success' });
    expect(await call(app_id, { ...as, scopes: [`${app_id}:read`] }, { function: 'write_it' })).toMatchObject({
      error_code: 'PERMISSION_DENIED',
    });
    expect(await call(app_id, as, { function: 'guarded' })).toMatchObject({ error_code: 'PERMISSION_DENIED' });
    expect(await call(app_id, as, { function: 'strict' })).toMatchObject({ error_code: 'VALIDATION_MISSING_FIELD' });
    expect(await call(app_id, as, { function: 'unknown' })).toMatchObject({ error_code: 'UNKNOWN_SUB_FUNCTION' });
    await query('INSERT INTO disabled_extensions (user_id, app_id) VALUES ($1, $2)', [user.id, app_id]);
    expect(await call(app_id, as)).toMatchObject({ error_code: 'EXTENSION_DISABLED' });
    const actions = await query("SELECT user_id, details FROM actions WHERE app_id = $1 AND function = 'read_it'", [
      app_id,
    ]);
    expect(actions).toEqual([
      { user_id: user.id, details: { via: 'extension', from_app: from, chain_id: expect.any(String) } },
    ]);
  });

  it('for a user without the scope, or by an app without it, is refused', async () => {
    const { app_id } = await deployedApp({ tools: TOOLS });
    const [user, admin] = [await platform.gateway.user(), await platform.gateway.user({ role: 'admin' })];
    const [asks, asksNothing] = [await asking(`${app_id}:read`), await asking('*')];
    for (const [as, from] of [
      [user, asks], // the user does not hold this scope
      [admin, asksNothing], // the app did not get this scope
    ] as const) {
      for (const appId of [from, app_id]) await has(as, appId);
      expect(await call(app_id, { of: from, userId: as.id })).toMatchObject({
        error_code: 'PERMISSION_DENIED',
        error: expect.stringContaining(`${app_id}:read`),
        retryable: false,
      });
    }
  });

  it('for nobody reaches the apps of the same developer, and what needs no scope', async () => {
    const developer_id = await createDeveloper(platform.gateway);
    const [own, to, foreign] = [
      await deployedApp({ developer_id }),
      await deployedApp({ developer_id, tools: TOOLS }),
      await deployedApp({ tools: TOOLS }),
    ];
    const of = own.app_id;
    expect(await call(to.app_id, { of })).toMatchObject({ status: 'success' });
    expect(host.lastRun).toMatchObject({ app_id: to.app_id, user: null, tenant_id: 'default' });
    expect(await call(to.app_id, { of }, { function: 'guarded' })).toMatchObject({ error_code: 'PERMISSION_DENIED' });
    expect(await call(foreign.app_id, { of })).toMatchObject({ error_code: 'EXTENSION_NOT_FOUND' });
    expect(await call('developer', { of })).toMatchObject({ error_code: 'EXTENSION_NOT_FOUND' });
    await query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [to.app_id]);
    expect(await call(to.app_id, { of })).toMatchObject({ error_code: 'EXTENSION_NOT_FOUND' });
  });

  it('ends where it goes in a circle, or too deep, by what the gateway knows and what the host tells', async () => {
    const { app_id } = await deployedApp({ tools: TOOLS });
    const runs = host.runs.length;
    expect(await call(app_id, { of: app_id, chain: ['a.b', `${app_id}.read_it`, 'c.d'] })).toMatchObject({
      error_code: 'CALL_CYCLE',
      retryable: false,
    });
    expect(await call(app_id, { of: app_id }, { via: ['read_it'] })).toMatchObject({ error_code: 'CALL_CYCLE' });
    const six = ['a.a', 'b.b', 'c.c', 'd.d', 'e.e', 'f.f'];
    expect(await call(app_id, { of: app_id, chain: six })).toMatchObject({ error_code: 'CALL_TOO_DEEP' });
    expect(await call(app_id, { of: app_id, chain: six.slice(0, 4) }, { via: ['e', 'f'] })).toMatchObject({
      error_code: 'CALL_TOO_DEEP',
    });
    expect(host.runs).toHaveLength(runs);
  });
});

it('a denied capability is in the audit log of the tenant, also when it is told after the run', async () => {
  const { id: tenant_id } = await createTenant(backend);
  const { app_id } = await deployedApp();
  const run = { tenantId: tenant_id, expiresAt: Date.now() - 3_600_000 };
  const denial = { grant: await grant(app_id, run), capability: 'notify', call: 'inbound' };
  expect((await backend.post(internal('capability-denials'), denial)).status).toBe(204);
  expect((await backend.post(internal('capability-denials'), { ...denial, user_id: null })).status).toBe(422);
  const { body } = await backend.get<AuditPageResponse>(
    `/v1/audit?tenant_id=${tenant_id}&action=app.capability_denied`,
  );
  expect(body.items).toMatchObject([
    {
      target_type: 'app',
      target_id: app_id,
      tenant_id,
      metadata: { version: '1.0.0', capability: 'notify', call: 'inbound' },
    },
  ]);
});

describe('a capability that is denied again and again', () => {
  const denied = async (
    tenantId: string,
    { of = 'mailer', version = '1.2.0', ...changes }: { of?: string; version?: string; [more: string]: unknown } = {},
  ) =>
    backend.post(internal('capability-denials'), {
      grant: await grant(of, { tenantId, version }),
      capability: 'notify',
      call: 'inbound',
      ...changes,
    });
  const entries = async (tenantId: string, action = 'app.capability_denied') =>
    (await backend.get<AuditPageResponse>(`/v1/audit?tenant_id=${tenantId}&action=${action}&per_page=200`)).body.items;
  const laterBy = (tenantId: string, interval: string) =>
    platform.gateway.service.query(
      `UPDATE capability_denials SET counted_since = counted_since - interval '${interval}', recorded_at = recorded_at - interval '${interval}'
       WHERE tenant_id = $1`,
      [tenantId],
    );
  const countNow = () => platform.gateway.service.app.get(CapabilityDenialsService).recordCounts();

  it('has one entry a minute, however many come at once and whatever else of them differs', async () => {
    const { id: tenantId } = await createTenant(backend);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_value, at) => denied(tenantId, { call: `handler-${at}` })),
    );
    expect(answers.every(({ status }) => status === 204)).toBe(true);
    expect(await entries(tenantId)).toHaveLength(1);
    await laterBy(tenantId, '61 seconds');
    for (let at = 0; at < 3; at++) await denied(tenantId);
    expect(await entries(tenantId)).toHaveLength(2);
    expect(
      await platform.gateway.service.query(
        'SELECT count(*)::int AS rows FROM capability_denials WHERE tenant_id = $1',
        [tenantId],
      ),
    ).toEqual([{ rows: 1 }]);
  });

  it('is told apart by app, version, capability and tenant', async () => {
    const [{ id: one }, { id: other }] = [await createTenant(backend), await createTenant(backend)];
    for (const changes of [{}, { of: 'pager' }, { version: '1.3.0' }, { capability: 'secrets' }]) {
      for (let at = 0; at < 3; at++) await denied(one, changes);
    }
    await denied(other);
    expect(await entries(one)).toHaveLength(4);
    expect(await entries(other)).toHaveLength(1);
  });

  it('is counted, and the count is written once an hour', async () => {
    const [{ id: busy }, { id: quiet }] = [await createTenant(backend), await createTenant(backend)];
    for (let at = 0; at < 5; at++) await denied(busy);
    await denied(quiet);
    await countNow();
    expect(await entries(busy, 'app.capability_denials_counted')).toEqual([]);
    for (const tenantId of [busy, quiet]) await laterBy(tenantId, '61 minutes');
    await Promise.all(Array.from({ length: 5 }, countNow));
    expect(await entries(busy, 'app.capability_denials_counted')).toMatchObject([
      { target_id: 'mailer', metadata: { version: '1.2.0', capability: 'notify', reports: 4 } },
    ]);
    expect(await entries(quiet, 'app.capability_denials_counted')).toEqual([]);
    const left = await platform.gateway.service.query('SELECT 1 FROM capability_denials WHERE tenant_id IN ($1, $2)', [
      busy,
      quiet,
    ]);
    expect(left).toEqual([]);
  });

  it('leaves nothing for a tenant that there is not', async () => {
    expect((await denied('nowhere')).status).toBe(204);
    expect(
      await platform.gateway.service.query("SELECT 1 FROM gateway_audit.audit_entries WHERE tenant_id = 'nowhere'"),
    ).toEqual([]);
  });
});

describe('a notification of an app', () => {
  const notify = async (appId: string, user: TestUser, body: object) => {
    const sent = { grant: await grant(appId, { userId: user.id }), message: 'Hello', ...body };
    return backend.post<{ sent: boolean }>(internal('notifications'), sent);
  };
  /** An app that these users have installed. */
  async function appOf(...users: TestUser[]): Promise<string> {
    const { app_id } = await deployedApp({ display_name: 'Night Mail' });
    for (const user of users) await has(user, app_id);
    return app_id;
  }

  it('is kept for its user, and nobody else sees it', async () => {
    const [user, other] = [await platform.gateway.user(), await platform.gateway.user()];
    const appId = await appOf(user, other);
    for (const message of ['first', 'second']) {
      expect((await notify(appId, user, { message, priority: 'high' })).body).toEqual({ sent: true });
    }
    const list = async (as: TestUser, search = '') =>
      (await (await platform.gateway.signIn(as)).get<NotificationsResponse>(`/v1/me/notifications${search}`)).body
        .items;
    expect(await list(user)).toMatchObject([
      { app_id: appId, message: 'second', channel: 'in_app', priority: 'high', subject: null, body: null },
      { message: 'first' },
    ]);
    expect((await list(user, '?limit=1&offset=1')).map(({ message }) => message)).toEqual(['first']);
    expect(await list(other)).toEqual([]);
  });

  it('is mailed where its channel is e-mail, and says which app it is from', async () => {
    const user = await platform.gateway.user();
    const mail = { channel: 'email', subject: 'Three <b>new</b>', message: 'You have mail.', body: 'One.\n\nTwo.' };
    expect((await notify(await appOf(user), user, mail)).body).toEqual({ sent: true });
    const { text, html, subject } = await platform.gateway.smtp.waitForMail(user.email);
    expect(subject).toBe('Three <b>new</b>');
    for (const part of ['You have mail.', 'One.', 'Two.', 'The app Night Mail']) expect(text).toContain(part);
    expect(html).not.toContain('<b>new</b>');
  });

  it('is mailed 20 times an hour at most by one app', async () => {
    const user = await platform.gateway.user();
    const [flood, calm] = [await appOf(user), await appOf(user)];
    const answers = [];
    for (let at = 0; at < 21; at++) answers.push((await notify(flood, user, { channel: 'email' })).body.sent);
    expect(answers).toEqual([...Array.from({ length: 20 }, () => true), false]);
    expect((await notify(calm, user, { channel: 'email' })).body.sent).toBe(true);
    await platform.gateway.smtp.waitForMail(user.email, 20); // 20 of one app and one of the other
  });

  it('is not sent by a channel that there is not, or to nobody', async () => {
    const user = await platform.gateway.user();
    const appId = await appOf(user);
    expect((await notify(appId, user, { channel: 'telegram' })).body).toEqual({ sent: false });
    const ofNobody = { grant: await grant(appId), message: 'Hello' };
    expect(await backend.post(internal('notifications'), ofNobody)).toMatchObject({
      status: 403,
      body: { code: 'run_grant.no_user' },
    });
    for (const bad of [{ priority: 'x' }, { subject: 'a\r\nBcc: b@example.com' }]) {
      expect((await notify(appId, user, bad)).status).toBe(422);
    }
  });
});
