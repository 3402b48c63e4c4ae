import type { AccessPolicy, ExtensionUsersResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { createApp, newAppId } from '../../testing/apps.js';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';
import { createTenant } from '../../testing/tenants.js';
import { ConversationsService } from '../user-extensions/conversations.service.js';

let gateway: GatewayTest;
let admin: TestClient;
let adminId: string;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  const user = await gateway.user({ role: 'admin' });
  adminId = user.id;
  admin = await gateway.signIn(user);
  await gateway.user({ scopes: ['invoices:*'] });
  await admin.post('/v1/roles', { name: 'guest' });
});
afterAll(() => gateway.stop());

const OPEN = { mode: 'public', required_scopes: [], exceptions: { denied_roles: [], denied_users: [] } };
const policies = (query = '', as = gateway.backend()) =>
  as.get<Record<string, AccessPolicy>>(`/v1/extensions/access${query}`);
const put = (appId: string, body: object, as = admin, query = '') =>
  as.put(`/v1/extensions/${appId}/access${query}`, body);
const get = (appId: string, as = admin) => as.get(`/v1/extensions/${appId}/access`);
const users = (appId: string, query = '', as = admin) =>
  as.get<ExtensionUsersResponse>(`/v1/extensions/${appId}/users${query}`);
/** Inserts the install as the feed from the Registry does. */
const has = ({ id, tenant_id = 'default' }: TestUser, appId: string) =>
  gateway.service.query(
    'INSERT INTO installs (user_id, app_id, tenant_id, revision, installed_at) VALUES ($1, $2, $3, 1, now())',
    [id, appId, tenant_id],
  );

describe('who may call an app', () => {
  it('is everybody, until an administrator says otherwise', async () => {
    const { app_id } = await createApp(gateway);
    expect(await get(app_id)).toMatchObject({ status: 200, body: { app_id, ...OPEN } });
    expect((await policies()).body).not.toHaveProperty(app_id);
    const { id: denied } = await gateway.user();
    const rule = {
      mode: 'restricted',
      required_scopes: ['invoices:read'],
      denied_roles: ['guest'],
      denied_users: [denied],
    };
    const policy = {
      mode: 'restricted',
      required_scopes: ['invoices:read'],
      exceptions: { denied_roles: ['guest'], denied_users: [denied] },
    };
    expect(await put(app_id, rule)).toMatchObject({ status: 200, body: { app_id, ...policy } });
    expect((await get(app_id)).body).toEqual({ app_id, ...policy });
    expect((await policies()).body[app_id]).toEqual(policy);
    expect((await put(app_id, { mode: 'public' })).body).toEqual({ app_id, ...OPEN });
    const entries = await gateway.service.query(
      "SELECT * FROM gateway_audit.audit_entries WHERE action = 'extension.access_changed' AND target_id = $1 ORDER BY id",
      [app_id],
    );
    expect(entries).toMatchObject([
      { actor_id: adminId, tenant_id: 'default', before_state: { mode: 'public' }, after_state: rule },
      { actor_id: adminId, before_state: rule, after_state: { mode: 'public', required_scopes: [] } },
    ]);
  });

  it('is a matter of each tenant', async () => {
    const { app_id } = await createApp(gateway);
    const { id: tenant_id } = await createTenant(gateway.backend());
    const foreign = await gateway.signIn(await gateway.user({ tenant_id, role: 'admin' }));
    await put(app_id, { mode: 'public', denied_roles: ['guest'] });
    expect((await get(app_id, foreign)).body).toEqual({ app_id, ...OPEN });
    expect((await policies(`?tenant_id=${tenant_id}`)).body).toEqual({});
    await put(
      app_id,
      { mode: 'restricted', required_scopes: ['users:read'] },
      gateway.backend(),
      `?tenant_id=${tenant_id}`,
    );
    expect(Object.keys((await policies(`?tenant_id=${tenant_id}`)).body)).toEqual([app_id]);
    expect((await get(app_id)).body).toMatchObject({ mode: 'public', exceptions: { denied_roles: ['guest'] } });
  });

  it.each([
    ['no mode', {}, 'mode'],
    ['an unknown mode', { mode: 'private' }, 'mode'],
    ['a restriction to nothing', { mode: 'restricted' }, 'required_scopes'],
    ['scopes of an open app', { mode: 'public', required_scopes: ['a:b'] }, 'required_scopes'],
    ['scopes that are none', { mode: 'restricted', required_scopes: ['everything'] }, 'required_scopes'],
    ['too many scopes', { mode: 'restricted', required_scopes: Array(51).fill('a:b') }, 'required_scopes'],
    ['roles that are none', { mode: 'public', denied_roles: [1] }, 'denied_roles'],
    ['users that are none', { mode: 'public', denied_users: 'usr_1' }, 'denied_users'],
  ])('is refused with %s', async (_what, body, key) => {
    const { app_id } = await createApp(gateway);
    expect(await put(app_id, body)).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', key] }] } });
  });

  it('names only what there is: who is mistyped would be let in', async () => {
    const { app_id } = await createApp(gateway);
    const { id: tenant_id } = await createTenant(gateway.backend());
    const foreign = await gateway.user({ tenant_id, scopes: ['payroll:run'] });
    await admin.post('/v1/roles', { name: 'clerk', default_scopes: ['ledger:post', 'archive:*', 'vault.open'] });
    await admin.post('/v1/scopes', { resource: 'reports', action: 'print' });
    const there = [
      'users:read',
      'users.read',
      'users:*',
      'invoices:read',
      'invoices:*',
      'ledger:post',
      'archive:see',
      'reports:print',
    ];
    const spelledOtherwise = ['invoices.read', 'ledger.post', 'archive.see', 'reports.print', 'vault:open'];
    const known = [...there, ...spelledOtherwise, `${app_id}:read`, 'extensions:call'];
    expect(
      (await put(app_id, { mode: 'restricted', required_scopes: known, denied_roles: ['clerk', 'user'] })).status,
    ).toBe(200);
    const before = (await get(app_id)).body;
    const refused = (key: string, msg: string) => ({ loc: ['body', key], msg, type: 'value_error' });
    const unheld = (scope: string) =>
      refused('required_scopes', `There is no scope ${scope}, and no user of the tenant has it`);
    const required_scopes = ['users:read', 'users:fly', 'payroll:run', 'ledger:read', 'archives:see', 'nothing:*'];
    const denied = { denied_roles: ['gest', 'guest', 'gest'], denied_users: ['usr_1', adminId, foreign.id] };
    expect(await put(app_id, { mode: 'restricted', required_scopes, ...denied })).toMatchObject({
      status: 422,
      body: {
        detail: [
          ...['users:fly', 'payroll:run', 'ledger:read', 'archives:see', 'nothing:*'].map(unheld),
          refused('denied_roles', 'There is no role gest in the tenant'),
          refused('denied_users', 'There is no user usr_1 in the tenant'),
          refused('denied_users', `There is no user ${foreign.id} in the tenant`),
        ],
      },
    });
    expect((await get(app_id)).body).toEqual(before);
    const ofTenant = { mode: 'restricted', required_scopes: ['payroll:run'], denied_users: [foreign.id] };
    expect((await put(app_id, ofTenant, gateway.backend(), `?tenant_id=${tenant_id}`)).status).toBe(200);
  });

  it('is changed as it stands, also where it names what has gone', async () => {
    const { app_id } = await createApp(gateway);
    const { id: tenant_id } = await createTenant(gateway.backend());
    const holder = await gateway.user({ tenant_id, scopes: ['partners:use'] });
    const denied = await gateway.user({ tenant_id });
    const ofTenant = `?tenant_id=${tenant_id}`;
    await gateway.backend().post(`/v1/roles${ofTenant}`, { name: 'interns', default_scopes: [] });
    const rule = {
      mode: 'restricted',
      required_scopes: ['partners:use'],
      denied_roles: ['interns'],
      denied_users: [] as string[],
    };
    expect((await put(app_id, rule, gateway.backend(), ofTenant)).status).toBe(200);
    await gateway.service.query("DELETE FROM roles WHERE tenant_id = $1 AND name = 'interns'", [tenant_id]);
    await gateway.service.query("UPDATE users SET scopes = '{}' WHERE id = $1", [holder.id]);

    const more = { ...rule, denied_users: [denied.id] };
    expect(await put(app_id, more, gateway.backend(), ofTenant)).toMatchObject({
      status: 200,
      body: { required_scopes: ['partners:use'], exceptions: { denied_roles: ['interns'], denied_users: [denied.id] } },
    });
    const mistyped = {
      ...more,
      required_scopes: ['partners:use', 'partners:see'],
      denied_roles: ['interns', 'intern'],
    };
    expect(await put(app_id, mistyped, gateway.backend(), ofTenant)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'required_scopes'] }, { loc: ['body', 'denied_roles'] }] },
    });
    expect((await put(app_id, { mode: 'public' }, gateway.backend(), ofTenant)).status).toBe(200);
    expect((await put(app_id, rule, gateway.backend(), ofTenant)).status).toBe(422);
  });

  it('is said by administrators and trusted backends, listed for backends, and not for what others draft', async () => {
    const { app_id } = await createApp(gateway);
    const client = await gateway.signIn(await gateway.user({ scopes: ['*'] }));
    for (const answer of [
      await put(app_id, { mode: 'public' }, client),
      await get(app_id, client),
      await users(app_id, '', client),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    }
    for (const as of [client, admin]) expect((await policies('', as)).status).toBe(401);
    expect((await policies('?tenant_id=UPPER')).status).toBe(422);
    const { app_id: draft } = await createApp(gateway, { status: 'draft' });
    const missing = { status: 404, body: { code: 'extension.not_found' } };
    for (const id of [draft, newAppId()]) {
      for (const answer of [await put(id, { mode: 'public' }), await get(id), await users(id)])
        expect(answer).toMatchObject(missing);
    }
  });

  it('comes in pages', async () => {
    const { id: tenant_id } = await createTenant(gateway.backend());
    const apps = (await Promise.all([1, 2, 3].map(() => createApp(gateway)))).map(({ app_id }) => app_id).sort();
    for (const id of apps) await put(id, { mode: 'public' }, gateway.backend(), `?tenant_id=${tenant_id}`);
    const page = async (query: string) => Object.keys((await policies(`?tenant_id=${tenant_id}&${query}`)).body);
    expect([await page('limit=2'), await page('limit=2&offset=2')]).toEqual([apps.slice(0, 2), apps.slice(2)]);
  });
});

describe('who has an app', () => {
  it('is shown for one’s own tenant, with whether they may call it', async () => {
    const { app_id } = await createApp(gateway);
    const { id: tenant_id } = await createTenant(gateway.backend());
    const [holder, guest, denied] = [
      await gateway.user({ scopes: ['invoices:*'] }),
      await gateway.user(),
      await gateway.user({ scopes: ['*'] }),
    ];
    const foreign = await gateway.user({ tenant_id });
    const inactive = await gateway.user({ is_active: false });
    for (const user of [holder, guest, denied, foreign, inactive]) await has(user, app_id);
    const removed = await gateway.user();
    await has(removed, app_id);
    await gateway.service.query('UPDATE installs SET removed_at = now() WHERE user_id = $1', [removed.id]);
    await put(app_id, { mode: 'restricted', required_scopes: ['invoices:read'], denied_users: [denied.id] });
    const row = ({ id, email }: TestUser, access: string) => ({ id, platform_id: id, email, role: 'user', access });
    const all = [row(holder, 'granted'), row(guest, 'denied'), row(denied, 'denied')].sort((a, b) =>
      a.id < b.id ? -1 : 1,
    );
    expect((await users(app_id)).body).toEqual({ users: all });
    expect((await users(app_id, '?limit=2&offset=1')).body).toEqual({ users: all.slice(1) });
    expect((await users(app_id, `?tenant_id=${tenant_id}`)).status).toBe(422);
    expect((await users(app_id, `?tenant_id=${tenant_id}`, gateway.backend())).body).toEqual({
      users: [row(foreign, 'granted')],
    });
    for (const wrong of ['limit=0', 'limit=201', 'offset=-1'])
      expect((await users(app_id, `?${wrong}`)).status).toBe(422);
  });

  it('is everybody for what is the platform’s own', async () => {
    const { app_id } = await createApp(gateway, { system: true });
    const { id: tenant_id } = await createTenant(gateway.backend());
    const members = [await gateway.user({ tenant_id }), await gateway.user({ tenant_id })];
    const { body } = await users(app_id, `?tenant_id=${tenant_id}`, gateway.backend());
    expect(body.users.map(({ id }) => id)).toEqual(members.map(({ id }) => id));
  });
});

describe('resetting a conversation', () => {
  const reset = (userId: string, as = admin) => as.post(`/v1/users/${userId}/reset-conversation`);

  it('says honestly that nothing was kept, and stays signed in', async () => {
    const user = await gateway.user();
    const client = await gateway.signIn(user);
    const { app_id } = await createApp(gateway);
    await has(user, app_id);
    expect(await reset(user.id)).toMatchObject({
      status: 200,
      body: { status: 'reset', keys_deleted: 0, session_restarted: false },
    });
    expect((await client.get('/v1/auth/me')).status).toBe(200);
    expect(
      await gateway.service.query('SELECT 1 FROM installs WHERE user_id = $1 AND removed_at IS NULL', [user.id]),
    ).toHaveLength(1);
    const entries = await gateway.service.query(
      "SELECT * FROM gateway_audit.audit_entries WHERE action = 'conversation.reset' AND target_id = $1",
      [user.id],
    );
    expect(entries).toMatchObject([{ actor_id: adminId, metadata: { keys_deleted: 0, session_restarted: false } }]);
  });

  it('clears what every feature keeps, of this user alone', async () => {
    const [user, other] = [await gateway.user(), await gateway.user()];
    const kept = new Map([
      [user.id, 3],
      [other.id, 5],
    ]);
    const conversations = gateway.service.app.get(ConversationsService);
    conversations.registerStore((id) => {
      const keysDeleted = kept.get(id) ?? 0;
      kept.delete(id);
      return Promise.resolve({ keysDeleted, sessionEnded: false });
    });
    conversations.registerStore((id) =>
      Promise.resolve({ keysDeleted: id === user.id ? 1 : 0, sessionEnded: id === user.id }),
    );
    expect((await reset(user.id, gateway.backend())).body).toEqual({
      status: 'reset',
      keys_deleted: 4,
      session_restarted: true,
    });
    expect([...kept.keys()]).toEqual([other.id]);
  });

  it('is for administrators of the tenant and trusted backends', async () => {
    const user = await gateway.user();
    const { id: tenant_id } = await createTenant(gateway.backend());
    const foreign = await gateway.signIn(await gateway.user({ tenant_id, role: 'admin' }));
    expect(await reset(user.id, await gateway.signIn(user))).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
    expect((await reset(user.id, gateway.client())).status).toBe(401);
    expect(await reset(user.id, foreign)).toMatchObject({ status: 404, body: { code: 'user.not_found' } });
    expect(await reset('usr_unknown')).toMatchObject({ status: 404, body: { code: 'user.not_found' } });
    expect((await reset(user.id, gateway.backend())).status).toBe(200);
  });
});
