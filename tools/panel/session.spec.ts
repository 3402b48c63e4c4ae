import { randomBytes } from 'node:crypto';
import { PASSWORD } from '../../apps/auth-gateway/src/testing/gateway-test.js';
import { PanelTest } from './testing/panel-test.js';
import { USER_AGENT } from './testing/test-browser.js';

let test: PanelTest;
beforeAll(async () => (test = await PanelTest.start({ RATE_LIMIT_SCALE: '1' })));
afterAll(() => test.stop());

const gatewaySessions = (userId: string) =>
  test.gateway.service.query<{ ip_address: string; user_agent: string; revoked_reason: string | null }>(
    'SELECT * FROM sessions WHERE user_id = $1 ORDER BY created_at, id',
    [userId],
  );

describe('signing in', () => {
  it('answers with a cookie alone, which stands for the person', async () => {
    const user = await test.gateway.user();
    const browser = test.browser();
    const { status, headers, body } = await browser.post('/session', { email: user.email, password: PASSWORD });
    expect([status, body]).toEqual([204, '']);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^panel_session=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^panel_device=[\w.-]+; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(await browser.get('/session')).toMatchObject({ status: 200, body: { id: user.id, email: user.email } });
  });

  it('keeps the cookie to HTTPS and to this host where the panel is reached by HTTPS', async () => {
    const panel = await test.beside({ PUBLIC_URL: 'https://panel.example.com' });
    const user = await test.gateway.user();
    const { headers } = await test
      .browser(panel)
      .post('/session', { email: user.email, password: PASSWORD }, { Origin: 'https://panel.example.com' });
    await panel.stop();
    expect(headers.getSetCookie()[0]).toMatch(
      /^__Host-panel_session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('takes the tenant along', async () => {
    await test.gateway.service.query("INSERT INTO tenants (id, name) VALUES ('acme', 'Acme')");
    await test.gateway.service.query(
      "INSERT INTO roles (id, tenant_id, name, display_name) VALUES ('rol_acme', 'acme', 'user', 'User') ON CONFLICT DO NOTHING",
    );
    const user = await test.gateway.user({ tenant_id: 'acme' });
    const credentials = { email: user.email, password: PASSWORD };
    expect((await test.browser().post('/session', credentials)).status).toBe(401);
    expect((await test.browser().post('/session', { ...credentials, tenant_id: 'acme' })).status).toBe(204);
  });

  it('passes on why the gateway refuses', async () => {
    const user = await test.gateway.signUp();
    const attempt = (body: object) => test.browser().post('/session', body);
    expect(await attempt({ email: user.email, password: PASSWORD })).toMatchObject({
      status: 403,
      body: { code: 'email_not_verified' },
    });
    expect(await attempt({ email: user.email, password: 'wrong' })).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    });
    expect(await attempt({ email: 'nobody', password: 'x' })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'email'] }] },
    });
    expect(await attempt({ email: user.email, password: PASSWORD, role: 'admin' })).toMatchObject({ status: 422 });
  });

  it('shows the gateway the person, not the panel: address, browser, and so the limits', async () => {
    const { browser, user } = await test.signedIn();
    expect(await gatewaySessions(user.id)).toMatchObject([
      { ip_address: browser.address, user_agent: USER_AGENT, surface: 'web' },
    ]);
    const strangers = test.browser();
    const answers = [];
    for (let at = 0; at < 31; at++)
      answers.push(await strangers.post('/session', { email: 'nobody@example.com', password: 'x' }));
    const refused = answers.at(-1);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.headers.get('ratelimit-policy')).toBe('"login-ip";q=30;w=60');
    expect((await test.browser().post('/session', { email: user.email, password: PASSWORD })).status).toBe(204);
  });

  it('shows the gateway a browser that the account was used in before, which no stranger’s wrong passwords delay', async () => {
    const user = await test.gateway.user();
    const [known, stranger] = [test.browser(), test.browser()];
    const attempt = (browser: typeof known, password = PASSWORD) =>
      browser.post('/session', { email: user.email, password });
    expect((await attempt(known)).status).toBe(204);
    for (let at = 0; at < 5; at++) expect((await attempt(stranger, 'not the password')).status).toBe(401);
    await test.gateway.service.query("UPDATE login_throttles SET blocked_until = blocked_until + interval '1 hour'");
    expect((await attempt(stranger)).status).toBe(429);
    expect((await attempt(known)).status).toBe(204);
  });

  it('does not believe an address that a stranger claims, where no proxy is trusted', async () => {
    const panel = await test.beside({ TRUSTED_PROXIES: '' });
    const user = await test.gateway.user();
    await test.browser(panel).post('/session', { email: user.email, password: PASSWORD });
    await panel.stop();
    expect(await gatewaySessions(user.id)).toMatchObject([{ ip_address: '127.0.0.1' }]);
  });

  it('gives a value of its own each time, and ends the session that the browser had (fixation)', async () => {
    const { browser, user } = await test.signedIn();
    const before = browser.cookie;
    const other = await test.gateway.user();
    await browser.post('/session', { email: other.email, password: PASSWORD });
    expect(browser.cookie).not.toBe(before);
    expect((await browser.get<{ id: string }>('/session')).body.id).toBe(other.id);
    expect((await test.browser().get('/session', { Cookie: before ?? '' })).status).toBe(401);
    expect(await gatewaySessions(user.id)).toMatchObject([{ revoked_reason: 'logout' }]);
  });

  it('takes no value that somebody else chose', async () => {
    const chosen = `panel_session=${'A'.repeat(43)}`;
    const user = await test.gateway.user();
    const browser = test.browser();
    browser.cookie = chosen;
    await browser.post('/session', { email: user.email, password: PASSWORD });
    expect(browser.cookie).not.toBe(chosen);
    expect((await test.browser().get('/session', { Cookie: chosen })).status).toBe(401);
  });

  it('confirms an address with the token of the mail and signs in with it, once', async () => {
    const email = test.gateway.newEmail();
    await test.browser().post('/api/v1/auth/signup', { email, password: PASSWORD });
    const token = await test.gateway.mailToken(email);
    const browser = test.browser();
    const { status, body } = await browser.post('/session/verify-email', { token });
    expect([status, body]).toEqual([204, '']);
    expect((await browser.get<{ email: string }>('/session')).body.email).toBe(email);
    expect(await test.browser().post('/session/verify-email', { token })).toMatchObject({
      status: 400,
      body: { code: 'invalid_or_expired_token' },
    });
  });
});

describe('signing out', () => {
  it('ends the session here and at the gateway, and again changes nothing', async () => {
    const { browser, user } = await test.signedIn();
    const cookie = browser.cookie ?? '';
    const { status, headers } = await browser.delete('/session');
    expect(status).toBe(204);
    expect(headers.getSetCookie()).toEqual([expect.stringContaining('panel_session=; Max-Age=0; Path=/; HttpOnly')]);
    expect(await test.sessions(user.id)).toEqual([]);
    expect(await gatewaySessions(user.id)).toMatchObject([{ revoked_reason: 'logout' }]);
    expect((await test.browser().get('/session', { Cookie: cookie })).status).toBe(401);
    expect((await browser.delete('/session')).status).toBe(204);
  });

  it('works while the gateway cannot be reached', async () => {
    const { browser, user } = await test.signedIn();
    const cutOff = await test.cutOff();
    const { status } = await test.browser(cutOff).delete('/session', { Cookie: browser.cookie ?? '' });
    await cutOff.stop();
    expect(status).toBe(204);
    expect(await test.sessions(user.id)).toEqual([]);
  });
});

describe('a cookie', () => {
  it.each([
    ['none', undefined],
    ['an empty one', 'panel_session='],
    ['another name', `session=${'A'.repeat(43)}`],
    ['a wrong length', `panel_session=${'A'.repeat(44)}`],
    ['an unknown value', `panel_session=${'A'.repeat(43)}`],
    ['SQL', "panel_session=' OR 1=1 --"],
  ])('with %s is nobody', async (_name, cookie) => {
    const { status, headers, body } = await test
      .browser()
      .get('/session', cookie === undefined ? {} : { Cookie: cookie });
    expect([status, body]).toEqual([401, expect.objectContaining({ code: 'not_signed_in' })]);
    expect(headers.get('www-authenticate')).toBe('Cookie realm="panel"');
  });

  it('whose tokens no secret key opens is nobody, signs in again, and does not come back with the key once it is signed out', async () => {
    const [kept, ended] = [await test.signedIn(), await test.signedIn()];
    const newer = `k2:${randomBytes(32).toString('base64')}`;
    const dropped = await test.beside({ SECRET_KEYS: newer });
    try {
      for (const { browser } of [kept, ended]) {
        const refused = await test.browser(dropped).get('/session', { Cookie: browser.cookie ?? '' });
        expect(refused).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
      }
      const again = test.browser(dropped);
      expect((await again.post('/session', { email: ended.user.email, password: PASSWORD })).status).toBe(204);
      expect((await again.get('/session')).status).toBe(200);
      expect((await test.browser(dropped).delete('/session', { Cookie: ended.browser.cookie ?? '' })).status).toBe(204);
    } finally {
      await dropped.stop();
    }
    const renewed = await test.beside({ SECRET_KEYS: `${newer},${test.panel.env['SECRET_KEYS']}` });
    try {
      const open = async ({ browser }: typeof kept) =>
        (await test.browser(renewed).get('/session', { Cookie: browser.cookie ?? '' })).status;
      expect([await open(kept), await open(ended)]).toEqual([200, 401]);
    } finally {
      await renewed.stop();
    }
  });

  it('is not in the database, and neither are the tokens', async () => {
    const { browser, user } = await test.signedIn();
    const [row] = await test.sessions(user.id);
    const stored = JSON.stringify({ ...row, key: row?.key.toString('latin1') });
    expect(stored).not.toContain(browser.cookie?.split('=')[1]);
    expect(stored).not.toMatch(/eyJ[\w-]+\.eyJ/); // beginning of every JWT
  });

  it('opens nothing with the tokens of another session, even for who can write to the database', async () => {
    const { browser: attacker, user: mallory } = await test.signedIn();
    const { user: victim } = await test.signedIn();
    await test.panel.query(
      'UPDATE sessions SET sealed_tokens = (SELECT sealed_tokens FROM sessions WHERE user_id = $1) WHERE user_id = $2',
      [victim.id, mallory.id],
    );
    expect((await attacker.get('/session')).status).toBe(401);
  });

  it('is good for nothing once the session has expired; the row is swept', async () => {
    const { browser, user } = await test.signedIn();
    const { user: other } = await test.signedIn();
    await test.panel.query("UPDATE sessions SET idle_expires_at = now() - interval '1 second' WHERE user_id = $1", [
      user.id,
    ]);
    const { status, headers } = await browser.get('/session');
    expect([status, headers.getSetCookie()[0]]).toEqual([401, expect.stringContaining('Max-Age=0')]);
    await test.sweep();
    expect(await test.sessions(user.id)).toEqual([]);
    expect(await test.sessions(other.id)).toHaveLength(1);
  });

  it('is never longer good than 180 days', async () => {
    const { browser, user } = await test.signedIn();
    await test.panel.query(
      "UPDATE sessions SET idle_expires_at = now() + interval '1 hour', absolute_expires_at = now() + interval '1 hour' WHERE user_id = $1",
      [user.id],
    );
    await test.makeStale(user);
    await browser.get('/session'); // refreshes and so moves the idle expiry
    const [row] = await test.panel.query<{ same: boolean }>(
      'SELECT idle_expires_at = absolute_expires_at AS same FROM sessions WHERE user_id = $1',
      [user.id],
    );
    expect(row?.same).toBe(true);
  });
});

it('lets no secret out: not in an answer, not in a cookie, not in the log', async () => {
  const { browser, user } = await test.signedIn();
  const answers = [
    await browser.get('/session'),
    await browser.get('/api/v1/auth/sessions'),
    await browser.get('/api/v1/keys'),
  ];
  const before = await test.openTokens(user.id);
  await test.makeStale(user);
  answers.push(await browser.get('/api/v1/auth/me'));
  const after = await test.openTokens(user.id);
  expect(after.refreshToken).not.toBe(before.refreshToken);
  const cookie = browser.cookie?.split('=')[1] ?? '';
  answers.push(
    await browser.post('/api/v1/auth/cli/device/lookup', { user_code: 'BBBB-BBBB' }),
    await browser.delete('/session'),
  );
  const shown = JSON.stringify(answers.map(({ headers, body }) => [[...headers], body]));
  const logged = [...test.panel.logLines, ...test.gateway.service.logLines].join('');
  const secrets = [before, after].flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken]);
  for (const secret of [...secrets, cookie, PASSWORD, test.serviceToken]) {
    expect(secret.length).toBeGreaterThan(10);
    expect(shown).not.toContain(secret);
    expect(logged).not.toContain(secret);
  }
  expect(logged).toContain(`user:${user.id}`); // the log is not empty and names the user
});
