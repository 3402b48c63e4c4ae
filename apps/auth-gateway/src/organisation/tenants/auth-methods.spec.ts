import { challengeOf } from '@platform/client/pkce';
import type { CliCodeResponse, KeyResponse, SignupResponse, TokenResponse } from '@platform/contracts';
import { until, type TestClient, type TestService } from '@platform/testing';
import { GatewayTest, PASSWORD, type TestUser } from '../../testing/gateway-test.js';
import { cacheCredentialsForAnHour } from '../../testing/credential-caches.js';
import { expectNothingStored } from '../../testing/stored-rows.js';
import { createTenant, tenantHistory } from '../../testing/tenants.js';

let gateway: GatewayTest;
let beside: TestService;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  beside = await gateway.startSecondProcess();
});
afterAll(async () => {
  await beside.stop();
  await gateway.stop();
});

const WIDTH = 50;
const NOT_ALLOWED = { status: 403, body: { code: 'auth_method_not_allowed' } };
const INVALID_KEY = { status: 401, body: { code: 'invalid_api_key' } };
const tenant = async (allowed_auth_methods: string) =>
  (await createTenant(gateway.backend(), { allowed_auth_methods })).id;
const allow = async (tenantId: string, allowed_auth_methods: string) => {
  expect((await gateway.backend().patch(`/v1/tenants/${tenantId}`, { allowed_auth_methods })).status).toBe(200);
};
const attempt = ({ email, tenant_id }: TestUser, password = PASSWORD) =>
  gateway.client().post<TokenResponse>('/v1/auth/login', { email, password, tenant_id });
const sessionsOf = ({ id }: TestUser) =>
  gateway.service.query('SELECT 1 FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [id]);

describe('a tenant that does not allow `email`', () => {
  it('lets nobody sign in with a password, and says so only to who knows it', async () => {
    const user = await gateway.user({ tenant_id: await tenant('api_key') });
    await expectNothingStored(gateway.service, async () => expect(await attempt(user)).toMatchObject(NOT_ALLOWED));
    expect(await attempt(user, 'not the password')).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    });
    const nobody = await attempt({ ...user, email: gateway.newEmail() });
    expect(nobody).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    await allow(user.tenant_id as string, 'email');
    expect((await attempt(user)).status).toBe(200);
  });

  it('says nothing of it where the account itself is disabled', async () => {
    const user = await gateway.user({ tenant_id: await tenant('api_key'), is_active: false });
    expect(await attempt(user)).toMatchObject({ status: 403, body: { code: 'account_disabled' } });
  });

  it('takes no signup, whether the address is free or not, and says so only by a mail to who has an account there', async () => {
    const { tenant_id, email } = await gateway.user({ tenant_id: await tenant('api_key') });
    const signup = (address: string) =>
      gateway.client().post('/v1/auth/signup', { email: address, password: PASSWORD, tenant_id });
    const stranger = gateway.newEmail();
    for (const address of [stranger, email]) expect((await signup(address)).status).toBe(201);
    const { subject, text } = await gateway.smtp.waitForMail(email);
    expect(subject).toBe('You already have an account');
    expect(text).toContain('Your organisation does not allow login with an e-mail address and a password.');
    await gateway.waitForMails();
    expect(gateway.smtp.mails.filter(({ to }) => to === stranger)).toEqual([]);
    expect(await gateway.service.query('SELECT 1 FROM pending_credentials WHERE tenant_id = $1', [tenant_id])).toEqual(
      [],
    );
    expect(await gateway.service.query('SELECT 1 FROM users WHERE tenant_id = $1', [tenant_id])).toHaveLength(1);
  });

  it('confirms no address that signed up before; the link stays good for when it allows it again', async () => {
    const tenant_id = await tenant('email');
    const email = gateway.newEmail();
    const signup = await gateway
      .client()
      .post<SignupResponse>('/v1/auth/signup', { email, password: PASSWORD, tenant_id });
    const token = await gateway.mailToken(email);
    const verify = (presented: string) => gateway.client().post('/v1/auth/verify-email', { token: presented });
    await allow(tenant_id, 'api_key');
    await expectNothingStored(gateway.service, async () => {
      expect(await verify(token)).toMatchObject(NOT_ALLOWED);
      expect(await verify('x'.repeat(43))).toMatchObject({ status: 400, body: { code: 'invalid_or_expired_token' } });
    });
    await allow(tenant_id, 'email');
    expect((await verify(token)).status).toBe(200);
    expect(await sessionsOf({ id: signup.body.user_id, email })).toHaveLength(1);
  });

  it('has no users registered, not by a trusted backend either', async () => {
    const request = { email: gateway.newEmail(), password: PASSWORD, tenant_id: await tenant('api_key') };
    await expectNothingStored(gateway.service, async () => {
      expect(await gateway.backend().post('/v1/auth/register', request)).toMatchObject(NOT_ALLOWED);
    });
    await allow(request.tenant_id, 'email,api_key');
    expect((await gateway.backend().post('/v1/auth/register', request)).status).toBe(201);
  });

  it('lets passwords be reset, which signs nobody in', async () => {
    const user = await gateway.user({ tenant_id: await tenant('api_key') });
    const { email, tenant_id } = user;
    await gateway.client().post('/v1/auth/forgot-password', { email, tenant_id });
    const body = { token: await gateway.mailToken(email), new_password: 'another horse battery' };
    expect((await gateway.client().post('/v1/auth/reset-password', body)).status).toBe(200);
    expect(await sessionsOf(user)).toEqual([]);
    expect(await attempt(user)).toMatchObject({ status: 401 });
    expect(await attempt(user, body.new_password)).toMatchObject(NOT_ALLOWED);
  });

  it('leaves sessions, and those for whom a trusted backend vouches, alone', async () => {
    const user = await gateway.user({ tenant_id: await tenant('email') });
    const { refresh_token, access_token } = await gateway.login(user);
    await allow(user.tenant_id as string, 'api_key');
    expect((await gateway.client().withToken(access_token).get('/v1/auth/me')).status).toBe(200);
    expect((await gateway.client().post('/v1/auth/refresh', { refresh_token })).status).toBe(200);
    const code_verifier = 'v'.repeat(64);
    const challenge = { code_challenge: challengeOf(code_verifier), code_challenge_method: 'S256' };
    const { body } = await gateway.actingFor(user.id).post<CliCodeResponse>('/v1/auth/cli/codes', challenge);
    expect((await gateway.client().post('/v1/auth/cli/token', { code: body.code, code_verifier })).status).toBe(200);
  });
});

describe('a tenant that does not allow `api_key`', () => {
  /** An API key of a user of the tenant. */
  async function keyOf(tenant_id: string): Promise<string> {
    const { body } = await (
      await gateway.signIn(await gateway.user({ tenant_id }))
    ).post<KeyResponse>('/v1/keys', { name: 'deploy' });
    return body.key;
  }
  const ask = (key: string, service = gateway.service) =>
    service.client().withHeaders({ 'x-api-key': key }).get('/v1/auth/me');
  /** Uses the key in both processes. */
  const seen = (key: string) => Promise.all([gateway.service, beside].map((service) => ask(key, service)));

  it('refuses the keys of its users at once here, and as soon as it is told in every process; their owners have them back with it', async () => {
    const tenantId = await tenant('email,api_key');
    const key = await keyOf(tenantId);
    const told = await gateway.startSecondProcess();
    cacheCredentialsForAnHour(told);
    for (const service of [gateway.service, told]) expect((await ask(key, service)).status).toBe(200);
    await allow(tenantId, 'email');
    expect(await ask(key)).toMatchObject(INVALID_KEY);
    expect(await gateway.client().withToken(key).get('/v1/auth/me')).toMatchObject(INVALID_KEY);
    await until(async () => (await ask(key, told)).status === 401);
    await allow(tenantId, 'api_key,email');
    for (const service of [gateway.service, told]) expect((await ask(key, service)).status).toBe(200);
    await told.stop();
  });

  it('refuses them within 5 s where nothing told of the change', async () => {
    const tenantId = await tenant('email,api_key');
    const key = await keyOf(tenantId);
    for (const { status } of await seen(key)) expect(status).toBe(200);
    await gateway.service.query("UPDATE tenants SET allowed_auth_methods = '{email}' WHERE id = $1", [tenantId]);
    const now = performance.now.bind(performance);
    const later = jest.spyOn(performance, 'now').mockImplementation(() => now() + 5_001);
    for (const answer of await seen(key)) expect(answer).toMatchObject(INVALID_KEY);
    later.mockRestore();
  });

  it('refuses 50 that are in use while it changes', async () => {
    const tenantId = await tenant('email,api_key');
    const keys = await Promise.all(Array.from({ length: WIDTH }, () => keyOf(tenantId)));
    const inUse = keys.map((key) => ask(key));
    await allow(tenantId, 'email');
    for (const { status } of await Promise.all(inUse)) expect([200, 401]).toContain(status);
    for (const answer of await Promise.all(keys.map((key) => ask(key)))) expect(answer).toMatchObject(INVALID_KEY);
  });

  it('lets nobody make new ones; those that are there can be listed and deleted', async () => {
    const user = await gateway.user({ tenant_id: await tenant('email,api_key') });
    const client = await gateway.signIn(user);
    const { body: key } = await client.post<KeyResponse>('/v1/keys', { name: 'before' });
    await allow(user.tenant_id as string, 'email');
    await expectNothingStored(gateway.service, async () => {
      expect(await client.post('/v1/keys', { name: 'after' })).toMatchObject(NOT_ALLOWED);
    });
    expect(await client.get('/v1/keys')).toMatchObject({ status: 200, body: [{ id: key.id }] });
    expect((await client.delete(`/v1/keys/${key.id}`)).status).toBe(200);
  });
});

describe('what one tenant allows', () => {
  it('is its own business', async () => {
    const [closed, open] = [await tenant('api_key'), await tenant('email,api_key')];
    const email = gateway.newEmail();
    const [there, here] = [
      await gateway.user({ tenant_id: closed, email }),
      await gateway.user({ tenant_id: open, email }),
    ];
    expect(await attempt(there)).toMatchObject(NOT_ALLOWED);
    expect((await attempt(here)).status).toBe(200);
  });

  it('can be changed by its administrator, who may shut everybody out of it, and brought back by the platform’s', async () => {
    const tenantId = await tenant('email');
    const user = await gateway.user({ tenant_id: tenantId, role: 'admin' });
    const admin = await gateway.signIn(user);
    expect((await admin.patch(`/v1/tenants/${tenantId}`, { allowed_auth_methods: 'api_key' })).status).toBe(200);
    expect(await attempt(user)).toMatchObject(NOT_ALLOWED);
    const platform = await gateway.signIn(await gateway.user({ role: 'admin' }));
    expect((await platform.patch(`/v1/tenants/${tenantId}`, { allowed_auth_methods: 'email' })).status).toBe(200);
    expect((await attempt(user)).status).toBe(200);
  });
});

describe('the tenant of the platform itself', () => {
  let admin: TestClient;
  beforeAll(async () => (admin = await gateway.signIn(await gateway.user({ role: 'admin' }))));

  it('keeps `email`, whoever wants it otherwise, so that its administrators can always sign in', async () => {
    await expectNothingStored(gateway.service, async () => {
      for (const client of [admin, gateway.backend()]) {
        const answer = await client.patch('/v1/tenants/default', { name: 'Renamed', allowed_auth_methods: 'api_key' });
        expect(answer).toMatchObject({ status: 409, body: { code: 'tenant.default_needs_email' } });
      }
    });
    const past = gateway.service.query("UPDATE tenants SET allowed_auth_methods = '{api_key}' WHERE id = 'default'");
    await expect(past).rejects.toThrow('tenants_default_auth_methods_check');
  });

  it('may do without API keys', async () => {
    const { body } = await admin.post<KeyResponse>('/v1/keys', { name: 'platform', scopes: '*' });
    const key = gateway.client().withHeaders({ 'x-api-key': body.key });
    expect((await key.get('/v1/tenants')).status).toBe(200);
    expect((await admin.patch('/v1/tenants/default', { allowed_auth_methods: 'email' })).status).toBe(200);
    expect(await key.get('/v1/tenants')).toMatchObject(INVALID_KEY);
    expect((await admin.patch('/v1/tenants/default', { allowed_auth_methods: 'email,api_key' })).status).toBe(200);
    expect((await key.get('/v1/tenants')).status).toBe(200);
    const history = (await tenantHistory(gateway, 'default')).map(({ before_state, after_state }) => [
      before_state,
      after_state,
    ]);
    expect(history).toEqual([
      [{ allowed_auth_methods: 'email,api_key' }, { allowed_auth_methods: 'email' }],
      [{ allowed_auth_methods: 'email' }, { allowed_auth_methods: 'email,api_key' }],
    ]);
  });
});

it.each(["'{}'", "'{magic}'", "'{email,magic}'", "'{email,NULL}'"])(
  'the database takes no %s for the methods of a tenant',
  async (methods) => {
    const tenantId = await tenant('email');
    const change = gateway.service.query(`UPDATE tenants SET allowed_auth_methods = ${methods} WHERE id = $1`, [
      tenantId,
    ]);
    await expect(change).rejects.toThrow('tenants_auth_methods_check');
  },
);
