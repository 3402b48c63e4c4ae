import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { RequestMethod } from '@nestjs/common';
import type {
  AppRuntimeChangesResponse,
  AuditPageResponse,
  CallResponse,
  KeyResponse,
  NotificationsResponse,
  RunGrantExchangeResponse,
  RunGrantResponse,
  RunGrantsResponse,
  RunUsersResponse,
} from '@platform/contracts';
import { newUuid, parseKeyring } from '@platform/platform';
import { until, type TestClient } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { openGrant, sealGrant, type RunGrant } from '../extensions/run-grants/run-grant.js';
import { RunGrantsService } from '../extensions/run-grants/run-grants.service.js';
import { createApp, createDeveloper, newAppId, tool, type TestAppChanges } from '../testing/apps.js';
import { GatewayTest, type TestUser } from '../testing/gateway-test.js';
import { createRunGrant } from '../testing/run-grants.js';
import { FakeRunHost, SUCCESS } from '../testing/fake-run-host.js';
import { Statements } from '../testing/statements.js';
import { createTenant } from '../testing/tenants.js';
import { CONFIG, type Config } from '../config.js';

let host: FakeRunHost;
let gateway: GatewayTest;
/** The extension host, with its service token. */
let asHost: TestClient;
let admin: TestUser;
let revision = 2_000_000;
beforeAll(async () => {
  host = await FakeRunHost.start();
  gateway = await GatewayTest.start({ EXT_WEBHOOK_HOST_URL: host.url });
  asHost = gateway.backend();
  admin = await gateway.user({ role: 'admin' });
});
beforeEach(() => {
  host.reset();
});
afterAll(async () => {
  await gateway.stop();
  await host.stop();
});

const query = <Row>(sql: string, values: unknown[] = []) => gateway.service.query<Row>(sql, values);
const internal = (path: string) => `/v1/internal/${path}`;
const grant = (appId: string, changes: Partial<RunGrant> = {}) => createRunGrant(gateway.service, appId, changes);
const contentOf = (text: string) =>
  JSON.parse(Buffer.from(text.split('.')[2] ?? '', 'base64url').toString()) as RunGrant;

/** An app that requests scopes and has a handler of each kind. */
const newApp = async (scopes: string[] = [], changes: TestAppChanges = {}): Promise<string> => {
  const app_id = newAppId();
  const events = { subscribes: [{ type: `${app_id}.*` }, { type: 'notes.made' }] };
  const document = { app: { webhooks: [{ path: 'in' }], schedules: [{ name: 'nightly' }], events } };
  return (
    await createApp(gateway, { app_id, document, tools: [tool('start', { required_scopes: scopes })], ...changes })
  ).app_id;
};
const install = (appId: string, userId: string) =>
  query(
    `INSERT INTO installs (user_id, app_id, tenant_id, revision, installed_at, granted_scopes)
     SELECT u.id, $2, u.tenant_id, $3, now(), v.requested_scopes
     FROM users u JOIN apps a ON a.app_id = $2 JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version WHERE u.id = $1`,
    [userId, appId, ++revision],
  );
async function versionOf(appId: string) {
  const [version] = await query<{ app_id: string; version: string; sha256: string }>(
    `SELECT v.app_id, v.version, encode(v.sha256, 'hex') AS sha256 FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
     WHERE a.app_id = $1`,
    [appId],
  );
  return version as NonNullable<typeof version>;
}
async function begin(
  appId: string,
  kind: string,
  handler: string,
  changes: object = {},
): Promise<RunGrantResponse | null> {
  const run = { ...(await versionOf(appId)), kind, handler, ...changes };
  const { status, body } = await asHost.post<RunGrantsResponse>(internal('run-grants'), { runs: [run] });
  expect(status).toBe(200);
  return body.grants[0] ?? null;
}
const tick = async (appId: string) => ((await begin(appId, 'schedule', 'nightly')) as RunGrantResponse).grant;
const exchange = async (text: string, user_ids: string[]) => {
  const { status, body } = await asHost.post<RunGrantExchangeResponse>(internal('run-grants/exchange'), {
    grant: text,
    user_ids,
  });
  expect(status).toBe(200);
  return body.grants;
};
const notify = (text: string, more: object = {}) =>
  asHost.post(internal('notifications'), { grant: text, message: 'Hello', ...more });
const call = async (appId: string, text: string, body: object = {}) =>
  asHost.post<CallResponse>(internal(`extensions/${appId}/call`), { grant: text, function: 'start', ...body });
const REFUSED = { status: 403, body: { code: 'run_grant.refused' } };
const told = async (of: TestUser) =>
  (await (await gateway.signIn(of)).get<NotificationsResponse>('/v1/me/notifications')).body.items;
const refusals = async (tenantId = 'default') =>
  (await asHost.get<AuditPageResponse>(`/v1/audit?tenant_id=${tenantId}&action=run_grant.refused&per_page=200`)).body
    .items;

describe('a schedule of an app that nobody installed', () => {
  it('acts for nobody: not for the administrator, not for users of any tenant', async () => {
    const appId = await newApp(['developer:*', 'extensions:*']);
    const { id: tenant_id } = await createTenant(asHost);
    const others = await Promise.all([
      gateway.user(),
      gateway.user({ tenant_id }),
      gateway.user({ role: 'admin', tenant_id }),
    ]);
    const users = [admin, ...others].map(({ id }) => id);
    const ofNobody = await tick(appId);
    expect(await exchange(ofNobody, [...users, 'usr_nobody', 'default', '', 'é'])).toEqual([]);
    expect(await notify(ofNobody)).toMatchObject({ status: 403, body: { code: 'run_grant.no_user' } });
    const target = await newApp();
    await install(target, admin.id);
    for (const [id, name] of [
      [target, 'start'],
      ['developer', 'deploy_ir'],
      ['developer', 'list_my_apps'],
      ['automations', 'create_automation'],
    ] as const) {
      const { body } = await call(id, ofNobody, { function: name, params: {} });
      expect(body).toMatchObject({ status: 'error', error_code: 'EXTENSION_NOT_FOUND' });
    }
    expect(host.runs).toEqual([]);
    expect(await told(admin)).toEqual([]);
  });

  it.each(['user_id', 'userId', 'tenant_id', 'app_id', 'from_app', 'scopes', 'chain', 'hop', 'source'])(
    'cannot name anything by %s, on any route',
    async (key) => {
      const text = await tick(await newApp());
      for (const [path, body] of Object.entries(BODIES)) {
        const named = { ...body(), grant: text, [key]: key === 'scopes' || key === 'chain' ? ['*'] : admin.id };
        expect([path, await asHost.post(target(path), named)]).toMatchObject([path, { status: 422 }]);
      }
    },
  );

  it('cannot name a user by a header or in the query', async () => {
    const text = await tick(await newApp());
    const before = await told(admin);
    const acting = asHost.withHeaders({ 'X-Acting-User': admin.id, 'X-User-Id': admin.id });
    for (const client of [acting, asHost]) {
      const { status } = await client.post(`${internal('notifications')}?user_id=${admin.id}`, {
        grant: text,
        message: 'Hello',
      });
      expect([403, 422]).toContain(status);
      const answer = await client.post<CallResponse>(`${internal('extensions/developer/call')}?user_id=${admin.id}`, {
        grant: text,
        function: 'list_my_apps',
      });
      expect(answer.status !== 200 || answer.body.status === 'error').toBe(true);
    }
    expect(await told(admin)).toEqual(before);
  });
});

describe('a grant of a user', () => {
  const ends: [string, (appId: string, user: TestUser) => Promise<unknown>][] = [
    [
      'the app is uninstalled',
      (appId, { id }) =>
        query(
          'UPDATE installs SET removed_at = now(), revision = revision + 1000000 WHERE app_id = $1 AND user_id = $2',
          [appId, id],
        ),
    ],
    [
      'the app is disabled',
      (appId, { id }) => query('INSERT INTO disabled_extensions (user_id, app_id) VALUES ($1, $2)', [id, appId]),
    ],
    [
      'the tenant closes the app',
      (appId, { id }) =>
        query(
          "INSERT INTO access_policies (tenant_id, app_id, mode, required_scopes, denied_roles, denied_users) VALUES ('default', $1, 'public', '{}', '{}', ARRAY[$2])",
          [appId, id],
        ),
    ],
    [
      'the tenant demands a scope',
      (appId) =>
        query(
          "INSERT INTO access_policies (tenant_id, app_id, mode, required_scopes, denied_roles, denied_users) VALUES ('default', $1, 'restricted', '{vip:read}', '{}', '{}')",
          [appId],
        ),
    ],
    ['the app is suspended', (appId) => query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [appId])],
    ['the user is deactivated', (_appId, { id }) => query('UPDATE users SET is_active = false WHERE id = $1', [id])],
  ];
  it.each(ends)('is refused at once when %s, and none is given any more', async (_name, end) => {
    const [appId, user] = [await newApp(), await gateway.user()];
    await install(appId, user.id);
    const nightly = await tick(appId);
    const [given] = await exchange(nightly, [user.id]);
    expect(given).toMatchObject({ user_id: user.id, tenant_id: 'default' });
    const ofUser = given?.grant ?? '';
    expect((await notify(ofUser)).status).toBe(200);
    await end(appId, user);
    expect(await notify(ofUser)).toMatchObject(REFUSED);
    expect((await call('developer', ofUser)).status).toBe(403);
    expect((await asHost.post(internal('config'), { grant: ofUser })).status).toBe(403);
    const event = {
      grant: ofUser,
      event_id: newUuid(),
      type: `${appId}.made`,
      data: {},
      timestamp: new Date().toISOString(),
    };
    expect(await asHost.post(internal('events'), event)).toMatchObject(REFUSED);
    const still = await asHost.post<Partial<RunGrantExchangeResponse>>(internal('run-grants/exchange'), {
      grant: nightly,
      user_ids: [user.id],
    });
    expect(still.body.grants ?? []).toEqual([]);
  });

  it('is of each user in their own tenant, and is given for a schedule alone', async () => {
    const appId = await newApp();
    const { id: tenant_id } = await createTenant(asHost);
    const [user, elsewhere] = [await gateway.user(), await gateway.user({ tenant_id })];
    const without = await gateway.user({ tenant_id });
    await install(appId, user.id);
    await install(appId, elsewhere.id);
    const given = await exchange(await tick(appId), [user.id, elsewhere.id, without.id, user.id]);
    expect(given.map((one) => [one.user_id, one.tenant_id])).toEqual([
      [user.id, 'default'],
      [elsewhere.id, tenant_id],
    ]);
    for (const { grant: text } of given) expect((await notify(text)).status).toBe(200);
    expect([(await told(user)).length, (await told(elsewhere)).length]).toEqual([1, 1]);
    const webhook = (await begin(appId, 'webhook', 'in'))?.grant;
    for (const text of [given[0]?.grant, webhook, await grant(appId, { userId: user.id })]) {
      expect(await asHost.post(internal('run-grants/exchange'), { grant: text, user_ids: [user.id] })).toMatchObject(
        REFUSED,
      );
    }
  });

  it('of nobody says where those users are who have the app, and of no others', async () => {
    const appId = await newApp();
    const { id: tenant_id } = await createTenant(asHost);
    const [user, elsewhere, without, left] = await Promise.all([
      gateway.user(),
      gateway.user({ tenant_id }),
      gateway.user({ tenant_id }),
      gateway.user(),
    ]);
    for (const { id } of [user, left]) await install(appId, id);
    await install(appId, elsewhere.id);
    await (await gateway.signIn(left)).post('/v1/me/extensions/disable', { app_id: appId });
    const find = (text: string | undefined) =>
      asHost.post(internal('run-grants/users'), {
        grant: text,
        user_ids: [user, elsewhere, without, left].map(({ id }) => id),
      });
    for (const kind of ['webhook', 'schedule'] as const) {
      const text = (await begin(appId, kind, kind === 'webhook' ? 'in' : 'nightly'))?.grant;
      expect(await find(text)).toMatchObject({
        status: 200,
        body: {
          users: [
            { user_id: user.id, tenant_id: 'default' },
            { user_id: elsewhere.id, tenant_id },
          ],
        },
      });
    }
    const [ofUser] = await exchange(await tick(appId), [user.id]);
    for (const text of [ofUser?.grant, await grant(appId, { userId: user.id })])
      expect(await find(text)).toMatchObject(REFUSED);
    expect((await find('made up')).status).toBe(403);
  });

  it('of an event says it of those in its tenant alone who have the app, and not of who has removed it', async () => {
    const appId = await newApp();
    const { id: tenant_id } = await createTenant(asHost);
    const [user, beside, removed, elsewhere] = await Promise.all([
      gateway.user(),
      gateway.user(),
      gateway.user(),
      gateway.user({ tenant_id }),
    ]);
    const users = [user, beside, removed, elsewhere].map(({ id }) => id);
    for (const id of users) await install(appId, id);
    await query("UPDATE installs SET removed_at = now(), granted_scopes = '{}' WHERE user_id = $1", [removed.id]);
    for (const userId of [user.id, null]) {
      const text = await grant(appId, { kind: 'event', userId, eventId: newUuid() });
      const { status, body } = await asHost.post<RunUsersResponse>(internal('run-grants/users'), {
        grant: text,
        user_ids: users,
      });
      expect(status).toBe(200);
      expect(body.users.map(({ user_id }) => user_id).sort()).toEqual([user.id, beside.id].sort());
    }
  });

  it('is given to developers for their own draft, and to nobody else for it', async () => {
    const developer_id = await createDeveloper(gateway);
    const [draft, active] = [await newApp([], { developer_id, status: 'draft' }), await newApp([], { developer_id })];
    const somebody = await gateway.user();
    await install(draft, somebody.id);
    expect((await exchange(await tick(draft), [developer_id, somebody.id])).map(({ user_id }) => user_id)).toEqual([
      developer_id,
    ]);
    expect(await exchange(await tick(active), [developer_id])).toEqual([]);
  });

  it('has the scopes that the installation granted, cut to those that the user holds now', async () => {
    const appId = await newApp(['notes:read', 'notes:write', 'users:*']);
    const user = await gateway.user({ scopes: ['notes:read', 'notes:write', 'other:read'] });
    await install(appId, user.id);
    const [given] = await exchange(await tick(appId), [user.id]);
    expect(given?.scopes).toEqual(['notes:read', 'notes:write']);
    const notes = await newApp([], {
      app_id: `n${newAppId()}`,
      tools: [tool('start', { required_scopes: ['notes:write'] })],
    });
    for (const id of [user.id, admin.id]) await install(notes, id);
    await query("UPDATE users SET scopes = '{notes:read,notes:write,extensions:read}' WHERE id = $1", [user.id]);
    expect((await call(notes, given?.grant ?? '')).body).toMatchObject({ error_code: 'PERMISSION_DENIED' });
    await query("UPDATE users SET scopes = '{}' WHERE id = $1", [user.id]);
    expect((await exchange(await tick(appId), [user.id]))[0]?.scopes).toEqual([]);
    await install(appId, admin.id);
    expect((await exchange(await tick(appId), [admin.id]))[0]?.scopes).toEqual([
      'notes:read',
      'notes:write',
      'users:*',
    ]);
  });

  it('reaches the developer’s tools only where the installation granted that, and only for that user’s apps', async () => {
    const [plain, trusted] = [await newApp(['extensions:*', 'notes:*']), await newApp(['apps:write', 'apps:read'])];
    const victim = await newApp();
    for (const appId of [plain, trusted]) await install(appId, admin.id);
    const ofAdmin = async (appId: string) => (await exchange(await tick(appId), [admin.id]))[0]?.grant ?? '';
    const deploy = { function: 'deploy_ir', params: { app_id: victim, ir_dict: {} } };
    expect((await call('developer', await ofAdmin(plain), deploy)).body).toMatchObject({
      error_code: 'PERMISSION_DENIED',
    });
    expect((await call('developer', await ofAdmin(trusted), deploy)).body).toMatchObject({
      error_code: 'APP_NOT_FOUND',
    });
  });

  it('reaches the developer’s tools no further than the API key that led to the run', async () => {
    const appId = await newApp(['apps:write', 'secrets:write']);
    await install(appId, admin.id);
    const secret = { function: 'save_app_secret', params: { app_id: 'nobodys', name: 'token', value: 'x' } };
    const of = async (scopes: string[]) =>
      grant(appId, {
        userId: admin.id,
        scopes: ['secrets:write'],
        narrowing: ['secrets:write'],
        key: { id: null, scopes },
      });
    const calling = ['developer:*', 'apps:write'];
    expect((await call('developer', await of(calling), secret)).body).toMatchObject({
      error_code: 'PERMISSION_DENIED',
      error: expect.stringContaining('secrets:write'),
    });
    expect((await call('developer', await of([...calling, 'secrets:write']), secret)).body).toMatchObject({
      status: 'error',
      error_code: expect.not.stringMatching('PERMISSION_DENIED'),
    });
  });

  it('reaches them no further by an event that the key led to', async () => {
    const [publisher, handler] = [await newApp(['secrets:write']), await newApp(['secrets:write'])];
    for (const appId of [publisher, handler]) await install(appId, admin.id);
    const secret = { function: 'save_app_secret', params: { app_id: 'nobodys', name: 'token', value: 'x' } };
    const handling = async (scopes: string[]) => {
      const text = await grant(publisher, {
        userId: admin.id,
        narrowing: ['secrets:write'],
        key: { id: null, scopes },
      });
      const event = {
        grant: text,
        event_id: newUuid(),
        type: `${publisher}.made`,
        data: {},
        timestamp: new Date().toISOString(),
      };
      expect((await asHost.post(internal('events'), event)).status).toBe(204);
      return (await begin(publisher, 'event', `${publisher}.*`, { event_id: event.event_id }))?.grant ?? '';
    };
    const calling = ['developer:*', 'apps:write'];
    expect((await call('developer', await handling(calling), secret)).body).toMatchObject({
      error_code: 'PERMISSION_DENIED',
      error: expect.stringContaining('secrets:write'),
    });
    expect((await call('developer', await handling([...calling, 'secrets:write']), secret)).body).toMatchObject({
      error_code: expect.not.stringMatching('PERMISSION_DENIED'),
    });
  });

  it('of an administrator is no administrator: what others have stays theirs', async () => {
    const appId = await newApp(['automations:read', 'automations:write']);
    await install(appId, admin.id);
    const ofAdmin = (await exchange(await tick(appId), [admin.id]))[0]?.grant ?? '';
    const prompt = 'every day at 09:00: message "Hi"';
    const theirs = await (
      await gateway.signIn(await gateway.user())
    ).post<{ id: number }>('/v1/automations', { prompt });
    const own = await (await gateway.signIn(admin)).post<{ id: number }>('/v1/automations', { prompt });
    expect([theirs.status, own.status]).toEqual([200, 200]);
    const ask = async (name: string, params: object) =>
      (await call('automations', ofAdmin, { function: name, params })).body;
    for (const name of ['get_automation_details', 'pause_automation', 'delete_automation']) {
      expect(await ask(name, { rule_id: theirs.body.id })).toMatchObject({ error_code: 'AUTOMATION_NOT_OWNER' });
    }
    expect(await ask('automation_owners', {})).toMatchObject({ error_code: 'AUTOMATION_ADMIN_ONLY' });
    expect(await ask('delete_automation', { rule_id: own.body.id })).toMatchObject({ status: 'success' });
  });

  it('of an administrator who is denied one scope lacks that one, and no app that it does not name', async () => {
    const notes = newAppId();
    await newApp([], {
      app_id: notes,
      tools: [tool('start', { action_type: 'write', required_scopes: [`${notes}:write`] })],
    });
    const wanted = ['automations:write', 'extensions:write', 'users:write', `${notes}:write`];
    const appId = await newApp(wanted);
    const cut = await gateway.user({ role: 'admin', denied_scopes: ['users:write'] });
    for (const id of [notes, appId]) await install(id, cut.id);
    const given = async () =>
      (await exchange(await tick(appId), [cut.id]))[0] as RunGrantExchangeResponse['grants'][number];
    const { grant: text, scopes } = await given();
    expect([...scopes].sort()).toEqual(wanted.filter((scope) => scope !== 'users:write').sort());
    expect((await call(notes, text)).body).toMatchObject({ status: 'success' });
    const create = { function: 'create_automation', params: { prompt: 'every day at 09:00: message "Hi"' } };
    expect((await call('automations', text, create)).body).toMatchObject({ status: 'success' });

    await query('UPDATE users SET denied_scopes = ARRAY[$2] WHERE id = $1', [cut.id, `${notes}:write`]);
    const left = await given();
    // `extensions:write` covers all apps, including the one that is denied, so it is left out.
    expect(left.scopes).toEqual(['automations:write', 'users:write']);
    expect((await call(notes, left.grant)).body).toMatchObject({ error_code: 'PERMISSION_DENIED' });
  });

  describe('of who was given what stands for every app, and is denied one, does not reach that one', () => {
    let notes = '';
    let appId = '';
    let user: TestUser;
    beforeEach(async () => {
      notes = await newApp([], { tools: [tool('start', { action_type: 'write' }), tool('see')] });
      appId = await newApp([], {
        tools: [tool('start'), tool('asks', { required_scopes: ['extensions:write', 'extensions:read'] })],
      });
      user = await gateway.user();
      for (const id of [notes, appId]) await install(id, user.id);
    });
    const deny = () => query('UPDATE users SET denied_scopes = ARRAY[$2] WHERE id = $1', [user.id, `${notes}:write`]);
    const bySchedule = async () => (await exchange(await tick(appId), [user.id]))[0]?.grant ?? '';
    const answers = async (text: string) => {
      const codes = [];
      for (const name of ['start', 'see']) codes.push((await call(notes, text, { function: name })).body.error_code);
      return codes;
    };

    it.each([
      [
        'role',
        async () => {
          const role = newAppId();
          const made = await asHost.post('/v1/roles?tenant_id=default', {
            name: role,
            default_scopes: ['extensions:*'],
          });
          expect(made.status).toBe(201);
          await query('UPDATE users SET role = $2 WHERE id = $1', [user.id, role]);
        },
      ],
      ['name', () => query("UPDATE users SET scopes = '{extensions:write,extensions:read}' WHERE id = $1", [user.id])],
    ])('by %s', async (_by, give) => {
      await give();
      expect(await answers(await bySchedule())).toEqual([null, null]);
      await deny();
      expect(await answers(await bySchedule())).toEqual(['PERMISSION_DENIED', null]);
    });

    it('with a key', async () => {
      await query("UPDATE users SET scopes = '{extensions:*}' WHERE id = $1", [user.id]);
      const { body: key } = await (
        await gateway.signIn(user)
      ).post<KeyResponse>('/v1/keys', { name: 'any', scopes: 'extensions:*' });
      const byKey = async () => {
        let told: unknown[] = [];
        host.answer = async ({ app_id, grant: text }) => {
          if (app_id === appId) told = await answers(text);
          return SUCCESS;
        };
        const as = gateway.client().withHeaders({ 'x-api-key': key.key });
        await as.post(`/v1/extensions/${appId}/call`, { user_id: user.id, function: 'start', params: {} });
        return told;
      };
      expect(await byKey()).toEqual([null, null]);
      await deny();
      expect(await byKey()).toEqual(['PERMISSION_DENIED', null]);
    });
  });

  it('is given for a thousand users with a bounded number of statements', async () => {
    const appId = await newApp();
    const users = await Promise.all(Array.from({ length: 30 }, () => gateway.user()));
    for (const { id } of users) await install(appId, id);
    const ids = [...users.map(({ id }) => id), ...Array.from({ length: 970 }, (_none, at) => `usr_nobody${at}`)];
    const text = await tick(appId);
    const statements = new Statements();
    try {
      const { body, headers } = await asHost.post<RunGrantExchangeResponse>(internal('run-grants/exchange'), {
        grant: text,
        user_ids: ids,
      });
      expect(body.grants).toHaveLength(30);
      expect(statements.ofRequest(headers.get('x-request-id') ?? '').length).toBeLessThanOrEqual(4);
    } finally {
      statements.stop();
    }
    expect(
      (await asHost.post(internal('run-grants/exchange'), { grant: text, user_ids: [...ids, 'one-more'] })).status,
    ).toBe(422);
  });
});

describe('of a developer who may not sign in', () => {
  const ends: [string, (id: string, tenantId: string, isActive: boolean) => Promise<unknown>][] = [
    [
      'who was deactivated',
      (id, _tenant, isActive) => query('UPDATE users SET is_active = $2 WHERE id = $1', [id, isActive]),
    ],
    [
      'whose tenant was',
      (_id, tenantId, isActive) => query('UPDATE tenants SET is_active = $2 WHERE id = $1', [tenantId, isActive]),
    ],
  ];
  const isSuspended = async (appId: string) => {
    for (let after = 0; ;) {
      const { status, body } = await asHost.get<AppRuntimeChangesResponse>(
        internal(`app-runtimes?after=${after}&limit=500`),
      );
      expect(status).toBe(200);
      const found = body.items.find(({ app_id }) => app_id === appId);
      if (found || !body.has_more) return found?.runtime?.is_suspended;
      after = body.next;
    }
  };
  const revisionOf = async (appId: string) =>
    (await query<{ revision: string }>('SELECT revision FROM app_runtime_changes WHERE app_id = $1', [appId]))[0]
      ?.revision;
  const about = (type: string, userId: string | null, tenantId: string) => ({ id: newUuid(), type, tenantId, userId });
  const happens = async (type: string, userId: string, tenantId: string) => {
    const event = about(type, userId, tenantId);
    await query(
      `INSERT INTO platform_events (id, tenant_id, user_id, source_type, source, type, payload, payload_length, hop, at)
       VALUES ($1, $2, $3, 'notes', 'platform', $4, '{}', 2, 0, now())`,
      [event.id, tenantId, userId, type],
    );
    return { event_id: event.id };
  };

  it.each(ends)('%s: a draft runs nothing, until they may again', async (_whose, set) => {
    const { id: tenant_id } = await createTenant(asHost);
    const developer_id = await createDeveloper(gateway, { tenant_id });
    const draft = await newApp([], { developer_id, status: 'draft' });
    const published = await newApp([], { developer_id });
    const [early, heard] = [await tick(draft), await happens('notes.made', developer_id, tenant_id)];
    const [ofDeveloper] = await exchange(early, [developer_id]);
    const grants = async () => [
      await begin(draft, 'schedule', 'nightly'),
      await begin(draft, 'webhook', 'in'),
      await begin(draft, 'event', 'notes.made', heard),
    ];
    expect(await grants()).toEqual([expect.any(Object), expect.any(Object), expect.any(Object)]);
    expect([await isSuspended(draft), await isSuspended(published)]).toEqual([false, false]);
    const before = await Promise.all([draft, published].map(revisionOf));

    await set(developer_id, tenant_id, false);
    expect(await grants()).toEqual([null, null, null]);
    for (const text of [early, ofDeveloper?.grant ?? '']) expect(await notify(text)).toMatchObject(REFUSED);
    expect(await isSuspended(draft)).toBe(true);
    const after = await Promise.all([draft, published].map(revisionOf));
    expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, true]);
    // Runs of the developer's published app continue, but cannot call the draft.
    const ofNobody = await tick(published);
    expect((await call(draft, ofNobody)).body).toMatchObject({ error_code: 'EXTENSION_NOT_FOUND' });

    await set(developer_id, tenant_id, true);
    expect(await grants()).toEqual([expect.any(Object), expect.any(Object), expect.any(Object)]);
    expect(await isSuspended(draft)).toBe(false);
  });

  it.each(ends)(
    '%s: what is published goes on for those who have it, and acts for the developer no more',
    async (_whose, set) => {
      const { id: tenant_id } = await createTenant(asHost);
      const developer_id = await createDeveloper(gateway, { tenant_id });
      const appId = await newApp([], { developer_id, tools: [tool('start')] });
      const user = await gateway.user();
      for (const id of [user.id, developer_id]) await install(appId, id);
      const nightly = await tick(appId);
      const [ofDeveloper] = await exchange(nightly, [developer_id]);
      const [heard, ofTheirs] = [
        await happens('notes.made', user.id, 'default'),
        await happens('notes.made', developer_id, tenant_id),
      ];
      await set(developer_id, tenant_id, false);

      expect(await begin(appId, 'schedule', 'nightly')).toMatchObject({ tenant_id });
      expect(await begin(appId, 'webhook', 'in')).toMatchObject({ tenant_id });
      expect(await begin(appId, 'event', 'notes.made', heard)).toMatchObject({ user_id: user.id });
      expect(await isSuspended(appId)).toBe(false);
      const client = await gateway.signIn(user);
      const called = await client.post<CallResponse>(`/v1/extensions/${appId}/call`, {
        user_id: user.id,
        function: 'start',
        params: {},
      });
      expect(called).toMatchObject({ status: 200, body: { status: 'success' } });

      expect(await exchange(await tick(appId), [developer_id])).toEqual([]);
      expect(await begin(appId, 'event', 'notes.made', ofTheirs)).toBeNull();
      expect(await notify(ofDeveloper?.grant ?? '')).toMatchObject(REFUSED);
      await query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [appId]);
      expect(await begin(appId, 'schedule', 'nightly')).toBeNull();
    },
  );
});

describe('what begins by itself', () => {
  it('is given no grant for another version, another app, or a handler that there is not', async () => {
    const [appId, other] = [await newApp(), await newApp()];
    const { sha256 } = await versionOf(other);
    expect(await begin(appId, 'schedule', 'nightly')).toMatchObject({
      tenant_id: 'default',
      user_id: null,
      scopes: [],
    });
    for (const [kind, handler, changes] of [
      ['schedule', 'hourly', {}],
      ['webhook', 'nightly', {}],
      ['schedule', 'nightly', { sha256 }],
      ['schedule', 'nightly', { version: '9.9.9' }],
      ['schedule', 'nightly', { app_id: 'no-such-app' }],
      ['event', 'notes.made', {}],
      ['event', 'notes.made', { event_id: newUuid() }],
    ] as const) {
      expect([kind, handler, await begin(appId, kind, handler, changes)]).toEqual([kind, handler, null]);
    }
    await query("UPDATE apps SET status = 'suspended' WHERE app_id = $1", [appId]);
    expect(await begin(appId, 'schedule', 'nightly')).toBeNull();
  });

  it('is unattended, for a user too', async () => {
    const appId = await newApp();
    const user = await gateway.user();
    await install(appId, user.id);
    const webhook = (await begin(appId, 'webhook', 'in')) as RunGrantResponse;
    const ofNobody = await tick(appId);
    const [ofUser] = await exchange(ofNobody, [user.id]);
    const event_id = newUuid();
    await query(
      `INSERT INTO platform_events (id, tenant_id, user_id, source_type, source, type, payload, payload_length, hop, at)
       VALUES ($1, 'default', $2, 'extension', 'notes', 'notes.made', '{}', 2, 0, now())`,
      [event_id, user.id],
    );
    const event = (await begin(appId, 'event', 'notes.made', { event_id })) as RunGrantResponse;
    for (const text of [webhook.grant, ofNobody, ofUser?.grant ?? '', event.grant])
      expect(contentOf(text)).toMatchObject({ unattended: true });
  });

  it('is unattended in what it calls, and what a user calls is not', async () => {
    const appId = await newApp();
    const user = await gateway.user();
    await install(appId, user.id);
    const grants = gateway.service.app.get(RunGrantsService);
    const {
      runId: _runId,
      kind: _kind,
      eventId: _eventId,
      expiresAt: _expiresAt,
      ...run
    } = contentOf(await grant(appId, { userId: user.id }));
    const attended = grants.startRun(run, 1_000);
    const unattended = grants.startRun({ ...run, unattended: true }, 1_000);
    expect(await grants.authorize(attended.grant)).not.toHaveProperty('unattended');
    expect(await grants.authorize(unattended.grant)).toMatchObject({ kind: 'function', unattended: true });
    for (const { end } of [attended, unattended]) end();
  });

  it('by an event is for its user, who has the app, with no more than what led to the event may', async () => {
    const tools = [
      tool('start', { required_scopes: ['notes:read'] }),
      tool('more', { required_scopes: ['notes:write'] }),
    ];
    const [publisher, handler, foreign] = [
      await newApp([], { tools }),
      await newApp([], { tools }),
      await newApp([], { tools }),
    ];
    const user = await gateway.user({ scopes: ['notes:read', 'notes:write'] });
    for (const appId of [publisher, handler]) await install(appId, user.id);
    const client = await gateway.signIn(user);
    const { body: key } = await client.post<KeyResponse>('/v1/keys', {
      name: 'less',
      scopes: 'notes:read,extensions:call',
    });
    let running = '';
    host.answer = ({ grant: text }) => {
      running = text;
      return SUCCESS;
    };
    const called = await gateway
      .client()
      .withToken(key.key)
      .post(`/v1/extensions/${publisher}/call`, { user_id: user.id, function: 'start', params: {} });
    expect(called.status).toBe(200);
    expect(contentOf(running)).toMatchObject({
      scopes: ['notes:read'],
      narrowing: ['notes:read'],
      key: { scopes: ['notes:read', 'extensions:call'] },
    });
    const ofKey = { id: null, scopes: ['notes:read', 'extensions:call'] };
    const text = await grant(publisher, {
      userId: user.id,
      narrowing: ['notes:read'],
      key: ofKey,
      scopes: ['notes:read'],
      hop: 1,
    });
    const event = {
      grant: text,
      event_id: newUuid(),
      type: `${publisher}.made`,
      data: {},
      timestamp: new Date().toISOString(),
    };
    expect((await asHost.post(internal('events'), event)).status).toBe(204);
    expect(
      await query('SELECT user_id, hop, scopes, key FROM platform_events WHERE id = $1', [event.event_id]),
    ).toEqual([{ user_id: user.id, hop: 1, scopes: ['notes:read'], key: ofKey }]);
    const of = { event_id: event.event_id };
    const given = await begin(publisher, 'event', `${publisher}.*`, of);
    expect(given).toMatchObject({ user_id: user.id, scopes: ['notes:read'] });
    expect(contentOf(given?.grant ?? '')).toMatchObject({
      hop: 2,
      narrowing: ['notes:read'],
      key: ofKey,
      eventId: event.event_id,
      kind: 'event',
    });
    expect(await begin(handler, 'event', 'notes.made', of)).toBeNull(); // events of another type
    expect(await begin(foreign, 'event', `${foreign}.*`, of)).toBeNull();
    await query('UPDATE installs SET removed_at = now(), revision = revision + 1000000 WHERE app_id = $1', [publisher]);
    expect(await begin(publisher, 'event', `${publisher}.*`, of)).toBeNull();
  });
});

describe('a grant that does not hold', () => {
  let appId: string;
  let user: TestUser;
  beforeAll(async () => {
    appId = await newApp();
    user = await gateway.user();
    await install(appId, user.id);
  });
  const own = (changes: Partial<RunGrant> = {}) => grant(appId, { userId: user.id, ...changes });

  it('is opened only as it was made: not altered in any letter, cut, joined, guessed, or sealed by another key', async () => {
    const text = await own();
    const { SECRET_KEYS } = gateway.service.app.get<Config>(CONFIG);
    expect(openGrant(SECRET_KEYS, text)).toMatchObject({ userId: user.id });
    for (let at = 0; at < text.length; at++) {
      for (const letter of ['A', 'B', '.', '=']) {
        const altered = `${text.slice(0, at)}${letter}${text.slice(at + 1)}`;
        if (altered !== text) expect([at, letter, openGrant(SECRET_KEYS, altered)]).toEqual([at, letter, null]);
      }
      expect(openGrant(SECRET_KEYS, text.slice(0, at))).toBeNull();
    }
    const foreign = sealGrant(parseKeyring(`k1:${randomBytes(32).toString('base64')}`), contentOf(text));
    const claims = { ...contentOf(text), userId: admin.id };
    const [, keyId = '', , mac = ''] = text.split('.');
    const rewritten = ['rg1', keyId, Buffer.from(JSON.stringify(claims)).toString('base64url'), mac].join('.');
    const guessed = [
      foreign,
      rewritten,
      `${text}A`,
      `${text}.${text}`,
      ` ${text}`,
      text.toUpperCase(),
      'rg1',
      '',
      '{}',
      JSON.stringify(claims),
    ];
    for (const bad of guessed)
      expect(await notify(bad)).toMatchObject({ status: 403, body: { code: 'run_grant.invalid' } });
    expect((await notify(text)).status).toBe(200);
  });

  it('is refused when it has expired, when its run has ended, and in another version', async () => {
    expect(await notify(await own({ expiresAt: Date.now() - 1 }))).toMatchObject({
      status: 403,
      body: { code: 'run_grant.expired' },
    });
    const used: [string, number][] = [];
    let running = '';
    host.answer = ({ grant: text }) => {
      running = text;
      return null;
    };
    const client = await gateway.signIn(user);
    const free = await newApp(['*']);
    await install(free, user.id);
    const ended = client
      .post(`/v1/extensions/${free}/call`, { user_id: user.id, function: 'start', params: {} })
      .catch(() => null);
    await until(() => Promise.resolve(running !== ''));
    used.push(['while it runs', (await notify(running)).status]);
    host.answer = ({ grant: text }) => {
      running = text;
      return SUCCESS;
    };
    expect(
      (await client.post(`/v1/extensions/${free}/call`, { user_id: user.id, function: 'start', params: {} })).status,
    ).toBe(200);
    expect(used).toEqual([['while it runs', 200]]);
    expect(await notify(running)).toMatchObject({ status: 403, body: { code: 'run_grant.ended' } });
    for (const changes of [{ version: '0.9.0' }, { sha256: 'f'.repeat(64) }])
      expect(await notify(await own(changes))).toMatchObject(REFUSED);
    void ended;
  });

  it('tells what it published after its time, also when another version runs by then, and for a day at most', async () => {
    const late = async (changes: Parameters<typeof own>[0]) => {
      const event = { event_id: newUuid(), type: `${appId}.made`, data: {}, timestamp: new Date().toISOString() };
      return (await asHost.post('/v1/internal/events', { ...event, grant: await own(changes) })).status;
    };
    const hours = 3_600_000;
    expect(await late({ version: '0.9.0', expiresAt: Date.now() - 23 * hours })).toBe(204);
    expect(await late({ expiresAt: Date.now() - 25 * hours })).toBe(403);
  });

  it('holds for the version that was replaced a minute ago, and for no other that there is', async () => {
    const user = await gateway.user();
    const appId = await newApp();
    await install(appId, user.id);
    const document = { app: { schedules: [{ name: 'nightly' }] } };
    for (const version of ['2.0.0', '3.0.0']) {
      await query(
        `INSERT INTO app_versions (app_id, version, sha256, document, manifest, hosts, capabilities, registry_held_at)
         VALUES ($1, $2, sha256($3), $4, $5, '{}', '{}', now())`,
        [
          appId,
          version,
          Buffer.from(appId + version),
          document,
          { version, tools: [tool('start')], skeleton_sections: [] },
        ],
      );
    }
    const versions = await query<{ version: string; sha256: string }>(
      "SELECT version, encode(sha256, 'hex') AS sha256 FROM app_versions WHERE app_id = $1 ORDER BY version",
      [appId],
    );
    const allowed = async () => {
      const passed: string[] = [];
      for (const { version, sha256 } of versions) {
        const begun = await begin(appId, 'schedule', 'nightly', { version, sha256 });
        const { status } = await notify(await grant(appId, { userId: user.id, version, sha256 }));
        expect([version, status]).toEqual([version, begun ? 200 : 403]);
        if (begun) passed.push(version);
      }
      return passed;
    };
    const serve = (version: string) => query('UPDATE apps SET served_version = $2 WHERE app_id = $1', [appId, version]);
    const pass = (minutes: number) =>
      query('UPDATE app_versions SET served_until = served_until - make_interval(mins => $2) WHERE app_id = $1', [
        appId,
        minutes,
      ]);
    expect(await allowed()).toEqual(['1.0.0']);
    await serve('2.0.0');
    await pass(1);
    expect(await allowed()).toEqual(['1.0.0', '2.0.0']);
    await pass(8);
    await serve('3.0.0');
    expect(await allowed()).toEqual(['1.0.0', '2.0.0', '3.0.0']);
    await pass(2);
    expect(await allowed()).toEqual(['2.0.0', '3.0.0']);
    await serve('1.0.0');
    await pass(20);
    expect(await allowed()).toEqual(['1.0.0']);
  });

  it('is in the audit log once for 50 attempts, for each reason', async () => {
    const { id: tenant_id } = await createTenant(asHost);
    const somebody = await gateway.user({ tenant_id });
    const before = (await refusals()).filter(
      ({ metadata }) => (metadata as { reason: string }).reason === 'invalid',
    ).length;
    const revoked = await grant(appId, { userId: somebody.id, tenantId: tenant_id });
    const expired = await grant(appId, { userId: somebody.id, tenantId: tenant_id, expiresAt: Date.now() - 1 });
    await Promise.all(
      Array.from({ length: 50 }, (_none, at) => notify([revoked, expired, `guess${at}`][at % 3] ?? '')),
    );
    for (let at = 0; at < 50; at++) expect((await notify(at % 2 ? revoked : `${at}`)).status).toBe(403);
    const found = (await refusals(tenant_id)).map(({ metadata }) => (metadata as { reason: string }).reason);
    expect(found.sort()).toEqual(['expired', 'not_installed']);
    const after = (await refusals()).filter(
      ({ metadata }) => (metadata as { reason: string }).reason === 'invalid',
    ).length;
    expect(after).toBeLessThanOrEqual(before + 1);
    expect(after).toBe(1);
  });
});

/** Request body of each route, besides the grant. */
const BODIES: Record<string, () => object> = {
  'POST v1/internal/config': () => ({}),
  'POST v1/internal/billing/balance': () => ({}),
  'POST v1/internal/billing/subscription': () => ({}),
  'POST v1/internal/billing/limits': () => ({}),
  'POST v1/internal/billing/usage': () => ({ meter: 'pages', quantity: 1 }),
  'POST v1/internal/extensions/:app_id/call': () => ({ function: 'start' }),
  'POST v1/internal/capability-denials': () => ({ capability: 'notify', call: 'start' }),
  'POST v1/internal/notifications': () => ({ message: 'Hello' }),
  'POST v1/internal/task-progress': () => ({ percent: 10 }),
  'POST v1/internal/chat-messages': () => ({ message_id: newUuid(), text: 'Hello', type: 'response' }),
  'POST v1/internal/events': () => ({
    event_id: newUuid(),
    type: 'notes.made',
    data: {},
    timestamp: new Date().toISOString(),
  }),
  'POST v1/internal/run-grants/exchange': () => ({ user_ids: [admin.id] }),
  'POST v1/internal/run-grants/users': () => ({ user_ids: [admin.id] }),
  'POST v1/internal/run-grants/check': () => ({}),
};
/** Routes of the host without a grant: they concern no user, or an event that the gateway has. */
const WITHOUT = [
  'GET v1/internal/app-runtimes',
  'GET v1/internal/apps/:app_id/runtime',
  'GET v1/internal/apps/:app_id/documents/:sha256',
  'POST v1/internal/events/audience',
  'POST v1/internal/events/subscribers',
  'POST v1/internal/run-grants',
];
/**
 * Routes of the Registry, not of the host: about an API key, and about the apps in a user's
 * catalog.
 */
const OF_OTHERS = ['POST v1/internal/api-key-owners', 'POST v1/internal/withheld-apps'];
/** Only records the denials of a run, also after the user has removed the app. */
const TOLD_AFTERWARDS = 'POST v1/internal/capability-denials';
const target = (route: string) => `/${route.split(' ')[1] ?? ''}`.replace(':app_id', 'developer');

describe('every internal route', () => {
  const routes = (): string[] => {
    const { app } = gateway.service;
    const scanner = app.get(MetadataScanner, { strict: false });
    return app
      .get(DiscoveryService, { strict: false })
      .getControllers()
      .flatMap(({ metatype }) => {
        if (!metatype) return [];
        const bases = [Reflect.getMetadata('path', metatype) as string | string[]].flat();
        const prototype = metatype.prototype as Record<string, object>;
        return scanner.getAllMethodNames(prototype).flatMap((name) => {
          const handler = prototype[name] as object;
          const path = Reflect.getMetadata('path', handler) as string | string[] | undefined;
          if (path === undefined) return [];
          const method = RequestMethod[Reflect.getMetadata('method', handler) as RequestMethod];
          const trimmed = (part: string) => part.replace(/^\/|\/$/g, '');
          return bases.flatMap((base) =>
            [path].flat().map((one) => `${method} ${[base, one].map(trimmed).filter(Boolean).join('/')}`),
          );
        });
      })
      .filter((route) => route.includes(' v1/internal'));
  };

  it('takes a grant, or is about no user', () => {
    expect(routes().sort()).toEqual([...Object.keys(BODIES), ...WITHOUT, ...OF_OTHERS].sort());
  });

  it('refuses the grant of another app, of another user, and what is none', async () => {
    const [appId, other] = [await newApp(), await newApp()];
    const user = await gateway.user();
    await install(appId, user.id);
    const { id: tenant_id } = await createTenant(asHost);
    const good = contentOf(await grant(appId, { userId: user.id }));
    const foreignKey = parseKeyring(`k1:${randomBytes(32).toString('base64')}`);
    const forged = [
      ...[good, { ...good, userId: admin.id }, { ...good, appId: other }].map((content) =>
        sealGrant(foreignKey, content),
      ),
      'guessed',
      await grant(appId, { userId: user.id, expiresAt: Date.now() - 25 * 3_600_000 }),
    ];
    const revoked = await Promise.all([
      grant(other, { userId: user.id }),
      grant(appId, { userId: admin.id }),
      grant(appId, { userId: user.id, tenantId: tenant_id }),
      grant(appId, { tenantId: tenant_id }),
      grant(appId, { userId: 'usr_nobody' }),
      grant('no-such-app'),
      grant(appId, { userId: user.id, version: '0.0.1' }),
      grant(appId, { userId: user.id, sha256: (await versionOf(other)).sha256 }),
    ]);
    for (const [route, body] of Object.entries(BODIES)) {
      for (const [at, text] of [...forged, ...(route === TOLD_AFTERWARDS ? [] : revoked)].entries()) {
        const { status } = await asHost.post(target(route), { ...body(), grant: text });
        expect([route, at, status]).toEqual([route, at, 403]);
      }
      for (const missing of [undefined, null, 7, [], {}]) {
        expect([route, (await asHost.post(target(route), { ...body(), grant: missing })).status]).toEqual([route, 422]);
      }
    }
    expect((await notify(await grant(appId, { userId: user.id }))).status).toBe(200);
  });

  it('that takes none says nothing else when a user is named, or refuses', async () => {
    const appId = await newApp();
    const { sha256 } = await versionOf(appId);
    const acting = asHost.withHeaders({ 'X-Acting-User': admin.id });
    for (const path of [`apps/${appId}/runtime`, `apps/${appId}/documents/${sha256}`]) {
      expect((await acting.get(internal(path))).status).toBe(403);
      expect((await asHost.get(`${internal(path)}?user_id=${admin.id}`)).body).toEqual(
        (await asHost.get(internal(path))).body,
      );
    }
  });
});
