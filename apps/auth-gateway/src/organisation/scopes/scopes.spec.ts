import type { ScopeResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
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
async function create(body: Record<string, unknown> = {}): Promise<ScopeResponse> {
  const answer = await admin.post<ScopeResponse>('/v1/scopes', {
    resource: `thing-${++made}`,
    action: 'read',
    ...body,
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

const list = async (query = '', client = admin) => (await client.get<ScopeResponse[]>(`/v1/scopes?${query}`)).body;

describe('a scope', () => {
  it('is created, shown, changed and deleted', async () => {
    const scope = await create({ resource: 'invoices', description: 'Money owed' });
    expect(scope).toEqual({
      id: expect.any(Number),
      name: 'invoices:read',
      resource: 'invoices',
      action: 'read',
      display_name: 'invoices:read',
      description: 'Money owed',
      source: 'platform',
      source_id: null,
      is_system: false,
      tenant_id: '_platform_',
      created_at: expect.any(String),
    });
    expect(await list('resource=invoices')).toEqual([scope]);
    expect(await list('resource=invoices&source=tenant')).toEqual([]);
    const changed = await admin.patch<ScopeResponse>(`/v1/scopes/${scope.id}`, { display_name: 'See invoices' });
    expect(changed).toMatchObject({ status: 200, body: { display_name: 'See invoices', description: 'Money owed' } });
    expect(await admin.delete(`/v1/scopes/${scope.id}`)).toMatchObject({
      status: 200,
      body: { status: 'deleted', id: scope.id },
    });
    expect(await admin.delete(`/v1/scopes/${scope.id}`)).toMatchObject({
      status: 404,
      body: { code: 'scope.not_found' },
    });
    expect((await admin.patch(`/v1/scopes/${scope.id}`, {})).status).toBe(404);
  });

  it('of the platform itself is listed and stays', async () => {
    const system = (await list('resource=users')).find(({ name }) => name === 'users:read') as ScopeResponse;
    expect(system.is_system).toBe(true);
    for (const answer of [
      await admin.delete(`/v1/scopes/${system.id}`),
      await admin.patch(`/v1/scopes/${system.id}`, { description: 'x' }),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'scope.system' } });
    }
  });

  it('stays while a role gives it, or a user holds it or is denied it', async () => {
    for (const column of ['scopes', 'denied_scopes']) {
      const { id, name } = await create();
      const user = await gateway.user({ [column]: [name] });
      expect(await admin.delete(`/v1/scopes/${id}`)).toMatchObject({ status: 409, body: { code: 'scope.in_use' } });
      await gateway.service.query(`UPDATE users SET ${column} = '{}' WHERE id = $1`, [user.id]);
      expect((await admin.delete(`/v1/scopes/${id}`)).status).toBe(200);
    }
    const { id, name } = await create();
    await admin.post('/v1/roles', { name: `role-${made}`, default_scopes: [name] });
    expect((await admin.delete(`/v1/scopes/${id}`)).status).toBe(409);
  });

  it('is one of its name, of 50 made at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => admin.post('/v1/scopes', { resource: 'race', action: 'run' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  });

  it.each([
    ['no resource', { resource: undefined }, 'resource', 'missing'],
    ['a resource in capitals', { resource: 'Users' }, 'resource', 'string_pattern_mismatch'],
    ['an action with a space', { action: 'read it' }, 'action', 'string_pattern_mismatch'],
    ['is_system', { is_system: true }, 'is_system', 'extra_forbidden'],
  ])('is refused with %s', async (_what, changes, key, type) => {
    const answer = await admin.post('/v1/scopes', { resource: 'things', action: 'do', ...changes });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', key], type }] } });
  });

  it.each(['x', '0', '-1', '1.5', '99999999999'])('has no id %s', async (id) => {
    expect(await admin.delete(`/v1/scopes/${id}`)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['path', 'scope_id'] }] },
    });
  });

  it('is no business of who does not hold scopes:read and scopes:write', async () => {
    const reader = await gateway.signIn(await gateway.user({ scopes: ['scopes:read'] }));
    expect((await reader.get('/v1/scopes')).status).toBe(200);
    expect((await reader.post('/v1/scopes', { resource: 'a', action: 'b' })).status).toBe(403);
    expect((await (await gateway.signIn(await gateway.user())).get('/v1/scopes')).status).toBe(403);
    expect((await gateway.client().get('/v1/scopes')).status).toBe(401);
  });
});

describe('another tenant', () => {
  it('has scopes of its own, sees those of everybody, and touches neither ours nor theirs', async () => {
    const tenant = `acme-${++made}`;
    await gateway.backend().post('/v1/tenants', { tenant_id: tenant, name: 'Acme' });
    const theirs = await gateway.backend().post<{ id: string }>(`/v1/users?tenant_id=${tenant}`, {
      email: gateway.newEmail(),
      password: 'correct horse battery',
      role: 'admin',
    });
    expect(theirs.status).toBe(201);
    const client = gateway.actingFor(theirs.body.id);
    const shared = await create();
    const ours = await create({ tenant_id: 'default' });
    const own = await client.post<ScopeResponse>('/v1/scopes', { resource: 'own', action: 'read' });
    expect(own).toMatchObject({ status: 201, body: { tenant_id: tenant, source: 'tenant' } });
    const names = (await list('', client)).map(({ id }) => id);
    expect(names).toEqual(expect.arrayContaining([shared.id, own.body.id]));
    expect(names).not.toContain(ours.id);
    expect((await client.delete(`/v1/scopes/${ours.id}`)).status).toBe(404);
    expect((await client.delete(`/v1/scopes/${shared.id}`)).status).toBe(403);
    expect((await admin.delete(`/v1/scopes/${own.body.id}`)).status).toBe(404);
  });

  it('makes scopes for nobody else', async () => {
    const tenant = await createTenant(gateway.backend());
    const client = await gateway.signIn(await gateway.user({ tenant_id: tenant.id, role: 'admin' }));
    for (const tenant_id of ['_platform_', 'default', 'never-there', 'Not an id']) {
      const answer = await client.post('/v1/scopes', { resource: 'theirs', action: 'read', tenant_id });
      expect(answer).toMatchObject({ status: 403, body: { code: 'other_tenant' } });
    }
    expect(await list('resource=theirs')).toEqual([]);
    const named = await client.post<ScopeResponse>('/v1/scopes', {
      resource: 'named',
      action: 'read',
      tenant_id: tenant.id,
    });
    expect(named).toMatchObject({ status: 201, body: { tenant_id: tenant.id } });
  });
});

describe('who runs the platform', () => {
  it('makes scopes for any tenant by naming it', async () => {
    const { id: tenant_id } = await createTenant(gateway.backend());
    const made = await create({ resource: 'sent-there', tenant_id });
    expect(made).toMatchObject({ tenant_id, source: 'tenant' });
    expect(await list('resource=sent-there')).toEqual([]);
    const there = gateway.backend();
    expect((await there.get(`/v1/scopes?tenant_id=${tenant_id}&resource=sent-there`)).body).toEqual([made]);
    const shared = await there.post(`/v1/scopes?tenant_id=${tenant_id}`, {
      resource: 'for-all',
      action: 'read',
      tenant_id: '_platform_',
    });
    expect(shared).toMatchObject({ status: 201, body: { tenant_id: '_platform_' } });
    for (const unknown of ['never-there', 'Not an id']) {
      const answer = await admin.post('/v1/scopes', { resource: 'x', action: 'read', tenant_id: unknown });
      expect(answer).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'tenant_id'], type: 'value_error' }] },
      });
    }
  });
});
