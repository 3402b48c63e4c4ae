import type { SessionListResponse, SessionValidResponse, TokenResponse } from '@platform/contracts';
import type { TestClient } from '@platform/testing';
import { until } from '@platform/testing';
import { decodeJwt } from 'jose';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start({ RATE_LIMIT_SCALE: '1' })));
afterAll(() => gateway.stop());

interface SignedIn {
  client: TestClient;
  pair: TokenResponse;
  sessionId: string;
}

async function signIn(user: TestUser, userAgent = 'Mozilla/5.0 Firefox'): Promise<SignedIn> {
  const client = gateway.client().withHeaders({ 'User-Agent': userAgent });
  const pair = await gateway.login(user, client);
  return {
    client: client.withToken(pair.access_token),
    pair,
    sessionId: decodeJwt(pair.access_token)['sid'] as string,
  };
}

const list = async (client: TestClient) => (await client.get<SessionListResponse>('/v1/auth/sessions')).body.sessions;
const ids = async (client: TestClient) => (await list(client)).map(({ session_id }) => session_id);
const isSignedIn = async ({ client }: SignedIn) => (await client.get('/v1/auth/me')).status === 200;

describe('the list of sessions', () => {
  it('shows where one is signed in, the latest first, and which session asks', async () => {
    const user = await gateway.user();
    const first = await signIn(user, 'curl/8');
    const second = await signIn(user);
    await gateway.service.query("UPDATE sessions SET last_seen_at = now() - interval '1 hour' WHERE id = $1", [
      first.sessionId,
    ]);
    expect(await list(second.client)).toEqual([
      {
        session_id: second.sessionId,
        label: 'Mozilla/5.0 Firefox',
        surface: 'web',
        ip_address: second.client.address,
        user_agent: 'Mozilla/5.0 Firefox',
        created_at: expect.any(String),
        last_seen_at: expect.any(String),
        expires_at: expect.any(String),
        current: true,
      },
      expect.objectContaining({ session_id: first.sessionId, surface: 'api', current: false }),
    ]);
  });

  it('leaves out what can no longer be used, and what is not one’s own', async () => {
    const user = await gateway.user();
    await signIn(await gateway.user());
    const [here, idle, old, out] = [await signIn(user), await signIn(user), await signIn(user), await signIn(user)];
    await gateway.service.query('UPDATE sessions SET idle_expires_at = now() WHERE id = $1', [idle.sessionId]);
    await gateway.service.query('UPDATE sessions SET absolute_expires_at = now() WHERE id = $1', [old.sessionId]);
    await gateway.client().post('/v1/auth/logout', { refresh_token: out.pair.refresh_token });
    expect(await ids(here.client)).toEqual([here.sessionId]);
  });

  it('is shown to a trusted backend that acts for the user', async () => {
    const user = await gateway.user();
    const { sessionId } = await signIn(user);
    const sessions = await list(gateway.actingFor(user.id));
    expect(sessions).toMatchObject([{ session_id: sessionId, current: false }]);
    expect((await gateway.backend().get('/v1/auth/sessions')).status).toBe(422);
    expect((await gateway.client().get('/v1/auth/sessions')).status).toBe(401);
  });
});

describe('revoking', () => {
  it('ends a session at once, in other processes too, and its refresh token with it', async () => {
    const user = await gateway.user();
    const [here, there] = [await signIn(user), await signIn(user)];
    const beside = await gateway.startSecondProcess();
    const elsewhere = () => beside.client().withToken(there.pair.access_token).get('/v1/auth/me');
    expect((await elsewhere()).status).toBe(200);
    expect(await isSignedIn(there)).toBe(true);
    const answer = await here.client.post(`/v1/auth/sessions/${there.sessionId}/revoke`);
    expect(answer).toMatchObject({ status: 200, body: { status: 'revoked', session_id: there.sessionId } });
    expect(await isSignedIn(there)).toBe(false);
    await until(async () => (await elsewhere()).status === 401);
    await beside.stop();
    expect((await gateway.client().post('/v1/auth/refresh', { refresh_token: there.pair.refresh_token })).status).toBe(
      401,
    );
    expect(await ids(here.client)).toEqual([here.sessionId]);
    expect((await here.client.post(`/v1/auth/sessions/${there.sessionId}/revoke`)).status).toBe(200);
  });

  it('takes no session of somebody else, and does not tell it from an unknown one', async () => {
    const [ada, eve] = [await signIn(await gateway.user()), await signIn(await gateway.user())];
    const foreign = await eve.client.post(`/v1/auth/sessions/${ada.sessionId}/revoke`);
    const unknown = await eve.client.post('/v1/auth/sessions/ses_unknown/revoke');
    expect(foreign).toMatchObject({ status: 404, body: { code: 'session.not_found' } });
    expect({ ...(foreign.body as object), request_id: '' }).toEqual({ ...(unknown.body as object), request_id: '' });
    expect((await eve.client.get(`/v1/auth/sessions/${ada.sessionId}/valid`)).status).toBe(404);
    expect(await isSignedIn(ada)).toBe(true);
  });

  it('ends all others and keeps the one that asks', async () => {
    const user = await gateway.user();
    const [here, ...others] = [await signIn(user), await signIn(user), await signIn(user)];
    expect(await here.client.post('/v1/auth/sessions/revoke-others')).toMatchObject({
      status: 200,
      body: { revoked: 2 },
    });
    for (const other of others) expect(await isSignedIn(other)).toBe(false);
    expect(await ids(here.client)).toEqual([here.sessionId]);
    expect((await here.client.post('/v1/auth/sessions/revoke-others')).body).toEqual({ revoked: 0 });
    expect((await gateway.actingFor(user.id).post('/v1/auth/sessions/revoke-others')).body).toEqual({ revoked: 1 });
    expect(await isSignedIn(here)).toBe(false);
  });
});

describe('the address', () => {
  const shown = async (forwarded: string) => {
    const user = await gateway.user();
    const client = gateway.client().withHeaders({ 'X-Forwarded-For': forwarded });
    const [session] = await list(client.withToken((await gateway.login(user, client)).access_token));
    return session?.ip_address;
  };

  it.each([
    ['203.0.113.41:50123', '203.0.113.41'],
    ['[2001:0DB8:41::1]:443', '2001:db8:41::1'],
    ['fe80::41%eth0', 'fe80::41'],
    ['::FFFF:203.0.113.42', '203.0.113.42'],
    ['203.0.113.43, ', '203.0.113.43'],
    ['_hidden', null],
    ['unknown', null],
  ])('of %s is shown as %s', async (forwarded, address) => {
    expect(await shown(forwarded)).toBe(address);
  });

  it('that a backend names is shown without its port', async () => {
    const user = await gateway.user();
    const body = { surface: 'web', ip_address: '[2001:DB8:44::1]:50123', user_id: user.id };
    await gateway.backend().post('/v1/auth/sessions/register', body);
    expect(await list(gateway.actingFor(user.id))).toMatchObject([{ ip_address: '2001:db8:44::1' }]);
  });
});

describe('a registered session', () => {
  const register = (client: TestClient, body: Record<string, unknown> = {}) =>
    client.post<{ session_id: string }>('/v1/auth/sessions/register', { surface: 'web', ...body });

  it('is listed, valid and revocable like the others', async () => {
    const user = await gateway.user();
    const here = await signIn(user);
    const body = { label: 'Panel', user_agent: 'Mozilla/5.0', ip_address: '203.0.113.7', user_id: user.id };
    const { status, body: registered } = await register(gateway.backend(), body);
    expect(status).toBe(200);
    const entry = (await list(here.client)).find(({ session_id }) => session_id === registered.session_id);
    expect(entry).toMatchObject({
      surface: 'web',
      label: 'Panel',
      user_agent: 'Mozilla/5.0',
      ip_address: '203.0.113.7',
      current: false,
    });

    const valid = () => gateway.backend().get<SessionValidResponse>(`/v1/auth/sessions/${registered.session_id}/valid`);
    expect((await valid()).body).toEqual({ valid: true, session_id: registered.session_id, revoked_at: null });
    await here.client.post(`/v1/auth/sessions/${registered.session_id}/revoke`);
    expect((await valid()).body).toEqual({
      valid: false,
      session_id: registered.session_id,
      revoked_at: expect.any(String),
    });
  });

  it('does not grow idle while it is asked for', async () => {
    const user = await gateway.user();
    const { body } = await register(gateway.actingFor(user.id));
    await gateway.service.query(
      "UPDATE sessions SET last_seen_at = now() - interval '2 minutes', idle_expires_at = now() + '1 day' WHERE id = $1",
      [body.session_id],
    );
    await gateway.actingFor(user.id).get(`/v1/auth/sessions/${body.session_id}/valid`);
    const [entry] = await list(gateway.actingFor(user.id));
    expect(Date.parse(entry?.expires_at as unknown as string)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
  });

  it('is the caller’s own, unless a trusted backend says whose', async () => {
    const user = await gateway.user();
    const here = await signIn(user);
    expect((await register(here.client)).status).toBe(200);
    expect((await register(gateway.actingFor(user.id))).status).toBe(200);
    expect(await ids(here.client)).toHaveLength(3);
    const foreign = await register(here.client, { user_id: 'usr_other' });
    expect(foreign).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'user_id'], type: 'value_error' }] },
    });
    expect(await register(gateway.backend())).toMatchObject({ status: 422, body: { detail: [{ type: 'missing' }] } });
    expect(await register(gateway.backend(), { user_id: 'usr_unknown' })).toMatchObject({
      status: 404,
      body: { code: 'user.not_found' },
    });
    expect((await register(gateway.client(), { user_id: user.id })).status).toBe(401);
  });

  it.each([
    ['another surface', { surface: 'tv' }, 'surface', 'literal_error'],
    ['an address that is none', { ip_address: 'localhost' }, 'ip_address', 'value_error'],
    ['a long label', { label: 'x'.repeat(101) }, 'label', 'string_too_long'],
  ])('is refused with %s', async (_what, body, key, type) => {
    const here = await signIn(await gateway.user());
    expect(await register(here.client, body)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', key], type }] },
    });
  });

  it('takes no room of a sign-in, and 25 at most', async () => {
    const user = await gateway.user();
    const backend = gateway.backend();
    const signIns = [];
    for (let at = 0; at < 3; at++) signIns.push(await signIn(user));
    await gateway.service.query("UPDATE sessions SET last_seen_at = now() - interval '1 day' WHERE user_id = $1", [
      user.id,
    ]);
    const registered = [];
    for (let at = 0; at < 60; at++) {
      if (at % 25 === 0) await gateway.resetRateLimits();
      registered.push((await register(backend, { user_id: user.id })).body.session_id);
    }
    for (const { client } of signIns) expect((await client.get('/v1/auth/me')).status).toBe(200);
    const alive = await gateway.service.query<{ id: string }>(
      'SELECT id FROM sessions WHERE user_id = $1 AND registered AND revoked_at IS NULL ORDER BY created_at',
      [user.id],
    );
    expect(alive.map(({ id }) => id)).toEqual(registered.slice(-25));
    expect(await ids((signIns[0] as SignedIn).client)).toHaveLength(28);
  });

  it('is no login', async () => {
    const user = await gateway.user();
    await register(gateway.backend(), { user_id: user.id });
    expect(await gateway.service.query('SELECT last_login_at FROM users WHERE id = $1', [user.id])).toEqual([
      { last_login_at: null },
    ]);
  });

  it.each([
    ['by themselves', async (user: TestUser) => (await signIn(user)).client],
    ['by a backend that acts for them', (user: TestUser) => gateway.actingFor(user.id)],
    ['by a backend that names them', () => gateway.backend()],
  ])('is one of 30 an hour for a user, registered %s, 60 at once', async (how, clientOf) => {
    await gateway.resetRateLimits();
    const [user, other] = [await gateway.user(), await gateway.user()];
    const client = await clientOf(user);
    const body = how.includes('names') ? { user_id: user.id } : {};
    const answers = await Promise.all(Array.from({ length: 60 }, () => register(client, body)));
    const counts = [200, 429].map((wanted) => answers.filter(({ status }) => status === wanted).length);
    expect(counts).toEqual([30, 30]);
    expect(Number(answers.find(({ status }) => status === 429)?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await register(gateway.backend(), { user_id: user.id })).status).toBe(429);
    expect((await register(gateway.backend(), { user_id: other.id })).status).toBe(200);
  });

  it('has no tokens, and is no way to get any', async () => {
    const user = await gateway.user();
    const { body } = await register(gateway.actingFor(user.id));
    expect(Object.keys(body)).toEqual(['session_id']);
    expect((await gateway.client().withToken(body.session_id).get('/v1/auth/me')).status).toBe(401);
  });
});
