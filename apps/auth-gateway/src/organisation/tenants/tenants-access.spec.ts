import type { TenantResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { GatewayTest } from '../../testing/gateway-test.js';
import { expectNothingStored } from '../../testing/stored-rows.js';
import { createTenant, newTenantId } from '../../testing/tenants.js';

let gateway: GatewayTest;
let acme: string;
let other: string;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  acme = (await createTenant(gateway.backend())).id;
  other = (await createTenant(gateway.backend())).id;
});
afterAll(() => gateway.stop());

const signedIn = async (changes: Record<string, unknown>) => gateway.signIn(await gateway.user(changes));
const adminOf = (tenant_id: string) => signedIn({ tenant_id, role: 'admin' });
const listed = async (client: TestClient) => {
  const { status, body } = await client.get<TenantResponse[]>('/v1/tenants');
  expect(status).toBe(200);
  return body.map(({ id }) => id);
};
const newTenant = () => ({ tenant_id: newTenantId(), name: 'New' });
const DATABASE = { host: '127.0.0.1', database: 'acme', username: 'acme', password: 'secret' };

const attempts: Record<string, (client: TestClient, id: string) => Promise<{ status: number; body: unknown }>> = {
  'POST /v1/tenants': (client) => client.post('/v1/tenants', newTenant()),
  'GET /v1/tenants': (client) => client.get('/v1/tenants'),
  'GET /v1/tenants/{tenant_id}': (client, id) => client.get(`/v1/tenants/${id}`),
  'PATCH /v1/tenants/{tenant_id}': (client, id) => client.patch(`/v1/tenants/${id}`, { name: 'Taken over' }),
  'DELETE /v1/tenants/{tenant_id}': (client, id) => client.delete(`/v1/tenants/${id}`),
  'GET /v1/tenants/{tenant_id}/health': (client, id) => client.get(`/v1/tenants/${id}/health`),
};
const ofOneTenant = Object.keys(attempts).filter((name) => name.includes('{tenant_id}'));
const attempt = (name: string, client: TestClient, id: string) =>
  (attempts[name] as (typeof attempts)[string])(client, id);

describe.each(Object.keys(attempts))('%s', (name) => {
  it('is refused to strangers, and to users without the scope', async () => {
    const plain = await signedIn({});
    const ofAcme = await signedIn({ tenant_id: acme });
    await expectNothingStored(gateway.service, async () => {
      expect(await attempt(name, gateway.client(), acme)).toMatchObject({ status: 401 });
      for (const client of [plain, ofAcme]) {
        expect(await attempt(name, client, acme)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
      }
    });
  });
});

describe("an administrator of a tenant that is not the platform's own", () => {
  it('sees that one only, and changes its name and how its users sign in', async () => {
    const admin = await adminOf(acme);
    expect(await listed(admin)).toEqual([acme]);
    expect(await admin.get(`/v1/tenants/${acme}`)).toMatchObject({ status: 200, body: { id: acme } });
    expect(await admin.get(`/v1/tenants/${acme}/health`)).toMatchObject({ status: 200, body: { healthy: true } });
    const changes = { name: 'Acme & Daughters', allowed_auth_methods: 'api_key,email' };
    expect(await admin.patch(`/v1/tenants/${acme}`, changes)).toMatchObject({ status: 200, body: changes });
  });

  it.each([
    ['db_config', DATABASE],
    ['db_config', null],
    ['max_connections', 500],
    ['features', { everything: true }],
    ['is_active', false],
  ])('does not set %s to %j', async (field, value) => {
    const admin = await adminOf(acme);
    await expectNothingStored(gateway.service, async () => {
      const answer = await admin.patch(`/v1/tenants/${acme}`, { name: 'Changed', [field]: value });
      expect(answer).toMatchObject({ status: 403, body: { code: 'tenant.may_not_change', fields: [field] } });
    });
  });

  it('neither deletes it nor creates others', async () => {
    const admin = await adminOf(acme);
    await expectNothingStored(gateway.service, async () => {
      expect(await admin.delete(`/v1/tenants/${acme}`)).toMatchObject({
        status: 403,
        body: { code: 'tenant.may_not_change' },
      });
      for (const parent_tenant_id of [undefined, acme, 'default', 'nobody']) {
        const answer = await admin.post('/v1/tenants', { ...newTenant(), parent_tenant_id });
        expect(answer).toMatchObject({ status: 403, body: { code: 'tenant.may_not_create' } });
      }
    });
  });

  it.each(ofOneTenant)('cannot tell a tenant of others from one that does not exist: %s', async (name) => {
    const admin = await adminOf(acme);
    await expectNothingStored(gateway.service, async () => {
      const unknown = await attempt(name, admin, 'nobody');
      expect(unknown).toMatchObject({ status: 404, body: { code: 'tenant.not_found' } });
      for (const id of [other, 'default']) {
        const foreign = await attempt(name, admin, id);
        expect(foreign.status).toBe(404);
        expect({ ...(foreign.body as object), request_id: '' }).toEqual({
          ...(unknown.body as object),
          request_id: '',
        });
      }
    });
  });
});

describe('who holds a scope and is no administrator', () => {
  it('does with their own tenant what the scope says', async () => {
    const reader = await signedIn({ tenant_id: acme, scopes: ['tenants:read'] });
    expect(await listed(reader)).toEqual([acme]);
    expect(await reader.patch(`/v1/tenants/${acme}`, { name: 'x' })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
    const writer = await signedIn({ tenant_id: acme, scopes: ['tenants:write'] });
    expect((await writer.patch(`/v1/tenants/${acme}`, { name: 'Renamed' })).status).toBe(200);
  });

  it("manages no other tenants, also in the platform's own", async () => {
    const writer = await signedIn({ scopes: ['tenants:*'] });
    expect(await listed(writer)).toEqual(['default']);
    expect((await writer.patch(`/v1/tenants/${acme}`, { name: 'x' })).status).toBe(404);
    expect(await writer.post('/v1/tenants', newTenant())).toMatchObject({
      status: 403,
      body: { code: 'tenant.may_not_create' },
    });
    expect(await writer.delete('/v1/tenants/default')).toMatchObject({
      status: 403,
      body: { code: 'tenant.may_not_change' },
    });
  });

  it('may hold an API key of an administrator: it is one only when it was given everything', async () => {
    const admin = await adminOf('default');
    const withKey = async (scopes: string) => {
      const { body } = await admin.post<{ key: string }>('/v1/keys', { name: 'tenants', scopes });
      return gateway.client().withHeaders({ 'x-api-key': body.key });
    };
    expect(await listed(await withKey('tenants:*'))).toEqual(['default']);
    expect(await listed(await withKey('*'))).toEqual(expect.arrayContaining([acme, other, 'default']));
  });
});

describe('a trusted backend', () => {
  it('manages every tenant', async () => {
    const backend = gateway.backend();
    expect(await listed(backend)).toEqual(expect.arrayContaining([acme, other, 'default']));
    const { id } = await createTenant(backend);
    expect(await backend.patch(`/v1/tenants/${id}`, { db_config: DATABASE, features: { a: 1 } })).toMatchObject({
      status: 200,
    });
    expect((await backend.delete(`/v1/tenants/${id}`)).status).toBe(200);
  });

  it('reaches as far as the user for whom it acts', async () => {
    const ofAcme = gateway.actingFor((await gateway.user({ tenant_id: acme, role: 'admin' })).id);
    expect(await listed(ofAcme)).toEqual([acme]);
    expect((await ofAcme.get(`/v1/tenants/${other}`)).status).toBe(404);
    expect((await ofAcme.post('/v1/tenants', newTenant())).status).toBe(403);
    const ofPlatform = gateway.actingFor((await gateway.user({ role: 'admin' })).id);
    expect(await listed(ofPlatform)).toEqual(expect.arrayContaining([acme, other]));
    expect((await ofPlatform.post('/v1/tenants', newTenant())).status).toBe(201);
  });
});

describe('who may resell', () => {
  let reseller: string;
  let admin: TestClient;
  beforeAll(async () => {
    reseller = (await createTenant(gateway.backend())).id;
    await gateway.service.query('UPDATE tenants SET can_resell = true WHERE id = $1', [reseller]);
    admin = await adminOf(reseller);
  });

  it('creates tenants below their own, and sees those', async () => {
    const child = await createTenant(admin);
    const named = await createTenant(admin, { parent_tenant_id: reseller });
    expect([child.parent_tenant_id, named.parent_tenant_id]).toEqual([reseller, reseller]);
    const grandchild = await createTenant(gateway.backend(), { parent_tenant_id: child.id });
    expect(await listed(admin)).toEqual([reseller, child.id, named.id].sort());
    expect(await admin.get(`/v1/tenants/${child.id}`)).toMatchObject({
      status: 200,
      body: { parent_tenant_id: reseller },
    });
    expect((await admin.get(`/v1/tenants/${grandchild.id}`)).status).toBe(404);
    expect(await listed(await adminOf(child.id))).toEqual([child.id]);
  });

  it('changes and deletes none of them', async () => {
    const { id } = await createTenant(admin);
    const refused = { status: 403, body: { code: 'tenant.may_not_change' } };
    expect(await admin.patch(`/v1/tenants/${id}`, { name: 'x' })).toMatchObject(refused);
    expect(await admin.delete(`/v1/tenants/${id}`)).toMatchObject(refused);
  });

  it('creates none below others, whether those exist or not', async () => {
    const child = await createTenant(admin);
    for (const parent_tenant_id of [child.id, acme, 'default', 'nobody']) {
      const answer = await admin.post('/v1/tenants', { ...newTenant(), parent_tenant_id });
      expect(answer).toMatchObject({ status: 403, body: { code: 'tenant.may_not_create' } });
    }
  });

  it.each([
    ['db_config', DATABASE],
    ['max_connections', 11],
    ['features', { everything: true }],
  ])('gives them no %s', async (field, value) => {
    const answer = await admin.post('/v1/tenants', { ...newTenant(), [field]: value });
    expect(answer).toMatchObject({ status: 403, body: { code: 'tenant.may_not_change', fields: [field] } });
  });

  it('loses sight of them with the right', async () => {
    const { id } = await createTenant(admin);
    await gateway.service.query('UPDATE tenants SET can_resell = false WHERE id = $1', [reseller]);
    expect((await admin.get(`/v1/tenants/${id}`)).status).toBe(404);
    expect(await listed(admin)).toEqual([reseller]);
    expect((await admin.post('/v1/tenants', newTenant())).status).toBe(403);
    await gateway.service.query('UPDATE tenants SET can_resell = true WHERE id = $1', [reseller]);
  });
});
