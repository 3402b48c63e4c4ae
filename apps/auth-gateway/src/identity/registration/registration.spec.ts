import type { TokenResponse, UserResponse } from '@platform/contracts';
import { JobsService } from '@platform/messaging';
import { until } from '@platform/testing';
import { GatewayTest, PASSWORD } from '../../testing/gateway-test.js';
import { SET_DELETED } from '../accounts/deleted-account.js';
import { ProvisioningService } from '../provisioning/provisioning.service.js';

let gateway: GatewayTest;
const provisioned: string[] = [];
let refuse = false;

beforeAll(async () => {
  gateway = await GatewayTest.start();
  gateway.service.app.get(ProvisioningService).addStep((userId) => {
    provisioned.push(userId);
    return refuse ? Promise.reject(new Error('not now')) : Promise.resolve();
  });
});
afterAll(() => gateway.stop());

const register = (changes: Record<string, unknown> = {}, client = gateway.backend()) =>
  client.post<TokenResponse>('/v1/auth/register', { email: gateway.newEmail(), password: PASSWORD, ...changes });
const userOf = async ({ access_token }: TokenResponse) =>
  (await gateway.client().withToken(access_token).get<UserResponse>('/v1/auth/me')).body;

describe('registering', () => {
  it('creates a user who can sign in at once, and signs them in', async () => {
    const email = gateway.newEmail();
    const { status, body } = await register({ email });
    expect(status).toBe(201);
    expect(await userOf(body)).toMatchObject({
      email,
      role: 'user',
      tenant_id: 'default',
      is_active: true,
      scopes: [],
    });
    expect((await gateway.client().post('/v1/auth/login', { email, password: PASSWORD })).status).toBe(200);
  });

  it('needs a service token', async () => {
    const admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
    for (const client of [gateway.client(), admin]) {
      expect(await register({}, client)).toMatchObject({ status: 401, body: { code: 'invalid_service_token' } });
    }
  });

  it('says 409 to a taken address, and makes one user of 50 at once', async () => {
    const email = gateway.newEmail();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_value, at) => register({ email: at % 2 ? email : email.toUpperCase() })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.length + answers.filter(({ status }) => status === 503).length).toBe(49); // 503: too many hashes were waiting
    expect(refused[0]?.body).toMatchObject({ code: 'user.email_taken' });
    expect(await gateway.service.query('SELECT 1 FROM users WHERE email_canonical = $1', [email])).toHaveLength(1);
  });

  it.each([
    ['a role', { role: 'admin' }, 'role', 'extra_forbidden'],
    ['scopes', { scopes: ['*'] }, 'scopes', 'extra_forbidden'],
    ['an id', { id: 'usr_x' }, 'id', 'extra_forbidden'],
    ['an unknown tenant', { tenant_id: 'nowhere' }, 'tenant_id', 'value_error'],
    ['a common password', { password: 'Password123' }, 'password', 'password_common'],
  ])('is refused with %s', async (_what, changes, key, type) => {
    const email = gateway.newEmail();
    expect(await register({ email, ...changes })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', key], type }] },
    });
    expect(await gateway.service.query('SELECT 1 FROM users WHERE email_canonical = $1', [email])).toEqual([]);
  });
});

describe('a new user', () => {
  const isProvisioned = async (userId: string) =>
    (await gateway.service.query('SELECT 1 FROM users WHERE id = $1 AND provisioned_at IS NOT NULL', [userId])).length >
    0;

  it('is provisioned however they were created, and not a second time when they sign up again', async () => {
    const { body } = await register();
    const { platform_id: registered } = await userOf(body);
    const signedUp = await gateway.signUp();
    expect(
      (await gateway.client().post('/v1/auth/verify-email', { token: await gateway.mailToken(signedUp.email) })).status,
    ).toBe(200);
    await gateway.client().post('/v1/auth/signup', { email: signedUp.email, password: PASSWORD });
    for (const userId of [registered, signedUp.id]) {
      await until(() => isProvisioned(userId));
      expect(provisioned.filter((id) => id === userId)).toEqual([userId]);
    }
  });

  it('is provisioned again until it succeeds', async () => {
    gateway.expectFailures('accounts');
    refuse = true;
    const { platform_id: userId } = await userOf((await register()).body);
    await until(() => provisioned.includes(userId));
    refuse = false;
    await gateway.service.app.get(JobsService).requeueLostJobs();
    await until(() => isProvisioned(userId));
    expect(provisioned.filter((id) => id === userId).length).toBeGreaterThan(1);
  });
});

describe('the id in the Cases API', () => {
  const set = (userId: string, body: unknown, client = gateway.backend()) =>
    client.patch(`/v1/auth/users/${userId}/cases-uid`, body);

  it('is noted by a trusted backend and shows in the profile', async () => {
    const user = await gateway.user();
    expect(await set(user.id, { cases_user_id: '4711' })).toMatchObject({
      status: 200,
      body: { platform_id: user.id, cases_user_id: 4711 },
    });
    const client = await gateway.signIn(user);
    expect((await client.get<UserResponse>('/v1/auth/me')).body.cases_user_id).toBe(4711);
    expect((await set(user.id, { cases_user_id: 4712 })).status).toBe(200);
    expect((await set(user.id, { cases_user_id: '1' }, client)).status).toBe(401);
    expect(await set('usr_unknown', { cases_user_id: '1' })).toMatchObject({
      status: 404,
      body: { code: 'user.not_found' },
    });
  });

  it('is not stored for a deleted account', async () => {
    const user = await gateway.user();
    await gateway.service.query(`UPDATE users SET ${SET_DELETED} WHERE id = $1`, [user.id]);
    expect((await set(user.id, { cases_user_id: '4711' })).status).toBe(404);
    expect(await gateway.service.query('SELECT cases_user_id FROM users WHERE id = $1', [user.id])).toEqual([
      { cases_user_id: null },
    ]);
  });

  it.each(['', '0', '-1', '1.5', '1e3', 'x', '2147483648', null, ['1'], {}])('cannot be %j', async (cases_user_id) => {
    const user = await gateway.user();
    expect(await set(user.id, { cases_user_id })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'cases_user_id'] }] },
    });
  });
});
