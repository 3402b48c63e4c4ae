import type { TestClient } from '@platform/testing';
import { GatewayTest, PASSWORD } from '../../testing/gateway-test.js';
import { expectNothingStored } from '../../testing/stored-rows.js';
import { createTenant } from '../../testing/tenants.js';

let gateway: GatewayTest;
let backend: TestClient;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  backend = gateway.backend();
});
afterAll(() => gateway.stop());

async function deletedTenant(before: (id: string) => Promise<unknown> = () => Promise.resolve()): Promise<string> {
  const { id } = await createTenant(backend);
  await before(id);
  expect((await backend.delete(`/v1/tenants/${id}`)).status).toBe(200);
  return id;
}

const usersOf = (tenantId: string) =>
  gateway.service.query<object>('SELECT id FROM users WHERE tenant_id = $1', [tenantId]);
const waitingIn = (tenantId: string) =>
  gateway.service.query<object>('SELECT id FROM pending_credentials WHERE tenant_id = $1', [tenantId]);
const refused = { status: 409, body: { code: 'tenant.deleted' } };

describe('in a deleted tenant', () => {
  it('nobody signs up, and who tries is told what everybody is told', async () => {
    const tenant_id = await deletedTenant();
    const signUp = (where: string) =>
      gateway.client().post<{ message: string }>('/v1/auth/signup', {
        email: gateway.newEmail(),
        password: PASSWORD,
        tenant_id: where,
      });
    const [there, nowhere, here] = [await signUp(tenant_id), await signUp('never-there'), await signUp('default')];
    for (const { status, body } of [there, nowhere]) {
      expect([status, body.message, Object.keys(body)]).toEqual([
        here.status,
        here.body.message,
        Object.keys(here.body),
      ]);
    }
    expect(await waitingIn(tenant_id)).toEqual([]);
  });

  it('nobody is told by mail that they have an account', async () => {
    const email = gateway.newEmail();
    const tenant_id = await deletedTenant((id) => gateway.user({ tenant_id: id, email, email_canonical: email }));
    expect((await gateway.client().post('/v1/auth/signup', { email, password: PASSWORD, tenant_id })).status).toBe(201);
    // The mail of a later signup is the first to the address.
    await gateway.client().post('/v1/auth/signup', { email, password: PASSWORD });
    expect((await gateway.smtp.waitForMail(email)).text).toContain('#token=');
  });

  it('nobody is made, by a backend or by who administers it', async () => {
    const tenant_id = await deletedTenant();
    const user = () => ({ email: gateway.newEmail(), password: PASSWORD });
    await expectNothingStored(gateway.service, async () => {
      expect(await backend.post(`/v1/users?tenant_id=${tenant_id}`, user())).toMatchObject(refused);
      expect(await backend.post('/v1/auth/register', { ...user(), tenant_id })).toMatchObject(refused);
    });
    await backend.patch(`/v1/tenants/${tenant_id}`, { is_active: true });
    expect((await backend.post(`/v1/users?tenant_id=${tenant_id}`, user())).status).toBe(201);
    expect((await backend.post('/v1/auth/register', { ...user(), tenant_id })).status).toBe(201);
  });

  it('nobody is confirmed, until it is brought back', async () => {
    let token = '';
    const tenant_id = await deletedTenant(async (id) => {
      const { email } = await gateway.signUp({ tenant_id: id });
      token = await gateway.mailToken(email);
    });
    const confirm = () => gateway.client().post('/v1/auth/verify-email', { token });
    await expectNothingStored(gateway.service, async () => {
      expect(await confirm()).toMatchObject({ status: 403, body: { code: 'account_disabled' } });
    });
    await backend.patch(`/v1/tenants/${tenant_id}`, { is_active: true });
    expect((await confirm()).status).toBe(200);
  });

  it('is nobody whom it did not have before, however much happens while it is deleted', async () => {
    const { id: tenant_id } = await createTenant(backend);
    const links = await Promise.all(
      Array.from({ length: 5 }, async () => gateway.mailToken((await gateway.signUp({ tenant_id })).email)),
    );
    const made = [
      ...links.map((token) => gateway.client().post('/v1/auth/verify-email', { token })),
      ...Array.from({ length: 5 }, () =>
        backend.post(`/v1/users?tenant_id=${tenant_id}`, { email: gateway.newEmail(), password: PASSWORD }),
      ),
    ];
    await backend.delete(`/v1/tenants/${tenant_id}`);
    const before = await usersOf(tenant_id);
    const succeeded = (await Promise.all(made)).filter(({ status }) => status < 300);
    const after = await usersOf(tenant_id);
    expect([after.length, after]).toEqual([succeeded.length, before]);
  });
});
