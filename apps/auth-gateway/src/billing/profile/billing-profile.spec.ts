import type { BillingProfile, UserResponse } from '@platform/contracts';
import { newId } from '@platform/platform';
import { until, type TestClient } from '@platform/testing';
import { GatewayWithPayments } from '../../testing/gateway-with-payments.js';
import type { TestUser } from '../../testing/gateway-test.js';
import { createTenant } from '../../testing/tenants.js';

let test: GatewayWithPayments;
let user: TestUser;
let client: TestClient;
beforeAll(async () => {
  test = await GatewayWithPayments.start();
});
beforeEach(async () => {
  user = await test.gateway.user({ attributes: JSON.stringify({ desk: 'north' }) });
  client = await test.gateway.signIn(user);
});
afterAll(() => test.stop());

const PATH = '/v1/billing/profile';
const put = (body: object, by = client) => by.put<BillingProfile>(PATH, body);
const attributes = async (by = client): Promise<Record<string, unknown>> =>
  (await by.get<UserResponse>('/v1/auth/me')).body.attributes;
const FULL = { name: 'Ada Lovelace', company: 'Engines Ltd', vat: 'GB 123.456-789', country: 'GB' };
const EMPTY = { name: null, company: null, vat: null, country: null };

it('keeps what is not sent, and clears what is null or empty', async () => {
  expect(await put(FULL)).toMatchObject({ status: 200, body: FULL });
  expect((await put({ country: 'DE' })).body).toEqual({ ...FULL, country: 'DE' });
  expect((await put({ name: null, vat: '' })).body).toEqual({ ...FULL, name: null, vat: null, country: 'DE' });
  expect((await put({})).body).toEqual({ ...FULL, name: null, vat: null, country: 'DE' });
  expect((await put({ company: '  ', country: null })).body).toEqual(EMPTY);
});

it('of which several parts are changed at once loses none of them', async () => {
  const acting = test.gateway.actingFor(user.id);
  await Promise.all(Object.entries(FULL).map(([key, value]) => put({ [key]: value }, acting)));
  expect((await put({})).body).toEqual(FULL);
});

it.each([
  { country: 'de' },
  { country: 'DEU' },
  { country: 'ZZ' },
  { country: 49 },
  { vat: 'DE-1234567890123456789' },
  { vat: '<b>' },
  { vat: 'DE\n1' },
  { name: 'x'.repeat(101) },
  { name: 'Ada\nLovelace' },
  { company: 'x'.repeat(151) },
  { company: ['x'] },
  { email: 'x@example.com' },
])('does not take %j', async (body) => {
  expect((await put(body)).status).toBe(422);
  expect(await attributes()).toEqual({ desk: 'north' });
});

describe('me', () => {
  it('shows it beside the attributes, at once', async () => {
    expect(await attributes()).toEqual({ desk: 'north' });
    await put({ name: 'Ada' });
    await until(async () => 'billing' in (await attributes()));
    expect(await attributes()).toEqual({ desk: 'north', billing: { ...EMPTY, name: 'Ada' } });
  });

  it('takes nothing for it that stands in the attributes', async () => {
    const forged = await test.gateway.user({
      attributes: JSON.stringify({ desk: 'north', billing: { company: 'Forged' } }),
    });
    const theirs = await test.gateway.signIn(forged);
    expect(await attributes(theirs)).toEqual({ desk: 'north' });
    await put({ company: 'Engines Ltd' }, theirs);
    await until(async () => 'billing' in (await attributes(theirs)));
    expect(await attributes(theirs)).toEqual({ desk: 'north', billing: { ...EMPTY, company: 'Engines Ltd' } });
  });

  it('shows it to an API key with billing:read alone', async () => {
    await put(FULL);
    const keyWith = async (scopes: string) => {
      const { body } = await client.post<{ key: string }>('/v1/keys', { name: newId('k'), scopes });
      return test.gateway.client().withHeaders({ 'x-api-key': body.key });
    };
    expect(await attributes(await keyWith('profile:read'))).toEqual({ desk: 'north' });
    expect(await attributes(await keyWith('profile:read,billing:read'))).toEqual({ desk: 'north', billing: FULL });
  });
});

it('stands nowhere else: neither in what others see of the user, nor in the attributes that apps get, nor in the audit log', async () => {
  const marks = { name: newId('name'), company: newId('company'), vat: newId('v').replace('_', '-').slice(0, 20) };
  await put(marks);
  const admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
  const shown = [
    await admin.get(`/v1/users/${user.id}`),
    await admin.get(`/v1/users?search=${user.email}`),
    await admin.get('/v1/audit'),
    await test.gateway.backend().get(`/v1/users/${user.id}`),
  ];
  expect(shown.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const text = JSON.stringify(shown.map(({ body }) => body));
  expect(text).toContain(user.id);
  const [stored] = await test.gateway.service.query<{ attributes: object; audit: string }>(
    `SELECT attributes, (SELECT string_agg(a::text, '') FROM gateway_audit.audit_entries a WHERE target_id = $1) AS audit FROM users WHERE id = $1`,
    [user.id],
  );
  expect(stored?.attributes).toEqual({ desk: 'north' });
  expect(stored?.audit).toContain('billing_profile_changed');
  for (const mark of Object.values(marks)) expect(`${text}${stored?.audit}`).not.toContain(mark);
});

it('stays when somebody changes the attributes', async () => {
  await put(FULL);
  const admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
  expect((await admin.patch(`/v1/users/${user.id}`, { attributes: { desk: 'south' } })).status).toBe(200);
  await until(async () => (await attributes())['desk'] === 'south');
  expect(await attributes()).toEqual({ desk: 'south', billing: FULL });
});

it('belongs to its user: no key changes it, and no other user or tenant sees or changes it', async () => {
  await put(FULL);
  const { body } = await client.post<{ key: string }>('/v1/keys', { name: newId('k'), scopes: 'billing:read' });
  expect((await put({ name: 'x' }, test.gateway.client().withHeaders({ 'x-api-key': body.key }))).status).toBe(403);
  expect((await put({ name: 'x' }, test.gateway.client())).status).toBe(401);
  const { id: tenant_id } = await createTenant(test.gateway.backend());
  for (const changes of [{}, { tenant_id }]) {
    const other = await test.gateway.signIn(await test.gateway.user(changes));
    expect((await put({ name: 'Other' }, other)).body).toEqual({ ...EMPTY, name: 'Other' });
  }
  expect((await put({})).body).toEqual(FULL);
});

it('goes with its user', async () => {
  await put(FULL);
  const admin = await test.gateway.signIn(await test.gateway.user({ role: 'admin' }));
  expect((await admin.delete(`/v1/users/${user.id}?permanent=true`)).status).toBe(200);
  expect(await test.gateway.service.query('SELECT FROM billing_profiles WHERE user_id = $1', [user.id])).toEqual([]);
});

describe('the provider', () => {
  const customers = () =>
    test.stripe.state.list('customer').filter((one) => !one.deleted && one.metadata['user_id'] === user.id);
  const becomeCustomer = () => client.post('/v1/billing/payment-methods/setup');
  const jobsDone = () =>
    until(
      async () =>
        (await test.gateway.service.query("SELECT FROM outbox WHERE queue = 'payments' AND name = 'profile'"))
          .length === 0,
    );

  it('hears nothing of who is no customer, and what they said once they are one', async () => {
    await put(FULL);
    await jobsDone();
    expect(customers()).toEqual([]);
    await becomeCustomer();
    expect(customers()).toMatchObject([{ name: 'Engines Ltd', address: { country: 'GB' } }]);
  });

  it('hears of name and country of a customer, and when they are cleared', async () => {
    await becomeCustomer();
    await put({ name: 'Ada', country: 'DE' });
    await jobsDone();
    expect(customers()).toMatchObject([{ name: 'Ada', address: { country: 'DE' } }]);
    await put({ company: 'Engines Ltd', country: null });
    await jobsDone();
    expect(customers()).toMatchObject([{ name: 'Engines Ltd', address: null }]);
    await put({ company: null, name: null });
    await jobsDone();
    expect(customers()).toMatchObject([{ name: null, address: null }]);
  });

  it('hears of the last of many changes, though it was away and its answers were lost', async () => {
    await becomeCustomer();
    test.stripe.planFault(/^POST \/v1\/customers\/\w+$/, { kind: 'lost_after' }, 2);
    for (const name of ['One', 'Two', 'Three', 'One']) await put({ name });
    await jobsDone();
    expect(customers()).toMatchObject([{ name: 'One' }]);
  });
});
