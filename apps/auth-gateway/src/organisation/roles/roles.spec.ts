import type { RoleResponse, UpdatedRoleResponse, UserResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { newId } from '@platform/platform';
import { GatewayTest } from '../../testing/gateway-test.js';
import { createTenant } from '../../testing/tenants.js';

let gateway: GatewayTest;
let admin: TestClient;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
});
afterAll(() => gateway.stop());

let made = 0;
async function create(body: Record<string, unknown> = {}, client = admin): Promise<RoleResponse> {
  const answer = await client.post<RoleResponse>('/v1/roles', { name: `role-${++made}`, ...body });
  expect(answer.status).toBe(201);
  return answer.body;
}

const stored = async (id: string) => (await gateway.service.query('SELECT * FROM roles WHERE id = $1', [id]))[0];

describe('a role', () => {
  it('is created with defaults, listed, changed and deleted', async () => {
    const role = await create({ name: 'support' });
    expect(role).toEqual({
      id: expect.stringMatching(/^rol_/),
      tenant_id: 'default',
      name: 'support',
      display_name: 'support',
      default_scopes: [],
      default_attributes: {},
      default_extensions: [],
      confirmation_policy: 'default_off',
      max_concurrent_tasks: 3,
      monthly_action_limit: 500,
      context_window: 20,
      is_system: false,
      created_at: expect.any(String),
    });
    const { body: list } = await admin.get<RoleResponse[]>('/v1/roles');
    expect(list.map(({ name }) => name)).toEqual(expect.arrayContaining(['admin', 'support', 'user']));
    const changed = await admin.patch<UpdatedRoleResponse>(`/v1/roles/${role.id}`, {
      display_name: 'Support',
      monthly_action_limit: 0,
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { display_name: 'Support', monthly_action_limit: 0, context_window: 20, cascaded_count: 0 },
    });
    expect(await admin.delete(`/v1/roles/${role.id}`)).toMatchObject({
      status: 200,
      body: { status: 'deleted', id: role.id },
    });
    expect(await stored(role.id)).toBeUndefined();
    expect(await admin.delete(`/v1/roles/${role.id}`)).toMatchObject({ status: 404, body: { code: 'role.not_found' } });
  });

  it('counts for its users at once, in every process', async () => {
    const role = await create({ default_scopes: ['users:read'] });
    const client = await gateway.signIn(await gateway.user({ role: role.name }));
    const scopes = async () => (await client.get<UserResponse>('/v1/auth/me')).body.scopes;
    expect(await scopes()).toEqual(['users:read']);
    expect((await client.get('/v1/users')).status).toBe(200);
    await admin.patch(`/v1/roles/${role.id}`, { default_scopes: [] });
    expect(await scopes()).toEqual([]);
    expect(await client.get('/v1/users')).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  });

  it('brings its users in line with cascade, and says how many they are', async () => {
    const role = await create({ default_scopes: ['users:read'] });
    const users = await Promise.all(
      [1, 2, 3].map(() =>
        gateway.user({ role: role.name, scopes: ['roles:read'], attributes: { plan: 'old', own: 1 } }),
      ),
    );
    const other = await gateway.user({ scopes: ['roles:read'] });
    const path = `/v1/roles/${role.id}?cascade=true`;
    const { body } = await admin.patch<UpdatedRoleResponse>(path, { default_attributes: { plan: 'new' } });
    expect(body.cascaded_count).toBe(3);
    for (const { id } of users) {
      expect(await gateway.service.query('SELECT scopes, attributes FROM users WHERE id = $1', [id])).toEqual([
        { scopes: [], attributes: { plan: 'new', own: 1 } },
      ]);
    }
    expect(await gateway.service.query('SELECT scopes FROM users WHERE id = $1', [other.id])).toEqual([
      { scopes: ['roles:read'] },
    ]);
  });

  it('gives new users its default attributes, which their own are written over', async () => {
    const role = await create({ default_attributes: { plan: 'basic', seats: 3 } });
    const user = (body: object) => ({
      email: gateway.newEmail(),
      password: 'correct horse battery',
      role: role.name,
      ...body,
    });
    const attributes = async (body: object) =>
      (await admin.post<{ attributes: Record<string, unknown> }>('/v1/users', user(body))).body.attributes;
    expect(await attributes({})).toEqual({ plan: 'basic', seats: 3 });
    expect(await attributes({ attributes: { plan: 'own', beta: true } })).toEqual({
      plan: 'own',
      seats: 3,
      beta: true,
    });
  });

  it('gives its default attributes to whom a trusted backend registers, in their tenant alone', async () => {
    const [one, other] = [await createTenant(gateway.backend()), await createTenant(gateway.backend())];
    const inTenant = 'UPDATE roles SET default_attributes = $2 WHERE tenant_id = $1 AND name = $3';
    await gateway.service.query(inTenant, [one.id, { plan: 'basic' }, 'user']);
    const registered = async (tenant_id: string) => {
      const email = gateway.newEmail();
      await gateway.backend().post('/v1/auth/register', { email, password: 'correct horse battery', tenant_id });
      const [user] = await gateway.service.query<{ attributes: object }>(
        'SELECT attributes FROM users WHERE email = $1',
        [email],
      );
      return user?.attributes;
    };
    expect(await registered(one.id)).toEqual({ plan: 'basic' });
    expect(await registered(other.id)).toEqual({});
  });

  it('cannot be deleted while somebody has it, or when it belongs to the platform', async () => {
    const role = await create();
    await gateway.user({ role: role.name });
    expect(await admin.delete(`/v1/roles/${role.id}`)).toMatchObject({ status: 409, body: { code: 'role.in_use' } });
    const [system] = await gateway.service.query<{ id: string }>("SELECT id FROM roles WHERE name = 'admin'");
    expect(await admin.delete(`/v1/roles/${system?.id}`)).toMatchObject({ status: 403, body: { code: 'role.system' } });
    const weakened = await admin.patch(`/v1/roles/${system?.id}`, { default_scopes: [] });
    expect(weakened).toMatchObject({ status: 403, body: { code: 'role.system' } });
  });

  it('is one of its name, of 50 made at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => admin.post('/v1/roles', { name: 'race' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  });

  it.each([
    ['no name', { name: undefined }, 'name', 'missing'],
    ['a name with a space', { name: 'two words' }, 'name', 'string_pattern_mismatch'],
    ['an unknown policy', { confirmation_policy: 'maybe' }, 'confirmation_policy', 'literal_error'],
    ['too many tasks', { max_concurrent_tasks: 51 }, 'max_concurrent_tasks', 'less_than_equal'],
    ['a window of 4', { context_window: 4 }, 'context_window', 'greater_than_equal'],
    ['half a task', { max_concurrent_tasks: 1.5 }, 'max_concurrent_tasks', 'int_type'],
    ['scopes that are none', { default_scopes: ['everything'] }, 'default_scopes', 'value_error'],
    ['an id', { id: 'rol_x' }, 'id', 'extra_forbidden'],
    ['is_system', { is_system: true }, 'is_system', 'extra_forbidden'],
  ])('is refused with %s', async (_what, changes, key, type) => {
    const answer = await admin.post('/v1/roles', { name: `role-${++made}`, ...changes });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', key], type }] } });
  });
});

describe('who may change roles', () => {
  it('is who holds the scope, or a trusted backend', async () => {
    const user = await gateway.signIn(await gateway.user());
    for (const client of [gateway.client(), user]) {
      const status = client === user ? 403 : 401;
      expect((await client.get('/v1/roles')).status).toBe(status);
      expect((await client.post('/v1/roles', { name: 'x' })).status).toBe(status);
    }
    expect((await gateway.backend().get('/v1/roles')).status).toBe(200);
  });

  it('gives nothing that they do not hold, and touches nothing that is more than theirs', async () => {
    const manager = await gateway.signIn(await gateway.user({ scopes: ['roles:read', 'roles:write', 'users:read'] }));
    expect((await manager.post('/v1/roles', { name: 'equal', default_scopes: ['users:read'] })).status).toBe(201);
    for (const scopes of [['*'], ['users:*'], ['users:write']]) {
      const answer = await manager.post('/v1/roles', { name: 'more', default_scopes: scopes });
      expect(answer).toMatchObject({ status: 403, body: { code: 'privilege_escalation' } });
    }
    const stronger = await create({ default_scopes: ['tenants:write'] });
    expect((await manager.patch(`/v1/roles/${stronger.id}`, { default_scopes: [] })).status).toBe(403);
    expect((await manager.delete(`/v1/roles/${stronger.id}`)).status).toBe(403);
    expect(await stored(stronger.id)).toMatchObject({ default_scopes: ['tenants:write'] });
  });

  it('takes no grants in a cascade that they do not hold', async () => {
    const role = await create({ default_scopes: [] });
    const stronger = await gateway.user({ role: role.name, scopes: ['tenants:write'] });
    const manager = await gateway.signIn(await gateway.user({ scopes: ['roles:write'] }));
    const answer = await manager.patch(`/v1/roles/${role.id}?cascade=true`, { display_name: 'Mine' });
    expect(answer).toMatchObject({ status: 403, body: { code: 'privilege_escalation' } });
    expect(await stored(role.id)).toMatchObject({ display_name: role.name });
    expect(await gateway.service.query('SELECT scopes FROM users WHERE id = $1', [stronger.id])).toEqual([
      { scopes: ['tenants:write'] },
    ]);
  });

  it('is nobody of another tenant', async () => {
    const tenant = `t-${newId('x').slice(-8)}`;
    await gateway.service.query('INSERT INTO tenants (id, name) VALUES ($1, $1)', [tenant]);
    await gateway.service.query(
      "INSERT INTO roles (id, tenant_id, name, display_name, default_scopes) VALUES ($1, $2, 'admin', 'A', '{*}')",
      [newId('rol'), tenant],
    );
    const stranger = await gateway.user({ role: 'admin', tenant_id: tenant });
    const pair = await gateway.client().post<{ access_token: string }>('/v1/auth/login', {
      email: stranger.email,
      password: 'correct horse battery',
      tenant_id: tenant,
    });
    const client = gateway.client().withToken(pair.body.access_token);
    const role = await create();
    expect((await client.get<RoleResponse[]>('/v1/roles')).body.map(({ tenant_id }) => tenant_id)).toEqual([tenant]);
    const foreign = await client.patch(`/v1/roles/${role.id}`, { display_name: 'mine' });
    const unknown = await client.patch('/v1/roles/rol_unknown', { display_name: 'mine' });
    expect(foreign.status).toBe(404);
    expect({ ...(foreign.body as object), request_id: '' }).toEqual({ ...(unknown.body as object), request_id: '' });
    expect((await client.delete(`/v1/roles/${role.id}`)).status).toBe(404);
    expect(await stored(role.id)).toMatchObject({ display_name: role.name });
  });
});
