import { challengeOf, newVerifier } from '@platform/client/pkce';
import type {
  DeviceApproveResponse,
  DeviceAuthorizeResponse,
  DeviceLookupResponse,
  DevicePendingResponse,
  TokenResponse,
  UserResponse,
} from '@platform/contracts';
import { sha256 } from '@platform/platform';
import { HeldLock } from '@platform/testing';
import { decodeJwt } from 'jose';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';

let gateway: GatewayTest;
beforeAll(
  async () => (gateway = await GatewayTest.start({ PANEL_URL: 'https://panel.example.com', RATE_LIMIT_SCALE: '1' })),
);
afterAll(() => gateway.stop());
/** All users share the limit of guesses, so the tests would, too. */
beforeEach(() => gateway.resetRateLimits());

interface Login extends DeviceAuthorizeResponse {
  verifier: string;
}

async function begin(label?: string, client = gateway.client()): Promise<Login> {
  const verifier = newVerifier();
  const { status, body } = await client.post<DeviceAuthorizeResponse>('/v1/auth/cli/device/authorize', {
    code_challenge: challengeOf(verifier),
    label,
  });
  expect(status).toBe(200);
  return Object.assign(body, { verifier });
}

type Polled = TokenResponse & DevicePendingResponse & { code: string };
const poll = ({ device_code, verifier }: Login, service = gateway.service) =>
  service.client().post<Polled>('/v1/auth/cli/device/token', { device_code, code_verifier: verifier });
const decide = (user: TestUser, user_code: unknown, action?: string) =>
  gateway.actingFor(user.id).post<DeviceApproveResponse>('/v1/auth/cli/device/approve', { user_code, action });
const lookUp = (user: TestUser, user_code: unknown) =>
  gateway.actingFor(user.id).post<DeviceLookupResponse>('/v1/auth/cli/device/lookup', { user_code });
const expire = () => gateway.service.query("UPDATE device_codes SET expires_at = now() - interval '1 second'");
const sessionsOf = ({ id }: TestUser) =>
  gateway.service.query('SELECT label, surface FROM sessions WHERE user_id = $1', [id]);
/** Moves the last poll into the past. */
const wait = (seconds: number) =>
  gateway.service.query('UPDATE device_polls SET polled_at = polled_at - make_interval(secs => $1)', [seconds]);

describe('a device login', () => {
  it('ends with tokens once the person has approved', async () => {
    const user = await gateway.user();
    const login = await begin('ada-laptop', gateway.client().withHeaders({ 'User-Agent': 'platform-cli/1.0' }));
    expect(login).toMatchObject({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: 'https://panel.example.com/device',
      verification_uri_complete: `https://panel.example.com/device?code=${login.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    expect(await poll(login)).toMatchObject({ status: 200, body: { error: 'authorization_pending', interval: 5 } });

    const asking = await lookUp(user, login.user_code);
    expect(asking).toMatchObject({
      status: 200,
      body: { status: 'pending', user_code: login.user_code, label: 'ada-laptop', user_agent: 'platform-cli/1.0' },
    });
    expect(asking.body.ip_address).toMatch(/^10\./);
    expect(await decide(user, login.user_code)).toMatchObject({
      status: 200,
      body: { status: 'approved', label: 'ada-laptop' },
    });

    // Returns the tokens, although the poll comes too early.
    const { status, body, headers } = await poll(login);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(decodeJwt(body.access_token)).toMatchObject({ sub: user.id, token_use: 'cli' });
    const me = await gateway.client().withToken(body.access_token).get<UserResponse>('/v1/auth/me');
    expect(me.body.email).toBe(user.email);
    expect(await sessionsOf(user)).toEqual([{ label: 'ada-laptop', surface: 'cli' }]);
    expect(await poll(login)).toMatchObject({ status: 400, body: { error: 'invalid_grant', code: 'invalid_grant' } });
  });

  it('ends with access_denied, again and again, once the person has denied', async () => {
    const user = await gateway.user();
    const login = await begin();
    expect(await decide(user, login.user_code, 'deny')).toMatchObject({ status: 200, body: { status: 'denied' } });
    for (let at = 0; at < 2; at++)
      expect(await poll(login)).toMatchObject({ status: 400, body: { error: 'access_denied' } });
    expect(await decide(user, login.user_code)).toMatchObject({
      status: 409,
      body: { code: 'device_code.already_processed' },
    });
    expect(await sessionsOf(user)).toEqual([]);
  });

  it('ends with expired_token after ten minutes, approved or not', async () => {
    const user = await gateway.user();
    const [pending, approved] = [await begin(), await begin()];
    await decide(user, approved.user_code);
    await expire();
    for (const login of [pending, approved])
      expect(await poll(login)).toMatchObject({ status: 400, body: { error: 'expired_token' } });
    expect(await decide(user, pending.user_code)).toMatchObject({ status: 410, body: { code: 'device_code.expired' } });
    expect(await lookUp(user, pending.user_code)).toMatchObject({ status: 410, body: { code: 'device_code.expired' } });
    expect(await sessionsOf(user)).toEqual([]);
  });

  it('ends with invalid_grant for a device code that there is not', async () => {
    const user = await gateway.user();
    const login = await begin();
    await decide(user, login.user_code);
    expect(await poll({ ...login, device_code: 'unknown' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect((await poll(login)).body.access_token).toBeDefined();
  });

  it.each([
    ['waits', () => Promise.resolve()],
    ['was approved', (user: TestUser, login: Login) => decide(user, login.user_code)],
    ['was denied', (user: TestUser, login: Login) => decide(user, login.user_code, 'deny')],
  ])(
    'that %s is burned by a wrong verifier: nobody gets in with its code any more, and nobody approves it',
    async (_how, prepare) => {
      const user = await gateway.user();
      const [login, other] = [await begin(), await begin()];
      await prepare(user, login);
      for (const verifier of [other.verifier, login.verifier, other.verifier]) {
        const answer = await poll({ ...login, verifier });
        expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant', code: 'invalid_grant' } });
      }
      expect(await lookUp(user, login.user_code)).toMatchObject({ status: 404 });
      expect(await decide(user, login.user_code)).toMatchObject({ status: 404 });
      expect(await sessionsOf(user)).toEqual([]);
      // The other login is not affected.
      expect(await poll(other)).toMatchObject({ status: 200, body: { error: 'authorization_pending' } });
    },
  );

  it('is written down once when a wrong verifier burns what somebody had approved', async () => {
    const user = await gateway.user();
    const [login, other] = [await begin(), await begin()];
    await decide(user, login.user_code);
    await Promise.all(Array.from({ length: 50 }, () => poll({ ...login, verifier: other.verifier })));
    const entries = await gateway.service.query(
      "SELECT tenant_id, metadata FROM gateway_audit.audit_entries WHERE action = 'device_login.wrong_verifier' AND target_id = $1",
      [user.id],
    );
    expect(entries).toEqual([{ tenant_id: 'default', metadata: {} }]);
  });

  it('that there is not costs nothing but a look, however often it is polled', async () => {
    const login = await begin();
    // The lock blocks deletes but not reads.
    const lock = await HeldLock.acquire(gateway.service, 'LOCK TABLE device_codes IN SHARE MODE');
    try {
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_value, at) => poll({ ...login, device_code: `unknown-${at}` })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
      for (const { body } of answers) expect(body).toMatchObject({ error: 'invalid_grant' });
    } finally {
      await lock.release();
    }
    expect((await poll(login)).body).toMatchObject({ error: 'authorization_pending' });
  });

  it('that is polled with right and wrong verifiers, 50 of each at once, begins at most one session', async () => {
    for (let round = 0; round < 3; round++) {
      const user = await gateway.user();
      const [login, other] = [await begin(), await begin()];
      await decide(user, login.user_code);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_value, at) => poll(at % 2 ? login : { ...login, verifier: other.verifier })),
      );
      for (const [at, { status }] of answers.entries()) if (at % 2 === 0) expect(status).toBe(400);
      const redeemed = answers.filter(({ status }) => status === 200);
      expect(redeemed.length).toBeLessThanOrEqual(1);
      expect(await sessionsOf(user)).toHaveLength(redeemed.length);
      expect((await poll(login)).status).toBe(400);
    }
  });

  it('gives nothing to a user who was disabled between approval and poll', async () => {
    const user = await gateway.user();
    const login = await begin();
    await decide(user, login.user_code);
    await gateway.service.query('UPDATE users SET is_active = false WHERE id = $1', [user.id]);
    expect(await poll(login)).toMatchObject({ status: 400, body: { error: 'access_denied' } });
    // The login is used up: it does not work again with the user.
    await gateway.service.query('UPDATE users SET is_active = true WHERE id = $1', [user.id]);
    expect(await poll(login)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await sessionsOf(user)).toEqual([]);
  });

  it('gives one pair of tokens to 50 polls at once over two processes', async () => {
    const user = await gateway.user();
    const login = await begin();
    await decide(user, login.user_code);
    const beside = await gateway.startSecondProcess();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_value, at) => poll(login, at % 2 ? beside : gateway.service)),
    );
    await beside.stop();
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(
      answers.filter(({ status, body }) => status === 400 && body.error === ('invalid_grant' as string)),
    ).toHaveLength(49);
    expect(await sessionsOf(user)).toHaveLength(1);
  });

  it('is approved or denied, never both, by 50 of each at once', async () => {
    const login = await begin();
    const actions = Array.from({ length: 100 }, (_value, at) => (at % 2 ? 'approve' : 'deny'));
    const users = await Promise.all(actions.map(() => gateway.user()));
    const answers = await Promise.all(
      actions.map((action, at) => decide(users[at] as TestUser, login.user_code, action)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => [200, 404, 429].includes(status))).toBe(true);
    const [row] = await gateway.service.query<{ status: string }>(
      'SELECT status FROM device_codes WHERE user_id = ANY ($1)',
      [users.map(({ id }) => id)],
    );
    expect(row?.status).toBe(answers.find(({ status }) => status === 200)?.body.status);
  });

  it('keeps no code that a dump of the database or the logs would give away', async () => {
    const user = await gateway.user();
    const login = await begin();
    await poll(login);
    await decide(user, login.user_code);
    const rows = await gateway.service.query(
      "SELECT *, encode(device_hash, 'escape'), encode(user_code_hash, 'escape') FROM device_codes",
    );
    const plain = login.user_code.replace('-', '');
    for (const text of [JSON.stringify(rows), gateway.service.logLines.join()]) {
      for (const secret of [login.device_code, login.user_code, plain, login.verifier])
        expect(text).not.toContain(secret);
    }
    expect(login.verification_uri_complete).not.toContain(login.device_code);
  });
});

describe('polling', () => {
  it('faster than the interval is told to slow down, and obeying always helps', async () => {
    const login = await begin();
    await poll(login);
    await wait(1);
    expect((await poll(login)).body).toEqual({ error: 'slow_down', interval: 10 });
    await wait(9);
    expect((await poll(login)).body).toEqual({ error: 'authorization_pending', interval: 10 });
    for (let at = 0; at < 10; at++) await poll(login);
    expect((await poll(login)).body).toEqual({ error: 'slow_down', interval: 30 });
    await wait(30);
    expect((await poll(login)).body).toEqual({ error: 'authorization_pending', interval: 30 });
  });

  it('at the interval never has to slow down, though no timer is exact', async () => {
    const login = await begin();
    for (let at = 0; at < 100; at++) {
      expect((await poll(login)).body).toEqual({ error: 'authorization_pending', interval: 5 });
      await wait(4.8 + 0.1 * ((3 * at) % 5)); // from 4.8 to 5.2 s, in changing order
    }
  });

  it('at a pace of its own is not too early for ever', async () => {
    const login = await begin();
    await poll(login);
    const answers: string[] = [];
    for (let at = 0; at < 40; at++) {
      await wait(3);
      answers.push((await poll(login)).body.error);
    }
    expect(answers.filter((error) => error === 'authorization_pending').length).toBeGreaterThan(3);
  });

  it('many times at once is judged as if one poll came after the other', async () => {
    const login = await begin();
    const answers = await Promise.all(Array.from({ length: 50 }, () => poll(login)));
    const told = answers.map(({ body }) => body).sort((a, b) => a.interval - b.interval);
    const early = (interval: number) => ({ error: 'slow_down', interval });
    expect(told.slice(0, 6)).toEqual([
      { error: 'authorization_pending', interval: 5 },
      ...[10, 15, 20, 25, 30].map(early),
    ]);
    expect(told.slice(6)).toEqual(Array.from({ length: 44 }, () => early(30)));
    await wait(29.5);
    expect((await poll(login)).body).toEqual({ error: 'authorization_pending', interval: 30 });
  });

  it('of many codes at once over two processes gives each its own verdict', async () => {
    const user = await gateway.user();
    const [denied, approved, expired, early, burned] = [
      await begin(),
      await begin(),
      await begin(),
      await begin(),
      await begin(),
    ];
    const waiting = await Promise.all(Array.from({ length: 10 }, () => begin()));
    await decide(user, denied.user_code, 'deny');
    await decide(user, approved.user_code);
    await gateway.service.query(
      "UPDATE device_codes SET expires_at = now() - interval '1 second' WHERE device_hash = $1",
      [sha256(expired.device_code)],
    );
    // Started before the poll, after which the next one is too early for five seconds.
    const beside = await gateway.startSecondProcess();
    await poll(early);

    const expected: [Login, number, object][] = [
      [denied, 400, { error: 'access_denied' }],
      [approved, 200, { token_type: 'bearer' }],
      [expired, 400, { error: 'expired_token' }],
      [early, 200, { error: 'slow_down', interval: 10 }],
      [{ ...burned, verifier: denied.verifier }, 400, { error: 'invalid_grant' }],
      ...waiting.map((login): [Login, number, object] => [login, 200, { error: 'authorization_pending', interval: 5 }]),
    ];
    const answers = await Promise.all(expected.map(([login], at) => poll(login, at % 2 ? beside : gateway.service)));
    await beside.stop();
    for (const [at, [, status, body]] of expected.entries()) expect(answers[at]).toMatchObject({ status, body });
  });

  it("of the same codes in any order by two processes never stands in each other's way", async () => {
    const logins = await Promise.all(Array.from({ length: 20 }, () => begin()));
    const beside = await gateway.startSecondProcess();
    const rounds = [logins, logins.toReversed(), logins, logins.toReversed()];
    const answers = await Promise.all(
      rounds.flatMap((round, at) => round.map((login) => poll(login, at % 2 ? beside : gateway.service))),
    );
    await beside.stop();
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(answers.filter(({ body }) => body.error === 'authorization_pending')).toHaveLength(logins.length);
    expect(Math.max(...answers.map(({ body }) => body.interval))).toBe(20);
  });

  it.each([
    ['no device code', { device_code: undefined }, 'device_code', 'missing'],
    ['no verifier', { code_verifier: undefined }, 'code_verifier', 'missing'],
    ['a short verifier', { code_verifier: 'x'.repeat(42) }, 'code_verifier', 'string_pattern_mismatch'],
  ])('with %s is refused', async (_what, changes, key, type) => {
    const body = { device_code: 'x', code_verifier: 'x'.repeat(43), ...changes };
    const answer = await gateway.client().post('/v1/auth/cli/device/token', body);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', key], type }] } });
  });

  it('is never refused for its rate', async () => {
    const login = await begin();
    const client = gateway.client();
    const body = { device_code: login.device_code, code_verifier: login.verifier };
    const answers = await Promise.all(Array.from({ length: 60 }, () => client.post('/v1/auth/cli/device/token', body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('the user code', () => {
  it.each([
    ['in lower case', (code: string) => code.toLowerCase()],
    ['without its hyphen', (code: string) => code.replace('-', '')],
    ['with spaces', (code: string) => ` ${code.replace('-', ' ')} `],
    ['with another dash', (code: string) => code.replace('-', '\u2013')],
    [
      'in full-width letters',
      (code: string) => code.replace(/[A-Z]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
    ],
  ])('is taken %s', async (_what, write) => {
    const login = await begin();
    expect((await decide(await gateway.user(), write(login.user_code))).status).toBe(200);
  });

  it.each([
    ['a wildcard', '%'],
    ['another wildcard', 'BCDF____'],
    ['a pattern', '.*'],
    ['SQL', "' OR '1'='1"],
    ['an object', { $ne: '' }],
    ['a list', ['BCDF-GHJK']],
    ['nothing', undefined],
    ['an empty text', ''],
    ['64 kB', 'B'.repeat(60_000)],
  ])('is refused as %s', async (_what, code) => {
    const user = await gateway.user();
    expect(await decide(user, code)).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'user_code'] }] } });
    expect((await lookUp(user, code)).status).toBe(422);
  });

  it('takes approve and deny, and nothing else', async () => {
    const login = await begin();
    const user = await gateway.user();
    expect(await decide(user, login.user_code, 'steal')).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'action'] }] },
    });
    const own = await gateway.signIn(user);
    expect((await own.post('/v1/auth/cli/device/approve', { user_code: login.user_code })).status).toBe(401);
    expect((await lookUp(user, login.user_code)).status).toBe(200);
  });

  it('may be guessed ten times in 15 minutes by one person, looked up or decided', async () => {
    const user = await gateway.user();
    const login = await begin();
    for (let at = 0; at < 5; at++) {
      expect(await decide(user, 'BBBB-BBBB')).toMatchObject({ status: 404, body: { code: 'device_code.not_found' } });
      expect((await lookUp(user, 'BBBB-BBBC')).status).toBe(404);
    }
    for (const code of ['BBBB-BBBB', login.user_code]) {
      const refused = await decide(user, code);
      expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    }
    expect(
      gateway.service.logLines.some((line) => line.includes('too many wrong user codes') && line.includes(user.id)),
    ).toBe(true);
    expect((await decide(await gateway.user(), login.user_code)).status).toBe(200);
  });

  it('may be guessed ten times by 50 guesses at once', async () => {
    const user = await gateway.user();
    const answers = await Promise.all(Array.from({ length: 50 }, () => decide(user, 'BBBB-BBBB')));
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  it('may be entered rightly any number of times', async () => {
    const user = await gateway.user();
    for (let at = 0; at < 15; at++) {
      const login = await begin();
      expect((await lookUp(user, login.user_code)).status).toBe(200);
      expect((await decide(user, login.user_code)).status).toBe(200);
    }
  });
});

describe('authorizing', () => {
  it('lets five logins of one address wait, however many begin at once', async () => {
    const client = gateway.client();
    const body = { code_challenge: 'x'.repeat(43) };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.post('/v1/auth/cli/device/authorize', body)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.body).toMatchObject({ code: 'device_code.too_many_pending' });
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(500);
    expect((await client.post('/v1/auth/cli/device/authorize', body)).body).toMatchObject({ code: 'rate_limited' });
  });

  it.each([
    ['no challenge', { code_challenge: undefined }, 'code_challenge', 'missing'],
    ['the method plain', { code_challenge_method: 'plain' }, 'code_challenge_method', 'literal_error'],
    ['a long label', { label: 'x'.repeat(101) }, 'label', 'string_too_long'],
  ])('is refused with %s', async (_what, changes, key, type) => {
    const answer = await gateway
      .client()
      .post('/v1/auth/cli/device/authorize', { code_challenge: 'x'.repeat(43), ...changes });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', key], type }] } });
  });
});
