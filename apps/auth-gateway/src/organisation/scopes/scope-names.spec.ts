import type {
  EffectiveScopesResponse,
  RoleResponse,
  ScopeResponse,
  UserDetailResponse,
  UserResponse,
} from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { newId } from '@platform/platform';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';
import { createTenant } from '../../testing/tenants.js';
import { seedScopes } from './system-scopes.js';
import { DataSource } from 'typeorm';

let gateway: GatewayTest;
let admin: TestClient;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
});
afterAll(() => gateway.stop());

/** A user with these scopes in a new tenant. */
async function holder(
  changes: Record<string, unknown> = {},
): Promise<{ user: TestUser; client: TestClient; tenantId: string }> {
  const { id: tenantId } = await createTenant(gateway.backend());
  const user = await gateway.user({ tenant_id: tenantId, ...changes });
  return { user, client: await gateway.signIn(user), tenantId };
}
const held = async (client: TestClient) => (await client.get<UserResponse>('/v1/auth/me')).body.scopes;
const stored = (name: string) =>
  gateway.service.query('SELECT 1 FROM scopes WHERE name = $1 AND NOT is_system', [name]);

const NOT_OWN: [string, object][] = [
  ['everything by name', { resource: 'mine', action: 'read', name: '*' }],
  ['a wildcard by name', { resource: 'mine', action: 'read', name: 'users:*' }],
  ['a wildcard of its own', { resource: 'mine', action: '*' }],
  ['a scope of the platform by name', { resource: 'mine', action: 'read', name: 'users:write' }],
  ['the older spelling of one', { resource: 'mine', action: 'read', name: 'users.write' }],
  ['the older spelling of its own', { resource: 'mine', action: 'read', name: 'mine.read' }],
  ['a resource of the platform', { resource: 'users', action: 'export' }],
  ['what keys are given', { resource: 'extensions', action: 'call' }],
  ['another action', { resource: 'mine', action: 'read', name: 'mine:write' }],
  ['another resource', { resource: 'mine', action: 'read', name: 'invoices:read' }],
  ['capitals', { resource: 'Users', action: 'read' }],
  ['letters that look alike', { resource: 'usеrs', action: 'read' }],
  ['a line break', { resource: 'users\n', action: 'read' }],
  ['a colon', { resource: 'users:read', action: 'x' }],
  ['the source of the platform', { resource: 'mine', action: 'read', source: 'platform' }],
];

describe('a scope', () => {
  it.each(NOT_OWN)('is not registered with %s', async (_what, body) => {
    const { client } = await holder({ role: 'admin' });
    const before = await gateway.service.query('SELECT count(*) FROM scopes');
    expect((await client.post('/v1/scopes', body)).status).toBe(422);
    expect(await gateway.service.query('SELECT count(*) FROM scopes')).toEqual(before);
  });

  it.each(NOT_OWN.slice(0, 9))('is not registered with %s by who runs the platform either', async (_what, body) => {
    for (const client of [admin, gateway.backend()]) expect((await client.post('/v1/scopes', body)).status).toBe(422);
  });

  it.each(['*', 'mine:*', 'mine:read:all', 'mine.read', 'Mine:read', 'mine:read\n', '*:read'])(
    'called %j is refused by the database',
    async (name) => {
      const [resource = '', action = name] = name.split(':');
      const insert = gateway.service.query(
        "INSERT INTO scopes (name, resource, action, display_name, source) VALUES ($1, $2, $3, '', '')",
        [name, resource, action],
      );
      await expect(insert).rejects.toThrow('scopes_name_check');
    },
  );

  it('of a resource of the platform is refused by the database', async () => {
    const insert = (sql: string) => gateway.service.query(sql);
    await expect(
      insert(
        "INSERT INTO scopes (name, resource, action, display_name, source) VALUES ('users:own', 'users', 'own', '', 'x')",
      ),
    ).rejects.toThrow("The resource users is the platform's.");
    await insert(
      "INSERT INTO scopes (name, resource, action, display_name, source) VALUES ('own:own', 'own', 'own', '', 'x')",
    );
    await expect(
      insert("UPDATE scopes SET name = 'users:own', resource = 'users' WHERE name = 'own:own'"),
    ).rejects.toThrow("The resource users is the platform's.");
  });

  it('gives way to one that the platform has by now, and the audit log tells', async () => {
    const { tenantId } = await holder();
    await gateway.service.query('ALTER TABLE scopes DISABLE TRIGGER scopes_of_own_resource');
    await gateway.service.query(
      "INSERT INTO scopes (tenant_id, name, resource, action, display_name, source) VALUES ($1, 'agencies:sell', 'agencies', 'sell', '', 'tenant')",
      [tenantId],
    );
    await gateway.service.query('ALTER TABLE scopes ENABLE TRIGGER scopes_of_own_resource');
    await seedScopes(gateway.service.app.get(DataSource));
    expect(await stored('agencies:sell')).toEqual([]);
    const log = await gateway.service.query<{ before_state: object }>(
      "SELECT before_state FROM gateway_audit.audit_entries WHERE tenant_id = $1 AND action = 'scope.deleted'",
      [tenantId],
    );
    expect(log.map(({ before_state }) => before_state)).toEqual([{ name: 'agencies:sell' }]);
  });

  it('for every tenant is made and changed by who runs the platform, not by who only holds scopes:write there', async () => {
    const writer = await gateway.signIn(await gateway.user({ scopes: ['scopes:write'] }));
    const resource = `r-${newId('x').slice(-10).toLowerCase()}`;
    const own = await writer.post<ScopeResponse>('/v1/scopes', { resource, action: 'read' });
    expect(own).toMatchObject({ status: 201, body: { tenant_id: 'default', source: 'tenant' } });
    const shared = await admin.post<ScopeResponse>('/v1/scopes', {
      resource,
      action: 'write',
      tenant_id: '_platform_',
    });
    expect(shared).toMatchObject({ status: 201, body: { tenant_id: '_platform_', source: 'platform' } });
    const path = `/v1/scopes/${shared.body.id}`;
    for (const answer of [await writer.patch(path, { description: 'x' }), await writer.delete(path)]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'scope.system' } });
    }
    expect((await writer.delete(`/v1/scopes/${own.body.id}`)).status).toBe(200);
  });
});

describe('a denial', () => {
  it('is got round by no scope that somebody registers, their own included', async () => {
    const { user, client } = await holder({ role: 'admin', denied_scopes: ['users:write'] });
    const before = await held(client);
    expect(before).not.toContain('users:write');
    for (const name of ['*', 'users:*', 'users.*', 'users:write', 'users.write']) {
      for (const [resource, action] of [['mine', 'read'], name.split(/[:.]/)]) {
        await client.post('/v1/scopes', { resource, action: action ?? 'read', name });
      }
    }
    expect(await held(client)).toEqual(before);
    expect((await client.patch(`/v1/users/${user.id}`, { denied_scopes: [] })).status).toBe(403);
  });

  it('holds whatever rows the table has', async () => {
    const { client, tenantId, user } = await holder({ role: 'admin', denied_scopes: ['users:*'] });
    await gateway.service.query('ALTER TABLE scopes DROP CONSTRAINT scopes_name_check');
    try {
      for (const name of ['*', 'users:*', 'users.read', '*:*', 'roles:*']) {
        await gateway.service.query(
          "INSERT INTO scopes (tenant_id, name, resource, action, display_name, source) VALUES ($1, $2, 'mine', 'read', '', 'tenant')",
          [tenantId, name],
        );
      }
      await gateway.service.query(
        "INSERT INTO scopes (tenant_id, name, resource, action, display_name, source) VALUES ($1, 'mine:read', 'mine', 'read', '', 'tenant')",
        [tenantId],
      );
      const scopes = await held(client);
      expect(scopes).toEqual(expect.arrayContaining(['roles:read', 'mine:read']));
      expect(scopes.filter((scope) => scope.includes('*') || scope.includes('.') || scope.startsWith('users'))).toEqual(
        [],
      );
      const effective = await gateway
        .backend()
        .get<EffectiveScopesResponse>(`/v1/scopes/effective/${user.id}?tenant_id=${tenantId}`);
      expect([...new Set(effective.body.scopes.map(({ scope }) => scope))].sort()).toEqual(scopes);
      expect((await client.get('/v1/users')).status).toBe(403);
    } finally {
      await gateway.service.query("DELETE FROM scopes WHERE tenant_id = $1 AND name <> resource || ':' || action", [
        tenantId,
      ]);
      await gateway.service.query(
        "ALTER TABLE scopes ADD CONSTRAINT scopes_name_check CHECK (name = resource || ':' || action AND name ~ '^[a-z0-9_-]{1,64}:[a-z0-9_-]{1,64}$')",
      );
    }
  });

  it('of what somebody does not hold at the moment is not lifted by themselves, in any spelling or part', async () => {
    const { user, client, tenantId } = await holder({ scopes: ['users:*'], denied_scopes: ['roles:*', 'audit.read'] });
    const path = `/v1/users/${user.id}`;
    for (const denied_scopes of [[], ['roles:write'], ['roles:*'], ['audit:read'], ['roles.write', 'audit:read']]) {
      expect(await client.patch(path, { denied_scopes })).toMatchObject({
        status: 403,
        body: { code: 'privilege_escalation' },
      });
    }
    expect((await client.patch(path, { denied_scopes: ['roles.*', 'audit:read', 'agencies:read'] })).status).toBe(200);
    expect((await client.patch(path, { denied_scopes: ['*'] })).status).toBe(200);
    const mended = await gateway
      .backend()
      .patch<UserDetailResponse>(`${path}?tenant_id=${tenantId}`, { denied_scopes: [] });
    expect(mended.body.effective_scopes).toEqual(['users:*']);
  });
});

describe('a role', () => {
  const roleOf = async (client: TestClient, name: string) =>
    (await client.get<RoleResponse[]>('/v1/roles')).body.find((role) => role.name === name) as RoleResponse;

  it.each([
    ['its limits', { monthly_action_limit: 0 }, ''],
    ['its policy', { confirmation_policy: 'disabled' }, ''],
    ['its scopes', { default_scopes: ['roles:read'] }, ''],
    ['its attributes', { default_attributes: { plan: 'all' } }, ''],
    ['its apps', { default_extensions: ['mine'] }, ''],
    ['nothing, with cascade', {}, '?cascade=true'],
  ])('is not changed by who has it, unless they may grant everything: %s', async (_what, body, query) => {
    const { client, tenantId } = await holder({ scopes: ['roles:*'] });
    const own = await gateway.backend().post<RoleResponse>(`/v1/roles?tenant_id=${tenantId}`, {
      name: 'keeper',
      default_scopes: ['roles:*'],
      confirmation_policy: 'enforced',
    });
    const keeper = await gateway.signIn(await gateway.user({ tenant_id: tenantId, role: 'keeper' }));
    const refused = { status: 403, body: { code: 'privilege_escalation' } };
    expect(await keeper.patch(`/v1/roles/${own.body.id}${query}`, body)).toMatchObject(refused);
    for (const name of ['user', 'admin']) {
      expect(await keeper.patch(`/v1/roles/${(await roleOf(keeper, name)).id}${query}`, body)).toMatchObject(refused);
      expect(await client.patch(`/v1/roles/${(await roleOf(keeper, name)).id}${query}`, body)).toMatchObject(refused);
    }
    expect(await roleOf(keeper, 'keeper')).toMatchObject(Object.assign({}, own.body));
    expect((await client.patch(`/v1/roles/${own.body.id}${query}`, body)).status).toBe(200);
    const boss = await gateway.signIn(await gateway.user({ tenant_id: tenantId, role: 'admin' }));
    expect((await boss.patch(`/v1/roles/${(await roleOf(keeper, 'user')).id}${query}`, body)).status).toBe(200);
    const cut = await gateway.signIn(
      await gateway.user({ tenant_id: tenantId, role: 'admin', denied_scopes: ['agencies:write'] }),
    );
    expect(await cut.patch(`/v1/roles/${(await roleOf(keeper, 'user')).id}${query}`, body)).toMatchObject(refused);
  });

  it('is not exchanged for another one by who has it', async () => {
    const { user, client } = await holder({ scopes: ['users:*', 'roles:*'] });
    expect(
      (await client.post('/v1/roles', { name: 'unlimited', monthly_action_limit: 0, confirmation_policy: 'disabled' }))
        .status,
    ).toBe(201);
    const path = `/v1/users/${user.id}`;
    for (const role of ['unlimited', 'admin', 'unknown']) {
      expect(await client.patch(path, { role })).toMatchObject({ status: 403, body: { code: 'privilege_escalation' } });
    }
    expect((await client.patch(path, { role: 'user' })).status).toBe(200);
  });

  it('called like that of administrators is made by nobody else', async () => {
    const { client, tenantId } = await holder({ scopes: ['roles:*'] });
    await gateway.service.query("DELETE FROM roles WHERE tenant_id = $1 AND name = 'admin'", [tenantId]);
    expect((await client.post('/v1/roles', { name: 'admin' })).status).toBe(403);
  });
});

it.each(['users', 'roles', 'extensions', 'apps', 'profile'])(
  'no app is called %s, whose scopes are the platform’s',
  async (app_id) => {
    const user = await gateway.user({ nickname: `dev-${app_id}` });
    await gateway.service.query("INSERT INTO developers (user_id, display_name) VALUES ($1, 'Ada')", [user.id]);
    const body = { app_id, name: 'X', short_description: 'X', category: 'general' };
    expect(await gateway.actingFor(user.id).post('/v1/developer/apps', body)).toMatchObject({
      status: 400,
      body: { code: 'app.id_reserved' },
    });
  },
);
