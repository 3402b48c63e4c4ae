import type { LoginResponse, TokenResponse } from '@platform/contracts';
import type { TestResponse } from '@platform/testing';
import { GatewayTest, PASSWORD, type TestUser } from '../../testing/gateway-test.js';
import { holdPasswordChecks } from '../../testing/held-password-checks.js';
import { expectNothingStored } from '../../testing/stored-rows.js';
import { KnownDevicesService } from './known-devices.service.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start({ RATE_LIMIT_SCALE: '1' })));
afterEach(() => jest.restoreAllMocks());
afterAll(() => gateway.stop());

const attempt = (email: string, password: string, client = gateway.client()): Promise<TestResponse<TokenResponse>> =>
  client.post<TokenResponse>('/v1/auth/login', { email, password, tenant_id: 'default' });
const signIn = async ({ email, tenant_id }: TestUser) =>
  (await gateway.client().post<LoginResponse>('/v1/auth/login', { email, password: PASSWORD, tenant_id })).body;
const withDevice = (user: TestUser, device_token: string, password = PASSWORD) =>
  gateway.client().post<LoginResponse>('/v1/auth/login', { email: user.email, password, device_token });
const wrong = (user: TestUser, client = gateway.client()) => attempt(user.email, 'not the password', client);
const sessionsOf = ({ id }: TestUser) => gateway.service.query('SELECT id FROM sessions WHERE user_id = $1', [id]);
/**
 * Without the time of the block: it lasts 2 s at first, which a busy machine may need for a few
 * requests.
 */
const throttles = () => gateway.service.query<{ failures: number }>('SELECT failures FROM login_throttles');

const NEW_PASSWORD = 'another horse battery';
const changePassword = async (user: TestUser) =>
  (await gateway.signIn(user)).post('/v1/auth/me/change-password', {
    current_password: PASSWORD,
    new_password: NEW_PASSWORD,
  });
const resetPassword = async ({ email }: TestUser) => {
  await gateway.client().post('/v1/auth/forgot-password', { email });
  return gateway
    .client()
    .post('/v1/auth/reset-password', { token: await gateway.mailToken(email), new_password: NEW_PASSWORD });
};
const signOutEverywhere = async (user: TestUser) =>
  (await gateway.signIn(user)).post('/v1/auth/sessions/revoke-others');
const disableForAWhile = async ({ id }: TestUser) => {
  const admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
  await admin.patch(`/v1/users/${id}`, { is_active: false });
  return admin.patch(`/v1/users/${id}`, { is_active: true });
};

describe('login', () => {
  it('begins a session and returns its tokens', async () => {
    const user = await gateway.user();
    const { status, headers, body } = await attempt(user.email, PASSWORD);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 900,
      device_token: expect.any(String),
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
  });

  it('takes the tenant for the default one when none is named', async () => {
    const user = await gateway.user();
    expect((await gateway.client().post('/v1/auth/login', { email: user.email, password: PASSWORD })).status).toBe(200);
  });

  it('finds the account whatever the case of the address and the spaces around it', async () => {
    const user = await gateway.user();
    expect((await attempt(` ${user.email.toUpperCase()} `, PASSWORD)).status).toBe(200);
  });

  it('does not find the account in another tenant', async () => {
    await gateway.service.query("INSERT INTO tenants (id, name) VALUES ('acme', 'Acme') ON CONFLICT DO NOTHING");
    const user = await gateway.user();
    const answer = await gateway
      .client()
      .post('/v1/auth/login', { email: user.email, password: PASSWORD, tenant_id: 'acme' });
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
  });

  it('tells the state of an account to who knows its password, and to nobody else', async () => {
    const disabled = await gateway.user({ is_active: false });
    const unverified = await gateway.signUp();
    await gateway.mailToken(unverified.email);
    await expectNothingStored(gateway.service, async () => {
      expect(await attempt(disabled.email, PASSWORD)).toMatchObject({
        status: 403,
        body: { code: 'account_disabled' },
      });
      expect(await attempt(unverified.email, PASSWORD)).toMatchObject({
        status: 403,
        body: { code: 'email_not_verified' },
      });
    });
    for (const user of [disabled, unverified]) {
      expect(await wrong(user)).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
      expect(await sessionsOf(user)).toEqual([]);
    }
  });

  it('brings an older hash up to date', async () => {
    const older = '$argon2id$v=19$m=4096,t=1,p=1$';
    const { hash } = await import('@node-rs/argon2');
    const user = await gateway.user({
      password_hash: await hash(PASSWORD, { memoryCost: 4096, timeCost: 1, parallelism: 1 }),
    });
    const stored = async () =>
      (
        await gateway.service.query<{ password_hash: string }>('SELECT password_hash FROM users WHERE id = $1', [
          user.id,
        ])
      )[0]?.password_hash;
    expect(await stored()).toContain(older);
    await gateway.login(user);
    expect(await stored()).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    await gateway.login(user);
  });

  it('keeps at most 50 sessions of a user and ends the one that was idle longest', async () => {
    const user = await gateway.user();
    const first = await gateway.login(user);
    await gateway.service.query("UPDATE sessions SET last_seen_at = now() - interval '1 day' WHERE user_id = $1", [
      user.id,
    ]);
    await gateway.service.query(
      `INSERT INTO sessions (id, user_id, surface, idle_expires_at, absolute_expires_at)
       SELECT 'ses_' || n || $1, $1, 'api', now() + interval '1 day', now() + interval '1 day' FROM generate_series(1, 49) n`,
      [user.id],
    );
    await gateway.login(user);
    expect((await gateway.client().post('/v1/auth/refresh', { refresh_token: first.refresh_token })).status).toBe(401);
    const [live] = await gateway.service.query(
      'SELECT count(*)::int FROM sessions WHERE user_id = $1 AND revoked_at IS NULL',
      [user.id],
    );
    expect(live).toEqual({ count: 50 });
  });

  it.each([
    ['no password', { email: 'a@example.com' }, 'password', 'missing'],
    [
      'a password of 1 MB, cut by the body limit',
      { email: 'a@example.com', password: 'x'.repeat(60_000) },
      'password',
      'string_too_long',
    ],
    ['an array', { email: ['a@example.com'], password: 'x' }, 'email', 'string_type'],
    [
      'a tenant with a path in it',
      { email: 'a@example.com', password: 'x', tenant_id: '../x' },
      'tenant_id',
      'string_pattern_mismatch',
    ],
  ])('refuses %s', async (_what, body, key, type) => {
    const answer = await gateway.client().post('/v1/auth/login', body);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', key], type }] } });
  });
});

describe('guessing at one account', () => {
  it('slows down after five wrong passwords, from whatever address, and the right one waits too', async () => {
    const user = await gateway.user();
    for (let at = 0; at < 5; at++) expect((await wrong(user)).status).toBe(401);
    await gateway.extendLoginBlocks();
    const refused = await attempt(user.email, PASSWORD);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect(refused.headers.get('ratelimit')).not.toContain('account');
    expect(await sessionsOf(user)).toEqual([]);
  });

  it('leaves a device that the account was used from before alone, wherever it is now', async () => {
    const user = await gateway.user();
    const { device_token } = await signIn(user);
    for (let at = 0; at < 6; at++) await wrong(user);
    await gateway.extendLoginBlocks();
    const stranger = await attempt(user.email, PASSWORD);
    expect(stranger).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(stranger.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await withDevice(user, device_token)).status).toBe(200);
    expect(await sessionsOf(user)).toHaveLength(2);
  });

  it('does not know a device by a session that was registered for it', async () => {
    const user = await gateway.user();
    const device = gateway.client();
    const session = { surface: 'web', user_id: user.id, ip_address: device.address };
    expect((await gateway.backend().post('/v1/auth/sessions/register', session)).status).toBe(200);
    for (let at = 0; at < 6; at++) await wrong(user);
    await gateway.extendLoginBlocks();
    expect((await attempt(user.email, PASSWORD, device)).status).toBe(429);
  });

  it('takes nobody for that device who shares its address, its program, or both', async () => {
    const user = await gateway.user();
    const owner = gateway.client().withHeaders({ 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' });
    await gateway.login(user, owner);
    for (let at = 0; at < 5; at++) await wrong(user);
    await gateway.extendLoginBlocks();
    expect((await attempt(user.email, PASSWORD, owner)).status).toBe(429);
    expect(await sessionsOf(user)).toHaveLength(1);
  });

  it('takes no token of another account, tenant or key, none that expired or was changed, and no other text', async () => {
    const [user, other] = [await gateway.user(), await gateway.user()];
    await gateway.service.query("INSERT INTO tenants (id, name) VALUES ('acme', 'Acme') ON CONFLICT DO NOTHING");
    await gateway.service.query(
      "INSERT INTO roles (id, tenant_id, name, display_name) VALUES ('rol_acme', 'acme', 'user', 'User') ON CONFLICT DO NOTHING",
    );
    const namesake = await gateway.user({ email: user.email, tenant_id: 'acme' });
    const { device_token: own, access_token, refresh_token } = await signIn(user);
    const [key, expires, device, mac] = own.split('.') as [string, string, string, string];
    const forged = [
      [key, String(Number(expires) + 1), device, mac],
      [key, expires, 'x'.repeat(43), mac],
      ['other', expires, device, mac],
      [key, expires, device, ''],
    ].map((parts) => parts.join('.'));
    const foreign = [(await signIn(other)).device_token, (await signIn(namesake)).device_token];
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 91 * 86_400_000);
    const expired = gateway.service.app
      .get(KnownDevicesService)
      .issueDeviceToken({ user_id: user.id, credentials_epoch: 0 });
    jest.restoreAllMocks();
    for (let at = 0; at < 5; at++) await wrong(user);
    await gateway.extendLoginBlocks();
    for (const token of [...forged, ...foreign, expired, access_token, refresh_token, '', `${own} `]) {
      expect(await withDevice(user, token)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    }
    expect((await withDevice(user, own)).status).toBe(200);
  });

  it.each<[string, (user: TestUser) => Promise<{ status: number }>]>([
    ['a new password', changePassword],
    ['a reset of the password', resetPassword],
    ['signing out everywhere', signOutEverywhere],
    ['an account that was disabled and is not any more', disableForAWhile],
  ])('knows no device of before after %s, but those of logins since', async (_what, end) => {
    const [user, other] = [await gateway.user(), await gateway.user()];
    const [before, bystanders] = [(await signIn(user)).device_token, (await signIn(other)).device_token];
    expect((await end(user)).status).toBe(200);
    const password = end === changePassword || end === resetPassword ? NEW_PASSWORD : PASSWORD;
    const since = await gateway.client().post<LoginResponse>('/v1/auth/login', { email: user.email, password });
    for (const guessed of [user, other]) for (let at = 0; at < 5; at++) await wrong(guessed);
    await gateway.extendLoginBlocks();
    expect(await withDevice(user, before, password)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect((await withDevice(user, since.body.device_token, password)).status).toBe(200);
    expect((await withDevice(other, bystanders)).status).toBe(200);
  });

  it('knows no device of an account that had the address before', async () => {
    const user = await gateway.user();
    const { device_token } = await signIn(user);
    const admin = await gateway.signIn(await gateway.user({ role: 'admin' }));
    expect((await admin.delete(`/v1/users/${user.id}?permanent=true`)).status).toBe(200);
    const heir = await gateway.user({ email: user.email });
    for (let at = 0; at < 5; at++) await wrong(heir);
    await gateway.extendLoginBlocks();
    expect((await withDevice(heir, device_token)).status).toBe(429);
  });

  it('counts on a known device as well, and goes on counting when the device gets a new token', async () => {
    const user = await gateway.user();
    const { device_token: first } = await signIn(user);
    const { body } = await withDevice(user, first);
    expect(body.device_token).not.toBe('');
    for (let at = 0; at < 5; at++)
      expect((await withDevice(user, [first, body.device_token][at % 2] ?? '', 'wrong password')).status).toBe(401);
    await gateway.extendLoginBlocks();
    for (const token of [first, body.device_token]) expect((await withDevice(user, token)).status).toBe(429);
    expect((await attempt(user.email, PASSWORD)).status).toBe(200); // a device without wrong passwords
  });

  it('knows the device of a signup that was confirmed there', async () => {
    const { id, email } = await gateway.signUp();
    const token = await gateway.mailToken(email);
    const { body } = await gateway.client().post<LoginResponse>('/v1/auth/verify-email', { token });
    for (let at = 0; at < 5; at++) await wrong({ id, email });
    await gateway.extendLoginBlocks();
    expect((await attempt(email, PASSWORD)).status).toBe(429);
    expect((await withDevice({ id, email }, body.device_token)).status).toBe(200);
  });

  it('gives five verdicts to 50 guesses at once, and none to the right one when it comes after them', async () => {
    const user = await gateway.user();
    await gateway.service.query('DELETE FROM login_throttles');
    const held = holdPasswordChecks(gateway.service, 50);
    const right = attempt(user.email, PASSWORD);
    const guesses = Array.from({ length: 49 }, () => wrong(user));
    await held.checked;
    held.releaseWrong();
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(44);
    await gateway.extendLoginBlocks();
    held.releaseRight();
    expect(await right).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(await throttles()).toEqual([{ failures: 5 }]);
    expect(await sessionsOf(user)).toEqual([]);
  });

  it('doubles the wait up to 15 minutes, and a day from the hundredth failure on', async () => {
    const user = await gateway.user();
    await gateway.service.query('DELETE FROM login_throttles');
    for (let at = 0; at < 5; at++) await wrong(user);
    const waitAfter = async (failures: number) => {
      await gateway.service.query('UPDATE login_throttles SET failures = $1, blocked_until = now()', [failures - 1]);
      await wrong(user);
      const [row] = await gateway.service.query<{ wait: number }>(
        'SELECT round(extract(epoch FROM blocked_until - updated_at))::int AS wait FROM login_throttles',
      );
      return row?.wait;
    };
    expect(await waitAfter(6)).toBe(4);
    expect(await waitAfter(9)).toBe(32);
    expect(await waitAfter(50)).toBe(900);
    expect(await waitAfter(100)).toBe(86_400);
  });

  it('forgets the failures when the right password comes', async () => {
    const user = await gateway.user();
    await gateway.service.query('DELETE FROM login_throttles');
    for (let at = 0; at < 4; at++) await wrong(user);
    expect(await throttles()).toEqual([{ failures: 4 }]);
    await gateway.login(user);
    expect(await throttles()).toEqual([]);
  });

  it('names no account in the table of failures', async () => {
    const user = await gateway.user();
    await wrong(user);
    const rows = await gateway.service.query("SELECT encode(key, 'escape') AS key FROM login_throttles");
    expect(JSON.stringify(rows)).not.toContain(user.email.split('@')[0]);
  });
});

describe('one client address', () => {
  const from = (forwarded: string) =>
    gateway.client().post('/v1/auth/login', {}, { headers: { 'X-Forwarded-For': forwarded } });
  /**
   * Sends until the limit refuses. Returns the number of accepted requests, which is above the
   * quota only on a slow machine.
   */
  async function tries(send: (at: number) => Promise<TestResponse<unknown>>): Promise<number> {
    for (let at = 0; ; at++) {
      const { status, headers, body } = await send(at);
      if (status === 422) continue;
      expect({ status, body }).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(headers.get('ratelimit')).toMatch(/^"login-ip";r=0;t=\d+$/);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      return at;
    }
  }

  it('may try 30 times a minute, whatever it claims to be', async () => {
    const { address } = gateway.client();
    await expectNothingStored(gateway.service, async () => {
      expect(await tries((at) => from(`203.0.113.${at}, garbage, ${address}`))).toBeGreaterThanOrEqual(30);
    });
  });

  it('is a whole IPv6 /64, and not the next', async () => {
    expect(await tries((at) => from(`2001:db8:13:1:${at.toString(16)}::1`))).toBeGreaterThanOrEqual(30);
    expect((await from('2001:db8:13:2::1')).status).toBe(422);
  });

  it.each([
    ['ports', (at: number) => `198.51.100.31:${50_000 + at}`, '198.51.100.32:50000'],
    ['ports and brackets', (at: number) => `[2001:db8:14:1::1]:${50_000 + at}`, '[2001:db8:14:2::1]:50000'],
    ['zones', (at: number) => `2001:db8:14:3::1%eth${at}`, '2001:db8:14:4::1%eth0'],
    ['quotes', (at: number) => `"198.51.100.33:${50_000 + at}"`, '"198.51.100.34:50000"'],
    [
      'the port of a second proxy',
      (at: number) => `198.51.100.35, 127.0.0.1:${50_000 + at}`,
      '198.51.100.36, 127.0.0.1:50000',
    ],
  ])('is one behind a proxy that adds %s, and another address another', async (_what, address, other) => {
    expect(await tries((at) => from(address(at)))).toBeGreaterThanOrEqual(30);
    expect((await from(other)).status).toBe(422);
  });

  it('is no device of an account because it claims so', async () => {
    const user = await gateway.user();
    const known = gateway.client();
    await gateway.login(user, known);
    for (let at = 0; at < 5; at++) await wrong(user);
    await gateway.extendLoginBlocks();
    const claims = gateway
      .client()
      .withHeaders({ 'X-Forwarded-For': `${known.address}, ${gateway.client().address}`, 'X-Real-IP': known.address });
    expect((await attempt(user.email, PASSWORD, claims)).status).toBe(429);
    expect(await sessionsOf(user)).toHaveLength(1);
  });
});
