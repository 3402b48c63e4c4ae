import { challengeOf, newVerifier } from '@platform/client/pkce';
import type { SessionListResponse, SignupResponse } from '@platform/contracts';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PASSWORD } from '../../apps/auth-gateway/src/testing/gateway-test.js';
import { PanelGatewayClient } from '../../apps/panel/src/gateway/panel-gateway.client.js';
import { PanelTest } from './testing/panel-test.js';
import { USER_AGENT } from './testing/test-browser.js';

let test: PanelTest;
beforeAll(async () => (test = await PanelTest.start({ RATE_LIMIT_SCALE: '1' })));
afterAll(() => test.stop());

const challenge = challengeOf(newVerifier());

const askForDevice = async (label: string): Promise<string> => {
  const request = { code_challenge: challenge, code_challenge_method: 'S256', label };
  const { body } = await test.gateway.client().post<{ user_code: string }>('/v1/auth/cli/device/authorize', request);
  return body.user_code;
};

describe('for everybody', () => {
  it('signs up, tells how far that is, and resends', async () => {
    const email = test.gateway.newEmail();
    const browser = test.browser();
    const signup = await browser.post<SignupResponse>('/api/v1/auth/signup', { email, password: PASSWORD });
    expect(signup.status).toBe(201);
    const status = await browser.get(`/api/v1/auth/signup-status?token=${signup.body.status_token}`);
    expect(status).toMatchObject({ status: 200, body: { status: 'pending' } });
    expect((await browser.post('/api/v1/auth/resend-verification', { email })).status).toBe(200);
    expect(await browser.get(`/api/v1/auth/email-available?email=${email}`)).toMatchObject({ status: 200 });
  });

  it('sets a new password with the token of a mail, which signs out everywhere', async () => {
    const { browser, user } = await test.signedIn();
    expect((await test.browser().post('/api/v1/auth/forgot-password', { email: user.email })).status).toBe(200);
    const token = await test.gateway.mailToken(user.email);
    const reset = { token, new_password: 'a calm lake in winter' };
    expect((await test.browser().post('/api/v1/auth/reset-password', reset)).status).toBe(200);
    expect(await test.browser().post('/api/v1/auth/reset-password', reset)).toMatchObject({ status: 400 });
    expect((await browser.get('/session')).status).toBe(401);
    expect((await test.browser().post('/session', { email: user.email, password: reset.new_password })).status).toBe(
      204,
    );
  });

  it('passes on issues, limits and the request id', async () => {
    const answer = await test
      .browser()
      .post('/api/v1/auth/signup', { email: 'x', password: 'short' }, { 'X-Request-Id': 'a-request' });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'email'] }, { loc: ['body', 'password'] }] },
    });
    expect(answer.headers.get('x-request-id')).toBe('a-request');
    expect(answer.headers.get('ratelimit-policy')).toContain('signup-ip');
  });
});

describe('for who is signed in', () => {
  it('shows who one is, changes the password and keeps the session', async () => {
    const { browser, user } = await test.signedIn();
    const elsewhere = await test.signedIn(user);
    expect(await browser.get('/api/v1/auth/me')).toMatchObject({ status: 200, body: { id: user.id } });
    const wrong = { current_password: 'wrong', new_password: 'a calm lake in winter' };
    expect(await browser.post('/api/v1/auth/me/change-password', wrong)).toMatchObject({
      status: 400,
      body: { code: 'password.current_invalid' },
    });
    expect(
      (await browser.post('/api/v1/auth/me/change-password', { ...wrong, current_password: PASSWORD })).status,
    ).toBe(200);
    expect((await browser.get('/session')).status).toBe(200);
    expect((await elsewhere.browser.get('/session')).status).toBe(401);
  });

  it('lists sessions, ends another one, and the others', async () => {
    const { browser, user } = await test.signedIn();
    const second = await test.signedIn(user);
    const third = await test.signedIn(user);
    const { body } = await browser.get<SessionListResponse>('/api/v1/auth/sessions');
    expect(body.sessions.map(({ current }) => current).filter(Boolean)).toHaveLength(1);
    expect(new Set(body.sessions.map(({ ip_address }) => ip_address))).toEqual(
      new Set([browser, second.browser, third.browser].map(({ address }) => address)),
    );
    const other = body.sessions.find(({ ip_address }) => ip_address === second.browser.address);
    expect((await browser.post(`/api/v1/auth/sessions/${other?.session_id}/revoke`)).status).toBe(200);
    expect((await second.browser.get('/session')).status).toBe(401);
    expect(await browser.post('/api/v1/auth/sessions/revoke-others')).toMatchObject({
      status: 200,
      body: { revoked: 1 },
    });
    expect((await third.browser.get('/session')).status).toBe(401);
    expect((await browser.get('/session')).status).toBe(200);
  });

  it('signs out who ends the session they are in', async () => {
    const { browser, user } = await test.signedIn();
    const { body } = await browser.get<SessionListResponse>('/api/v1/auth/sessions');
    const answer = await browser.post(`/api/v1/auth/sessions/${body.sessions[0]?.session_id}/revoke`);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, [expect.stringContaining('Max-Age=0')]]);
    expect(await test.sessions(user.id)).toEqual([]);
    expect((await browser.get('/session')).status).toBe(401);
  });

  it('does not end the session of somebody else', async () => {
    const { browser } = await test.signedIn();
    const stranger = await test.signedIn();
    const { body } = await stranger.browser.get<SessionListResponse>('/api/v1/auth/sessions');
    expect((await browser.post(`/api/v1/auth/sessions/${body.sessions[0]?.session_id}/revoke`)).status).toBe(404);
    expect((await stranger.browser.get('/session')).status).toBe(200);
  });

  it('makes, lists and deletes API keys', async () => {
    const { browser } = await test.signedIn();
    const created = await browser.post<{ id: string; key: string }>('/api/v1/keys', { name: 'backup' });
    expect(created).toMatchObject({ status: 201, body: { key: expect.stringMatching(/^cp_live_/) } });
    const list = await browser.get<object[]>('/api/v1/keys');
    expect(list.body).toMatchObject([{ id: created.body.id, name: 'backup' }]);
    expect(JSON.stringify(list.body)).not.toContain(created.body.key);
    const stranger = await test.signedIn();
    expect((await stranger.browser.delete(`/api/v1/keys/${created.body.id}`)).status).toBe(404);
    expect((await browser.delete(`/api/v1/keys/${created.body.id}`)).status).toBe(200);
    expect((await browser.get<object[]>('/api/v1/keys')).body).toEqual([]);
  });

  it('shows what is paid to its user alone, and nobody what is not theirs', async () => {
    const { browser } = await test.signedIn();
    for (const path of ['subscription', 'auto-topup', 'payment-methods', 'payments?limit=5&offset=0', 'invoices']) {
      expect((await browser.get(`/api/v1/billing/${path}`)).status).toBe(200);
    }
    const plans = await test.browser().get('/api/v1/billing/plans');
    expect(plans.status).toBe(200);
    const head = await test.browser().client.request('HEAD', '/api/v1/billing/plans');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, plans.headers.get('content-length')]);
    expect((await test.browser().get('/api/v1/billing/topup-config')).status).toBe(200);
    expect(await browser.get('/api/v1/billing/invoices/inv_x')).toMatchObject({
      status: 404,
      body: { code: 'invoice.not_found' },
    });
    expect((await browser.delete('/api/v1/billing/payment-methods/pm_x')).status).toBe(404);
    const saved = await browser.client.request(
      'PUT',
      '/api/v1/billing/profile',
      { company: 'Engines Ltd' },
      { headers: { Cookie: browser.cookie ?? '' } },
    );
    expect(saved).toMatchObject({ status: 200, body: { company: 'Engines Ltd' } });
  });

  it.each([
    ['GET', '/api/v1/auth/me'],
    ['GET', '/api/v1/auth/sessions'],
    ['POST', '/api/v1/auth/me/change-password'],
    ['POST', '/api/v1/auth/sessions/revoke-others'],
    ['POST', '/api/v1/auth/sessions/ses_x/revoke'],
    ['GET', '/api/v1/keys'],
    ['POST', '/api/v1/keys'],
    ['DELETE', '/api/v1/keys/key_x'],
    ['POST', '/api/v1/auth/cli/device/lookup'],
    ['POST', '/api/v1/auth/cli/device/approve'],
    ['GET', '/api/v1/billing/payment-methods'],
    ['GET', '/api/v1/billing/invoices/inv_x'],
    ['POST', '/api/v1/billing/topup'],
    ['POST', '/api/v1/billing/payment-methods/setup'],
    ['DELETE', '/api/v1/billing/payment-methods/pm_x'],
  ])('refuses %s %s without a session, whatever else is sent', async (method, path) => {
    const { user } = await test.signedIn();
    const { accessToken } = await test.openTokens(user.id);
    const forged = {
      Authorization: `Bearer ${accessToken}`,
      'X-Service-Token': test.serviceToken,
      'X-Acting-User': user.id,
    };
    const answer = await test
      .browser()
      .client.withHeaders(forged)
      .request(method, path, method === 'POST' ? {} : undefined);
    expect(answer).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
  });
});

describe('devices', () => {
  it('shows what asks, and approves it for the person of the session alone', async () => {
    const { browser, user } = await test.signedIn();
    const { user: other } = await test.signedIn();
    const user_code = await askForDevice('laptop');
    const headers = { 'X-Acting-User': other.id, 'X-Service-Token': 'x'.repeat(24) };
    expect(await browser.post('/api/v1/auth/cli/device/lookup', { user_code }, headers)).toMatchObject({
      status: 200,
      body: { status: 'pending', label: 'laptop', user_code },
    });
    expect(await browser.post('/api/v1/auth/cli/device/approve', { user_code }, headers)).toMatchObject({
      status: 200,
      body: { status: 'approved', label: 'laptop' },
    });
    const [row] = await test.gateway.service.query('SELECT * FROM device_codes WHERE label = $1', ['laptop']);
    expect(JSON.stringify(row)).toContain(user.id);
    expect(await browser.post('/api/v1/auth/cli/device/approve', { user_code, action: 'deny' })).toMatchObject({
      status: 409,
    });
  });

  it('passes on 404, 410 and 429', async () => {
    const { browser } = await test.signedIn();
    const lookUp = (user_code: string) => browser.post('/api/v1/auth/cli/device/lookup', { user_code });
    const expired = await askForDevice('old');
    await test.gateway.service.query(
      "UPDATE device_codes SET expires_at = now() - interval '1 second' WHERE label = 'old'",
    );
    expect(await lookUp(expired)).toMatchObject({ status: 410, body: { code: 'device_code.expired' } });
    expect(await lookUp('BBBB-BBBB')).toMatchObject({ status: 404, body: { code: 'device_code.not_found' } });
    for (let at = 0; at < 9; at++) await lookUp('BBBB-BBBB');
    const refused = await lookUp('BBBB-BBBB');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('approves nothing for a session that was revoked elsewhere', async () => {
    const { browser, user } = await test.signedIn();
    const other = await test.signedIn(user);
    const user_code = await askForDevice('revoked');
    await other.browser.post('/api/v1/auth/sessions/revoke-others');
    expect(await browser.post('/api/v1/auth/cli/device/approve', { user_code })).toMatchObject({
      status: 401,
      body: { code: 'not_signed_in' },
    });
    expect(await other.browser.post('/api/v1/auth/cli/device/lookup', { user_code })).toMatchObject({
      body: { status: 'pending' },
    });
  });

  it('approves nothing when its session ends between the look at it and the approval', async () => {
    const { browser, user } = await test.signedIn();
    const user_code = await askForDevice('late');
    const gateway = test.panel.app.get(PanelGatewayClient);
    const actingFor = gateway.actingFor.bind(gateway);
    jest.spyOn(gateway, 'actingFor').mockImplementationOnce(async (...sent) => {
      expect((await test.gateway.actingFor(user.id).post('/v1/auth/sessions/revoke-others')).status).toBe(200);
      return actingFor(...sent);
    });
    expect(await browser.post('/api/v1/auth/cli/device/approve', { user_code })).toMatchObject({ status: 401 });
    jest.restoreAllMocks();
    const rows = await test.gateway.service.query('SELECT status, user_id FROM device_codes WHERE label = $1', [
      'late',
    ]);
    expect(rows).toEqual([{ status: 'pending', user_id: null }]);
  });
});

describe('what is not on the list', () => {
  it.each([
    ['POST', '/api/v1/auth/login'],
    ['POST', '/api/v1/auth/refresh'],
    ['POST', '/api/v1/auth/verify-email'],
    ['POST', '/api/v1/auth/cli/codes'],
    ['POST', '/api/v1/auth/register'],
    ['GET', '/api/v1/auth/.well-known/jwks.json'],
    ['GET', '/api/v1/auth/signup'],
    ['DELETE', '/api/v1/auth/me'],
    ['GET', '/api/v1/internal/anything'],
    ['GET', '/api/v1/users?limit=1'],
    ['POST', '/api/v1/billing/topup/confirm'],
    ['GET', '/api/v1/billing/invoices/inv_x/html'],
    ['POST', '/api/v1/admin/payments/pi_x/refund'],
    ['POST', '/api/v1/admin/wallets/usr_x/adjust'],
    ['POST', '/api/v1/webhooks/stripe'],
    ['GET', '/api'],
    ['GET', '/api/'],
    ['DELETE', '/api/v1/keys/%2e%2e'],
    ['DELETE', '/api/v1/keys/..%2Fauth'],
    ['POST', '/api/v1/auth/sessions/%2e%2e/revoke'],
    ['POST', '/api/v1/auth/sessions/a%2Fb/revoke'],
  ])('%s %s does not exist', async (method, path) => {
    const { browser } = await test.signedIn();
    const { status, body } = await browser.client.request(method, path, method === 'GET' ? undefined : {}, {
      headers: { Cookie: browser.cookie ?? '' },
    });
    expect([status, body]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
  });
});

describe('what goes to the gateway', () => {
  let received: IncomingMessage | undefined;
  let recorder: Server;
  beforeAll(async () => {
    recorder = createServer((request, response) => {
      received = request;
      const headers = {
        'Content-Type': 'application/json',
        'Set-Cookie': 'a=b',
        'X-Internal': 'yes',
        'Retry-After': '7',
      };
      response.writeHead(418, headers).end('{"detail":"no"}');
    });
    await new Promise<void>((done) => recorder.listen(0, '127.0.0.1', done));
  });
  afterAll(() => recorder.close());

  it('is nothing that a browser adds, and what comes back is no header that is not meant', async () => {
    const panel = await test.beside({
      AUTH_GATEWAY_URL: `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`,
    });
    const browser = test.browser(panel);
    const answer = await browser.post(
      '/api/v1/auth/signup',
      { email: 'a@b.example' },
      {
        Cookie: 'panel_session=x; other=y',
        Authorization: 'Bearer x',
        'X-Service-Token': 'x',
        'X-Acting-User': 'usr_x',
        'X-Forwarded-Host': 'evil.example',
        Forwarded: 'for=1.2.3.4',
        TE: 'trailers',
      },
    );
    expect(received?.headers).not.toHaveProperty('idempotency-key');
    const { headers } = received ?? {};
    await browser.post('/api/v1/auth/signup', {}, { 'Idempotency-Key': 'a-key' });
    expect(received?.headers).toHaveProperty('idempotency-key', 'a-key');
    await panel.stop();
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'x-forwarded-for': browser.address,
      'x-request-id': answer.headers.get('x-request-id'),
    });
    const kept = [
      'cookie',
      'authorization',
      'x-service-token',
      'x-acting-user',
      'x-forwarded-host',
      'forwarded',
      'te',
      'origin',
    ];
    expect(Object.keys(headers ?? {}).filter((name) => kept.includes(name))).toEqual([]);
    expect([answer.status, answer.body]).toEqual([418, { detail: 'no' }]);
    expect(answer.headers.get('retry-after')).toBe('7');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.headers.get('x-internal')).toBeNull();
  });
});
