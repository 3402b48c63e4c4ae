import type { TokenResponse, UserResponse } from '@platform/contracts';
import { BroadcastService } from '@platform/messaging';
import { until, type TestService } from '@platform/testing';
import { decodeJwt } from 'jose';
import { GatewayTest, PASSWORD, type TestUser } from '../../testing/gateway-test.js';
import { SESSION_ENDED } from './signed-in-users.service.js';

let gateway: GatewayTest;
let beside: TestService;
let processes: TestService[];
beforeAll(async () => {
  gateway = await GatewayTest.start();
  beside = await gateway.startSecondProcess();
  processes = [gateway.service, beside];
});
afterAll(async () => {
  await beside.stop();
  await gateway.stop();
});

const WIDTH = 50;
const sessionOf = ({ access_token }: TokenResponse) => decodeJwt(access_token)['sid'] as string;
const me = (service: TestService, { access_token }: TokenResponse) =>
  service.client().withToken(access_token).get<UserResponse & { code?: string }>('/v1/auth/me');
const signIn = async (user: TestUser) => {
  const pair = await gateway.login(user);
  return { user, pair, sessionId: sessionOf(pair) };
};
const REFUSED = { status: 401, body: { code: 'invalid_token', detail: 'The session has ended.' } };

/** Changes in the database, to the user `$1`. */
const CHANGES: Record<string, string> = {
  'the user is disabled': 'UPDATE users SET is_active = false WHERE id = $1',
  // A sweep may have given the user an empty wallet.
  'the user is gone':
    'WITH s AS (DELETE FROM subscriptions WHERE user_id = $1), w AS (DELETE FROM wallets WHERE user_id = $1) DELETE FROM users WHERE id = $1',
  'the tenant is closed': 'UPDATE tenants SET is_active = false WHERE id = (SELECT tenant_id FROM users WHERE id = $1)',
  'the session is revoked': 'UPDATE sessions SET revoked_at = now() WHERE user_id = $1',
  'the session was idle too long': 'UPDATE sessions SET idle_expires_at = now() WHERE user_id = $1',
  'the session is too old': 'UPDATE sessions SET absolute_expires_at = now() WHERE user_id = $1',
};
const DEMOTION = "UPDATE users SET role = 'user', scopes = '{}' WHERE id = $1";

describe('5 s after a change in the database that nothing tells of, an access token that has not expired', () => {
  const pairs = new Map<string, TokenResponse>();
  let later: jest.SpyInstance;

  /**
   * Makes all changes, then advances the clock of the cache: answers later than 5 s after a change
   * must be new.
   */
  beforeAll(async () => {
    await gateway.service.query("INSERT INTO tenants (id, name) VALUES ('acme', 'Acme')");
    await gateway.service.query(
      "INSERT INTO roles (id, tenant_id, name, display_name, default_scopes) SELECT 'acme' || id, 'acme', name, name, default_scopes FROM roles",
    );
    const changes = Object.entries({ ...CHANGES, demotion: DEMOTION });
    await Promise.all(
      changes.map(async ([name, statement]) => {
        const tenant_id = name === 'the tenant is closed' ? 'acme' : 'default';
        const { id, email } = await gateway.user({ role: 'admin', scopes: ['users:write'], tenant_id });
        const { body } = await gateway
          .client()
          .post<TokenResponse>('/v1/auth/login', { email, password: PASSWORD, tenant_id });
        for (const service of processes) {
          expect((await me(service, body)).body).toMatchObject({
            platform_id: id,
            role: 'admin',
            scopes: ['*', 'users:write'],
          });
        }
        await gateway.service.query(statement, [id]);
        pairs.set(name, body);
      }),
    );
    const now = performance.now.bind(performance);
    later = jest.spyOn(performance, 'now').mockImplementation(() => now() + 5_001);
  });
  afterAll(() => later.mockRestore());

  it.each(Object.keys(CHANGES))('is refused by both processes, and cannot be refreshed: %s', async (name) => {
    const pair = pairs.get(name) as TokenResponse;
    for (const service of processes) expect(await me(service, pair)).toMatchObject(REFUSED);
    const refreshed = await gateway.client().post('/v1/auth/refresh', { refresh_token: pair.refresh_token });
    expect(refreshed).toMatchObject({ status: 401, body: { code: 'invalid_refresh_token' } });
    const alive =
      'SELECT 1 FROM sessions WHERE id = $1 AND revoked_at IS NULL AND least(idle_expires_at, absolute_expires_at) > now()';
    expect(await gateway.service.query(alive, [sessionOf(pair)])).toEqual([]);
  });

  it('has the rights that are left to its user, not those that it names: a demoted administrator', async () => {
    const pair = pairs.get('demotion') as TokenResponse;
    expect(decodeJwt(pair.access_token)).toMatchObject({ role: 'admin', scopes: ['*', 'users:write'] });
    for (const service of processes)
      expect(await me(service, pair)).toMatchObject({ status: 200, body: { role: 'user', scopes: [] } });
    const refreshed = await gateway
      .client()
      .post<TokenResponse>('/v1/auth/refresh', { refresh_token: pair.refresh_token });
    expect(decodeJwt(refreshed.body.access_token)).toMatchObject({ role: 'user', scopes: [] });
  });
});

describe('revoking by a route', () => {
  it.each<
    [string, (asking: TokenResponse, target: { pair: TokenResponse; sessionId: string }) => Promise<{ status: number }>]
  >([
    [
      'one session',
      ({ access_token }, { sessionId }) =>
        gateway.client().withToken(access_token).post(`/v1/auth/sessions/${sessionId}/revoke`),
    ],
    [
      'all others',
      ({ access_token }) => gateway.client().withToken(access_token).post('/v1/auth/sessions/revoke-others'),
    ],
    [
      'by logging out',
      (_asking, { pair }) => gateway.client().post('/v1/auth/logout', { refresh_token: pair.refresh_token }),
    ],
  ])(
    '%s: 50 that are in use end at once, here and, as soon as it is told, in the next process',
    async (_what, revoke) => {
      const told: string[] = [];
      beside.app.get(BroadcastService).subscribe(SESSION_ENDED, (sessionId) => told.push(sessionId));
      const people = await Promise.all(
        Array.from({ length: WIDTH }, async () => {
          const user = await gateway.user();
          return { asking: await gateway.login(user), target: await signIn(user) };
        }),
      );
      const use = () => people.flatMap(({ target: { pair } }) => processes.map((service) => me(service, pair)));
      for (const { status } of await Promise.all(use())) expect(status).toBe(200);
      const inUse = use();
      const answers = await Promise.all(people.map(({ asking, target }) => revoke(asking, target)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      for (const { target } of people) expect(await me(gateway.service, target.pair)).toMatchObject(REFUSED);
      // Not only after the 5 s of the cache: the notification ends it.
      await until(() => people.every(({ target }) => told.includes(target.sessionId)));
      for (const { target } of people) expect(await me(beside, target.pair)).toMatchObject(REFUSED);
      for (const { status } of await Promise.all(inUse)) expect([200, 401]).toContain(status);
      const alive = await gateway.service.query<{ id: string }>(
        'SELECT id FROM sessions WHERE user_id = ANY ($1) AND revoked_at IS NULL',
        [people.map(({ target }) => target.user.id)],
      );
      expect(alive.map(({ id }) => id).sort()).toEqual(people.map(({ asking }) => sessionOf(asking)).sort());
    },
  );

  it('leaves at most one of 50 sessions that end all others at once, and counts each that ended once', async () => {
    const user = await gateway.user();
    const sessions = await Promise.all(Array.from({ length: WIDTH }, () => signIn(user)));
    const answers = await Promise.all(
      sessions.map(({ pair }, at) =>
        (processes[at % 2] as TestService)
          .client()
          .withToken(pair.access_token)
          .post<{ revoked?: number }>('/v1/auth/sessions/revoke-others'),
      ),
    );
    for (const { status } of answers) expect([200, 401]).toContain(status);
    const live = await gateway.service.query<{ id: string }>(
      'SELECT id FROM sessions WHERE user_id = $1 AND revoked_at IS NULL',
      [user.id],
    );
    expect(live.length).toBeLessThanOrEqual(1);
    expect(answers.reduce((sum, { body }) => sum + (body.revoked ?? 0), 0)).toBe(WIDTH - live.length);
  });
});
