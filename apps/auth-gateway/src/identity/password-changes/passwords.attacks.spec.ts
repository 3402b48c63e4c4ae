import type { TokenResponse } from '@platform/contracts';
import { sendRawRequest, type TestClient } from '@platform/testing';
import { decodeJwt } from 'jose';
import { GatewayTest, PASSWORD, type TestUser } from '../../testing/gateway-test.js';
import { holdPasswordChecks } from '../../testing/held-password-checks.js';
import { expectNothingStored, storedRows } from '../../testing/stored-rows.js';

let gateway: GatewayTest;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  await gateway.service.query("INSERT INTO tenants (id, name) VALUES ('acme', 'Acme')");
  await gateway.service.query(
    "INSERT INTO roles (id, tenant_id, name, display_name) VALUES ('rol_a', 'acme', 'user', 'User')",
  );
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => gateway.stop());

const NEW_PASSWORD = 'another horse battery';
const INVALID_TOKEN = { status: 400, body: { code: 'invalid_or_expired_token' } };
const login = (user: TestUser, password: string, tenant_id = 'default') =>
  gateway.client().post('/v1/auth/login', { email: user.email, password, tenant_id });
const reset = (token: string, new_password = NEW_PASSWORD) =>
  gateway.client().post('/v1/auth/reset-password', { token, new_password });
const me = (token: string) => gateway.client().withToken(token).get('/v1/auth/me');
const passwordHash = async ({ id }: TestUser) =>
  (await gateway.service.query<{ password_hash: string }>('SELECT password_hash FROM users WHERE id = $1', [id]))[0]
    ?.password_hash;

async function resetToken({ email }: TestUser, { tenant_id = 'default', after = 0 } = {}): Promise<string> {
  await gateway.resetRateLimits();
  await gateway.client().post('/v1/auth/forgot-password', { email, tenant_id });
  return gateway.mailToken(email, after);
}

/** A signup after the arrival of its mail, so that the next mail is another one. */
async function waitingSignup() {
  const signup = await gateway.signUp();
  await gateway.mailToken(signup.email);
  await gateway.resetRateLimits();
  gateway.smtp.mails.splice(0);
  return signup;
}

describe('the link of a mail', () => {
  it.each([
    ['/v1/auth/forgot-password', () => gateway.user(), 'reset-password'],
    ['/v1/auth/resend-verification', waitingSignup, 'verify-email'],
  ])('of %s leads to the configured address, whatever the request claims to be sent to', async (path, make, page) => {
    const { email } = await make();
    const evil = 'evil.example';
    const headers = { Host: evil, Origin: `https://${evil}`, Referer: `https://${evil}/` };
    const forwarded = {
      'X-Forwarded-Host': evil,
      'X-Forwarded-Proto': 'https',
      Forwarded: `host=${evil}`,
      'X-Original-Host': evil,
    };
    const answer = await sendRawRequest(`${gateway.service.url}${path}`, {
      method: 'POST',
      headers: { ...headers, ...forwarded, 'X-Forwarded-For': gateway.client().address },
      body: { email },
    });
    expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    const { text, html } = await gateway.smtp.waitForMail(email);
    expect(text).toContain(`http://localhost:4003/${page}#token=`);
    expect(`${text}${html}${JSON.stringify(await storedRows(gateway.service))}`).not.toContain(evil);
  });
});

describe('a reset token', () => {
  it('is of one account: the same address in another tenant keeps its password', async () => {
    const ours = await gateway.user();
    const theirs = await gateway.user({ email: ours.email, tenant_id: 'acme' });
    const token = await resetToken(ours, { tenant_id: 'acme' });
    const before = await passwordHash(ours);
    const asked = await gateway
      .client()
      .post('/v1/auth/reset-password', { token, new_password: NEW_PASSWORD, tenant_id: 'default' });
    expect(asked).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'tenant_id'], type: 'extra_forbidden' }] },
    });
    expect((await reset(token)).status).toBe(200);
    expect(await passwordHash(ours)).toBe(before);
    expect((await login(theirs, NEW_PASSWORD, 'acme')).status).toBe(200);
    expect((await login(ours, NEW_PASSWORD)).status).toBe(401);
  });

  it('is refused when it was used, when it expired, and when a newer mail replaced it, and changes nothing', async () => {
    const user = await gateway.user();
    const replaced = await resetToken(user);
    const used = await resetToken(user, { after: 1 });
    await expectNothingStored(gateway.service, async () => expect(await reset(replaced)).toMatchObject(INVALID_TOKEN));
    expect((await reset(used)).status).toBe(200);
    const expired = await resetToken(user, { after: 3 }); // the third mail is the notice of the changed password
    await gateway.service.query("UPDATE mail_tokens SET expires_at = now() - interval '1 second' WHERE user_id = $1", [
      user.id,
    ]);
    await expectNothingStored(gateway.service, async () => {
      for (const token of [replaced, used, expired, ''])
        expect(await reset(token, 'a third password')).toMatchObject(INVALID_TOKEN);
    });
    expect((await login(user, NEW_PASSWORD)).status).toBe(200);
  });

  it('confirms no address by the other route, and a confirmation sets no password', async () => {
    const resetting = await resetToken(await gateway.user());
    const confirming = await gateway.mailToken((await gateway.signUp()).email);
    await expectNothingStored(gateway.service, async () => {
      expect(await gateway.client().post('/v1/auth/verify-email', { token: resetting })).toMatchObject(INVALID_TOKEN);
      expect(await reset(confirming)).toMatchObject(INVALID_TOKEN);
    });
  });

  it('cannot be taken from a dump of the database', async () => {
    const user = await gateway.user();
    const token = await resetToken(user);
    const rows = await storedRows(gateway.service);
    expect(JSON.stringify(rows)).not.toContain(token);
    // Stored values, in each form that an attacker could try.
    const stored = rows['gateway.mail_tokens']?.find((row) => row.includes(user.id)) ?? '';
    const [, id = '', hash = ''] = /^\((job_\w+),.*"\\\\x([0-9a-f]{64})"/.exec(stored) ?? [];
    expect([id, hash]).not.toContain('');
    const bytes = Buffer.from(hash, 'hex');
    for (const guess of [id, hash, `\\x${hash}`, bytes.toString('base64'), bytes.toString('base64url')]) {
      expect(await reset(guess)).toMatchObject(INVALID_TOKEN);
    }
    expect((await reset(token)).status).toBe(200);
  });
});

describe('changing the password', () => {
  const change = (client: TestClient, body: Record<string, unknown>) =>
    client.post('/v1/auth/me/change-password', body);
  const failures = () => gateway.service.query<{ failures: number }>('SELECT failures FROM login_throttles');

  it('without the current one, or with a wrong one, changes nothing but the count of failures', async () => {
    const user = await gateway.user();
    const client = await gateway.signIn(user);
    const before = await passwordHash(user);
    await gateway.service.query('DELETE FROM login_throttles');
    await expectNothingStored(gateway.service, async () => {
      const missing = { status: 422, body: { detail: [{ loc: ['body', 'current_password'], type: 'missing' }] } };
      expect(await change(client, { new_password: NEW_PASSWORD })).toMatchObject(missing);
      expect((await change(client, { current_password: null, new_password: NEW_PASSWORD })).status).toBe(422);
      expect((await change(gateway.client(), { current_password: PASSWORD, new_password: NEW_PASSWORD })).status).toBe(
        401,
      );
    });
    for (const current_password of ['wrong password', '', PASSWORD.toUpperCase(), `${PASSWORD} `]) {
      const answer = await change(client, { current_password, new_password: NEW_PASSWORD });
      expect(answer).toMatchObject({ status: 400, body: { code: 'password.current_invalid' } });
    }
    expect(await failures()).toEqual([{ failures: 4 }]);
    expect(await passwordHash(user)).toBe(before);
  });

  it('ends every other session at once, and keeps its own', async () => {
    const user = await gateway.user();
    const others = await Promise.all(Array.from({ length: 5 }, () => gateway.login(user)));
    const own = await gateway.login(user);
    for (const { access_token } of others) expect((await me(access_token)).status).toBe(200);
    const answer = await change(gateway.client().withToken(own.access_token), {
      current_password: PASSWORD,
      new_password: NEW_PASSWORD,
    });
    expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    for (const { access_token, refresh_token } of others) {
      expect(await me(access_token)).toMatchObject({ status: 401, body: { code: 'invalid_token' } });
      const refreshed = await gateway.client().post('/v1/auth/refresh', { refresh_token });
      expect(refreshed).toMatchObject({ status: 401, body: { code: 'invalid_refresh_token' } });
    }
    const sessions = await gateway.service.query<{ id: string; revoked_reason: string | null }>(
      'SELECT id, revoked_reason FROM sessions WHERE user_id = $1',
      [user.id],
    );
    const ownId = decodeJwt(own.access_token)['sid'];
    for (const { id, revoked_reason } of sessions)
      expect(revoked_reason).toBe(id === ownId ? null : 'password_changed');
    expect(sessions).toHaveLength(6);
    expect((await me(own.access_token)).status).toBe(200);
  });

  it('succeeds once of 50 at the same time', async () => {
    const user = await gateway.user();
    const client = await gateway.signIn(user);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_value, at) =>
        change(client, { current_password: PASSWORD, new_password: `${NEW_PASSWORD} ${at}` }),
      ),
    );
    const winner = answers.findIndex(({ status }) => status === 200);
    const losers = answers.filter((_answer, at) => at !== winner);
    for (const { status, body } of losers) {
      expect([
        { status: 400, code: 'password.current_invalid' },
        { status: 429, code: 'rate_limited' },
      ]).toContainEqual({ status, code: (body as { code: string }).code });
    }
    expect((await login(user, `${NEW_PASSWORD} ${winner}`)).status).toBe(200);
  });

  it('gives at most five verdicts to 50 guesses at once, and none to the right one when it comes after them', async () => {
    const user = await gateway.user();
    const client = await gateway.signIn(user);
    const before = await passwordHash(user);
    await gateway.service.query('DELETE FROM login_throttles');
    const held = holdPasswordChecks(gateway.service, 50);
    const right = change(client, { current_password: PASSWORD, new_password: NEW_PASSWORD });
    const wrong = Array.from({ length: 49 }, (_value, at) =>
      change(client, { current_password: `guess ${at}`, new_password: NEW_PASSWORD }),
    );
    await held.checked;
    held.releaseWrong();
    const statuses = (await Promise.all(wrong)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(44);
    await gateway.service.query("UPDATE login_throttles SET blocked_until = blocked_until + interval '1 hour'"); // otherwise the block could end
    held.releaseRight();
    expect(await right).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(await failures()).toEqual([{ failures: 5 }]);
    expect(await passwordHash(user)).toBe(before);
  });
});

it('a stolen access token is no way to a new password', async () => {
  const { access_token } = (await gateway.login(await gateway.user())) satisfies TokenResponse;
  const client = gateway.client().withToken(access_token);
  await expectNothingStored(gateway.service, async () => {
    expect(
      (await client.post('/v1/auth/reset-password', { token: access_token, new_password: NEW_PASSWORD })).status,
    ).toBe(400);
    expect((await client.post('/v1/auth/me/change-password', { new_password: NEW_PASSWORD })).status).toBe(422);
  });
});
