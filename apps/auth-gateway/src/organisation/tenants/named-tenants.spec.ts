import { listDocumentedRoutes, fillPath, createSample, type TestClient } from '@platform/testing';
import { GatewayTest } from '../../testing/gateway-test.js';
import { expectNothingStored } from '../../testing/stored-rows.js';
import { createTenant } from '../../testing/tenants.js';

let gateway: GatewayTest;
let admin: TestClient;
let other: string;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
  other = (await createTenant(gateway.backend())).id;
});
afterAll(() => gateway.stop());

const refusal = (type: string) => ({ status: 422, body: { detail: [{ loc: ['query', 'tenant_id'], type }] } });

const routes = listDocumentedRoutes().filter(
  ({ query, security }) => query.some(({ name }) => name === 'tenant_id') && security.length,
);
const forUsers = routes.filter(({ security }) => security.some((way) => way.includes('bearer')));
const named = (some: typeof routes) => some.map((route) => [`${route.method} ${route.path}`, route] as const);

it('there are such routes', () => {
  expect(forUsers.length).toBeGreaterThanOrEqual(15);
  expect(routes.length).toBeGreaterThan(forUsers.length);
});

describe.each(named(routes))('the tenant that a trusted backend names to %s', (_name, { method, path, schema }) => {
  const ask = (tenant: string) =>
    gateway
      .backend()
      .request(
        method,
        `${fillPath(path, '4711')}?tenant_id=${encodeURIComponent(tenant)}`,
        schema ? createSample(schema) : undefined,
      );

  it('is one that there is', async () => {
    await expectNothingStored(gateway.service, async () => {
      expect(await ask('never-there')).toMatchObject(refusal('value_error'));
      for (const no of ['', 'UPPER', '../default', '%', 'a'.repeat(64)]) {
        expect(await ask(no)).toMatchObject(refusal('string_pattern_mismatch'));
      }
    });
    if (path === '/v1/events/stream') return; // this answer does not end; its own spec tests another tenant
    expect(await ask(other)).not.toMatchObject({ body: { detail: [{ loc: ['query', 'tenant_id'] }] } });
  });
});

describe.each(named(forUsers))('who is in a tenant of their own names to %s', (_name, { method, path, schema }) => {
  it('no other', () =>
    expectNothingStored(gateway.service, async () => {
      const body = schema ? createSample(schema) : undefined;
      const acting = gateway.actingFor((await admin.get<{ platform_id: string }>('/v1/auth/me')).body.platform_id);
      for (const client of [admin, acting]) {
        for (const tenant of [other, 'never-there']) {
          expect(await client.request(method, `${fillPath(path, '4711')}?tenant_id=${tenant}`, body)).toMatchObject(
            refusal('value_error'),
          );
        }
      }
    }));
});

it('makes nobody an administrator of another tenant than was meant', async () => {
  const body = { email: gateway.newEmail(), password: 'correct horse battery', role: 'admin' };
  expect(await admin.post(`/v1/users?tenant_id=${other}`, body)).toMatchObject(refusal('value_error'));
  expect(await admin.post('/v1/users?tenant_id=default', body)).toMatchObject({
    status: 201,
    body: { tenant_id: 'default' },
  });
});
