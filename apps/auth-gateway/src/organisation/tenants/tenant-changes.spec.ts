import type { CreateTenantRequest, TenantResponse, TokenResponse } from '@platform/contracts';
import { until, type TestClient } from '@platform/testing';
import { cacheCredentialsForAnHour } from '../../testing/credential-caches.js';
import { GatewayTest } from '../../testing/gateway-test.js';
import { createTenant, tenantHistory } from '../../testing/tenants.js';

let gateway: GatewayTest;
let admin: TestClient;
let adminId: string;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  const user = await gateway.user({ role: 'admin' });
  adminId = user.id;
  admin = await gateway.signIn(user);
});
afterAll(() => gateway.stop());

const create = (changes: Partial<CreateTenantRequest> = {}) => createTenant(admin, changes);
const audited = (id: string) => tenantHistory(gateway, id);
const NOT_FOUND = { status: 404, body: { code: 'tenant.not_found' } };

describe('changing a tenant', () => {
  it('changes what is given, and notes when', async () => {
    const created = await create({ features: { beta: true } });
    const changes = { name: 'Renamed', allowed_auth_methods: 'api_key', max_connections: 7, features: { gamma: 1 } };
    const { status, body } = await admin.patch<TenantResponse>(`/v1/tenants/${created.id}`, changes);
    expect(status).toBe(200);
    const updated_at = String(body.updated_at);
    expect(Date.parse(updated_at)).toBeGreaterThan(Date.parse(String(created.updated_at)));
    expect(body).toEqual(Object.assign(created, changes, { updated_at }));
    expect((await audited(created.id)).at(-1)).toMatchObject({
      action: 'tenant.updated',
      actor_id: adminId,
      before_state: {
        name: 'Acme',
        allowed_auth_methods: 'email,api_key',
        max_connections: 10,
        features: { beta: true },
      },
      after_state: changes,
    });
  });

  it('takes null for absent, and writes nothing when nothing changes', async () => {
    const created = await create();
    const same = {
      name: created.name,
      allowed_auth_methods: 'email, api_key',
      max_connections: 10,
      features: {},
      is_active: true,
    };
    const nothing = { name: null, allowed_auth_methods: null, max_connections: null, features: null, is_active: null };
    for (const request of [{}, same, nothing]) {
      expect(await admin.patch(`/v1/tenants/${created.id}`, request)).toMatchObject({ status: 200, body: created });
    }
    expect(await audited(created.id)).toHaveLength(1);
  });

  it('loses nothing when two change different things at once', async () => {
    const { id } = await create();
    await Promise.all([
      admin.patch(`/v1/tenants/${id}`, { name: 'Renamed' }),
      admin.patch(`/v1/tenants/${id}`, { max_connections: 3 }),
    ]);
    expect((await admin.get(`/v1/tenants/${id}`)).body).toMatchObject({ name: 'Renamed', max_connections: 3 });
  });

  it.each([
    ['the id', { tenant_id: 'other' }, 'tenant_id', 'extra_forbidden'],
    ['the parent', { parent_tenant_id: 'default' }, 'parent_tenant_id', 'extra_forbidden'],
    ['the right to resell', { can_resell: true }, 'can_resell', 'extra_forbidden'],
    ['the state to a text', { is_active: 'no' }, 'is_active', 'bool_type'],
    ['the name to nothing', { name: '' }, 'name', 'string_too_short'],
  ])('does not change %s', async (_what, request, key, type) => {
    const { id } = await create();
    const answer = await admin.patch(`/v1/tenants/${id}`, request);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', key], type }] } });
  });

  it('does not let the database change a parent, so that no circle can close', async () => {
    const parent = await create();
    const child = await create({ parent_tenant_id: parent.id });
    const close = gateway.service.query('UPDATE tenants SET parent_tenant_id = $1 WHERE id = $2', [
      child.id,
      parent.id,
    ]);
    await expect(close).rejects.toThrow('cannot be changed');
  });
});

describe('deleting a tenant', () => {
  interface Member {
    tenant_id: string;
    client: TestClient;
    key: TestClient;
    refreshToken: string;
  }
  async function member(): Promise<Member> {
    const { id: tenant_id } = await create();
    const user = await gateway.user({ tenant_id });
    const pair: TokenResponse = await gateway.login(user);
    const client = gateway.client().withToken(pair.access_token);
    const { body } = await client.post<{ key: string }>('/v1/keys', { name: 'deploy' });
    return {
      tenant_id,
      client,
      key: gateway.client().withHeaders({ 'x-api-key': body.key }),
      refreshToken: pair.refresh_token,
    };
  }

  it('ends sessions and keys at once, in every process, and keeps the data', async () => {
    const { tenant_id, client, key, refreshToken } = await member();
    const beside = await gateway.startSecondProcess();
    cacheCredentialsForAnHour(beside);
    const { body: pair } = await gateway
      .client()
      .post<TokenResponse>('/v1/auth/refresh', { refresh_token: refreshToken });
    const there = () => beside.client().withToken(pair.access_token).get('/v1/auth/me');
    for (const credential of [client, key]) expect((await credential.get('/v1/auth/me')).status).toBe(200);
    expect((await there()).status).toBe(200);

    const deleted = await admin.delete(`/v1/tenants/${tenant_id}`);
    expect(deleted).toMatchObject({ status: 200, body: { status: 'deleted', tenant_id } });
    for (const credential of [client, key]) expect((await credential.get('/v1/auth/me')).status).toBe(401);
    await until(async () => (await there()).status === 401); // by notification: the cache lasts an hour
    await beside.stop();

    expect(await admin.get(`/v1/tenants/${tenant_id}`)).toMatchObject({ status: 200, body: { is_active: false } });
    expect((await audited(tenant_id)).map(({ action }) => action)).toEqual(['tenant.created', 'tenant.deleted']);
    expect((await admin.delete(`/v1/tenants/${tenant_id}`)).status).toBe(200);
    expect(await audited(tenant_id)).toHaveLength(2);
  });

  it('is undone by making it active again', async () => {
    const { tenant_id, key } = await member();
    await admin.delete(`/v1/tenants/${tenant_id}`);
    expect((await key.get('/v1/auth/me')).status).toBe(401);
    const revived = await admin.patch(`/v1/tenants/${tenant_id}`, { is_active: true });
    expect(revived).toMatchObject({ status: 200, body: { is_active: true } });
    expect((await key.get('/v1/auth/me')).status).toBe(200);
    expect((await audited(tenant_id)).at(-1)).toMatchObject({
      before_state: { is_active: false },
      after_state: { is_active: true },
    });
  });

  it('is the same as making it inactive', async () => {
    const { tenant_id, client } = await member();
    expect((await client.get('/v1/auth/me')).status).toBe(200);
    await admin.patch(`/v1/tenants/${tenant_id}`, { is_active: false });
    expect((await client.get('/v1/auth/me')).status).toBe(401);
  });

  it('is refused for the tenant of the platform itself, either way', async () => {
    const refused = { status: 409, body: { code: 'tenant.is_default' } };
    expect(await admin.delete('/v1/tenants/default')).toMatchObject(refused);
    expect(await admin.patch('/v1/tenants/default', { is_active: false })).toMatchObject(refused);
    expect((await admin.get('/v1/auth/me')).status).toBe(200);
    expect(await audited('default')).toEqual([]);
  });

  it('and reading and changing answer 404 for what is not there', async () => {
    for (const id of ['nobody', 'Not%20an%20id', 'x'.repeat(300), '..%2Fdefault']) {
      expect(await admin.get(`/v1/tenants/${id}`)).toMatchObject(NOT_FOUND);
      expect(await admin.patch(`/v1/tenants/${id}`, { name: 'x' })).toMatchObject(NOT_FOUND);
      expect(await admin.delete(`/v1/tenants/${id}`)).toMatchObject(NOT_FOUND);
      expect(await admin.get(`/v1/tenants/${id}/health`)).toMatchObject(NOT_FOUND);
    }
  });
});
