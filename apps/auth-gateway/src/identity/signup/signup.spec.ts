import type { SignupResponse, SignupStatusResponse, TokenResponse, UserResponse } from '@platform/contracts';
import { until } from '@platform/testing';
import { GatewayTest, PASSWORD } from '../../testing/gateway-test.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start({ RATE_LIMIT_SCALE: '1' })));
afterAll(() => gateway.stop());

const signup = (email: string, changes: Record<string, unknown> = {}) =>
  gateway
    .client()
    .post<SignupResponse>('/v1/auth/signup', { email, password: PASSWORD, tenant_id: 'default', ...changes });

describe('signup', () => {
  it('mails a link that verifies the address and signs in', async () => {
    const email = gateway.newEmail();
    const { status, body } = await signup(email, { first_name: 'Ada', last_name: 'Lovelace' });
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(['message', 'status_token', 'user_id']);

    const mail = await gateway.smtp.waitForMail(email);
    expect(mail.subject).toBe('Confirm your e-mail address');
    expect(mail.html).toContain('Hello Ada');
    const token = await gateway.mailToken(email);

    const verified = await gateway.client().post<TokenResponse>('/v1/auth/verify-email', { token });
    expect(verified.status).toBe(200);
    expect(verified.body).toMatchObject({ token_type: 'bearer', expires_in: 900 });
    expect(verified.headers.get('cache-control')).toBe('no-store');

    const me = await gateway.client().withToken(verified.body.access_token).get<UserResponse>('/v1/auth/me');
    expect(me.body).toMatchObject({
      platform_id: body.user_id,
      id: body.user_id,
      email,
      first_name: 'Ada',
      role: 'user',
      tenant_id: 'default',
      is_active: true,
      scopes: [],
      attributes: {},
    });
  });

  it('refuses login until the address is verified, and says so only to who knows the password', async () => {
    const email = gateway.newEmail();
    await signup(email);
    const client = gateway.client();
    const right = await client.post('/v1/auth/login', { email, password: PASSWORD });
    expect(right).toMatchObject({ status: 403, body: { code: 'email_not_verified', detail: 'Email not verified' } });
    const wrong = await client.post('/v1/auth/login', { email, password: 'something else' });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
  });

  it('answers a taken address as it does a new one, changes nothing, and mails the owner once', async () => {
    const owner = await gateway.user();
    const before = await gateway.service.query('SELECT * FROM users WHERE id = $1', [owner.id]);
    const taken = await signup(owner.email.toUpperCase());
    const fresh = await signup(gateway.newEmail());
    expect(taken.status).toBe(201);
    expect(Object.keys(taken.body)).toEqual(Object.keys(fresh.body));
    expect(taken.body.message).toBe(fresh.body.message);
    expect(taken.body.user_id).not.toBe(owner.id);
    expect(await gateway.service.query('SELECT * FROM users WHERE id = $1', [owner.id])).toEqual(before);

    await signup(owner.email);
    expect((await gateway.smtp.waitForMail(owner.email)).subject).toBe('You already have an account');
    const status = await gateway
      .client()
      .get<SignupStatusResponse>(`/v1/auth/signup-status?token=${taken.body.status_token}`);
    expect(status.body.status).toBe('pending');
    await gateway.waitForMails();
    expect(gateway.smtp.mails.filter(({ to }) => to === owner.email)).toHaveLength(1);
  });

  it.each([
    ['an e-mail with a header in it', { email: 'a@example.com\r\nBcc: v@example.com' }, 'email', 'value_error'],
    ['two addresses', { email: 'a@example.com,b@example.com' }, 'email', 'value_error'],
    ['an object for an e-mail', { email: { $gt: '' } }, 'email', 'string_type'],
    ['an e-mail of 255 characters', { email: `${'a'.repeat(243)}@example.com` }, 'email', 'value_error'],
    ['a short password', { password: 'seven77' }, 'password', 'string_too_short'],
    ['a password of 129 characters', { password: 'x'.repeat(129) }, 'password', 'string_too_long'],
    ['a NUL character', { first_name: 'a\0b' }, 'first_name', 'value_error'],
    ['a lone surrogate', { password: 'long enough \ud800' }, 'password', 'value_error'],
    ['an unknown key', { role: 'admin' }, 'role', 'extra_forbidden'],
  ])('refuses %s', async (_what, changes, key, type) => {
    const { status, body } = await signup(gateway.newEmail(), changes);
    expect(status).toBe(422);
    const detail = [expect.objectContaining({ loc: ['body', key], type })];
    expect(body).toEqual({ detail, code: 'validation_failed', request_id: expect.any(String) });
  });

  it('counts a password in characters, and takes any composition of them', async () => {
    const email = gateway.newEmail();
    await signup(email, { password: 'caf\u00e9 \u{1f511}\u{1f511}\u{1f511}' });
    await gateway.client().post('/v1/auth/verify-email', { token: await gateway.mailToken(email) });
    const decomposed = { email, password: 'cafe\u0301 \u{1f511}\u{1f511}\u{1f511}' };
    expect((await gateway.client().post('/v1/auth/login', decomposed)).status).toBe(200);
  });

  it('limits signups per address, behind a trusted proxy too', async () => {
    const client = gateway.client();
    for (let at = 0; at < 10; at++) expect((await client.post('/v1/auth/signup', {})).status).toBe(422);
    const refused = await client.post('/v1/auth/signup', {});
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(300);
    expect(refused.headers.get('ratelimit-policy')).toBe('"signup-ip";q=10;w=3600');
    // The proxy appends the client's real address; earlier values in the header are ignored.
    const claimed = client.withHeaders({ 'X-Forwarded-For': `1.2.3.4, ${client.address}` });
    expect((await claimed.post('/v1/auth/signup', {})).status).toBe(429);
  });
});

describe('verification', () => {
  it('takes a token once, though 50 present it at once', async () => {
    const email = gateway.newEmail();
    await signup(email);
    const token = await gateway.mailToken(email);
    const clients = Array.from({ length: 50 }, () => gateway.client());
    const answers = await Promise.all(clients.map((client) => client.post('/v1/auth/verify-email', { token })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(49);
    expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({ code: 'invalid_or_expired_token' });
  });

  it('refuses a token that expired, and one that a newer mail replaced', async () => {
    const email = gateway.newEmail();
    await signup(email);
    const first = await gateway.mailToken(email);
    await gateway.resetRateLimits();
    await gateway.client().post('/v1/auth/resend-verification', { email });
    const second = await gateway.mailToken(email, 1);
    expect((await gateway.client().post('/v1/auth/verify-email', { token: first })).status).toBe(400);
    await gateway.service.query("UPDATE pending_credentials SET link_expires_at = now() - interval '1 second'");
    expect((await gateway.client().post('/v1/auth/verify-email', { token: second })).status).toBe(400);
  });

  it('stores no token that a dump of the database would give away', async () => {
    const email = gateway.newEmail();
    await signup(email);
    const token = await gateway.mailToken(email);
    const dump = JSON.stringify([
      await gateway.service.query(
        "SELECT *, encode(token_hash, 'escape'), encode(token_hash, 'base64') FROM pending_credentials",
      ),
      await gateway.service.query('SELECT * FROM outbox'),
    ]);
    expect(dump).not.toContain(token);
    expect(gateway.service.logLines.join()).not.toContain(token);
  });

  it('answers resend alike for every address and mails at most once a minute', async () => {
    const email = gateway.newEmail();
    await signup(email);
    await gateway.mailToken(email);
    const known = await gateway.client().post('/v1/auth/resend-verification', { email });
    const unknown = await gateway.client().post('/v1/auth/resend-verification', { email: gateway.newEmail() });
    expect(known.status).toBe(200);
    expect(known).toMatchObject({ status: unknown.status, body: unknown.body as object });
    await gateway.waitForMails();
    expect(gateway.smtp.mails.filter(({ to }) => to === email)).toHaveLength(1);
  });
});

describe('signup status', () => {
  it('follows the signup and can do nothing else', async () => {
    const email = gateway.newEmail();
    const { body } = await signup(email);
    const status = async (token: string) =>
      (await gateway.client().get<SignupStatusResponse>(`/v1/auth/signup-status?token=${token}`)).body;
    expect(await status(body.status_token)).toEqual({
      status: 'pending',
      email_masked: `${email.slice(0, 1)}••@example.com`,
    });
    expect((await gateway.client().post('/v1/auth/verify-email', { token: body.status_token })).status).toBe(400);
    expect((await gateway.client().withToken(body.status_token).get('/v1/auth/me')).status).toBe(401);
    await gateway.client().post('/v1/auth/verify-email', { token: await gateway.mailToken(email) });
    expect((await status(body.status_token)).status).toBe('verified');
    expect(await status('no.such.token')).toEqual({ status: 'unknown', email_masked: null });
    expect((await gateway.client().get('/v1/auth/signup-status')).status).toBe(422);
  });

  it.each([
    [6, 'pending'],
    [8, 'expired'],
  ])('after %s days says %s: a signup waits for a week', async (days, wanted) => {
    const { body } = await signup(gateway.newEmail());
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + days * 86_400_000);
    const answer = await gateway
      .client()
      .get<SignupStatusResponse>(`/v1/auth/signup-status?token=${body.status_token}`);
    now.mockRestore();
    expect(answer.body.status).toBe(wanted);
  });
});

describe('a mail server that is down', () => {
  it('delays the mail and not the signup', async () => {
    gateway.expectFailures('mail');
    await gateway.smtp.stop();
    const email = gateway.newEmail();
    expect((await signup(email)).status).toBe(201);
    await until(() => gateway.service.logLines.some((line) => line.includes('job will be retried')));
    await gateway.smtp.start();
    const token = await gateway.mailToken(email);
    expect((await gateway.client().post('/v1/auth/verify-email', { token })).status).toBe(200);
  });
});
