import { challengeOf } from '@platform/client/pkce';
import type { CliCodeResponse, KeyResponse, MessageResponse, TokenResponse } from '@platform/contracts';
import { HeldLock, until } from '@platform/testing';
import { GatewayTest, PASSWORD, type TestUser } from '../../testing/gateway-test.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start()));
afterAll(() => gateway.stop());

const NEW_PASSWORD = 'another horse battery';
const login = (user: TestUser, password: string) =>
  gateway.client().post('/v1/auth/login', { email: user.email, password });
const forgot = (email: string) => gateway.client().post<MessageResponse>('/v1/auth/forgot-password', { email });
const reset = (token: string, new_password: unknown = NEW_PASSWORD) =>
  gateway.client().post('/v1/auth/reset-password', { token, new_password });
const refresh = ({ refresh_token }: TokenResponse) => gateway.client().post('/v1/auth/refresh', { refresh_token });

async function resetToken(user: TestUser, after = 0): Promise<string> {
  expect((await forgot(user.email)).status).toBe(200);
  return gateway.mailToken(user.email, after);
}

const INVALID_TOKEN = { status: 400, body: { code: 'invalid_or_expired_token' } };

describe('a forgotten password', () => {
  it('is replaced by the mailed link, which signs out everywhere and says so by mail', async () => {
    const user = await gateway.user();
    const before = await gateway.login(user);
    const token = await resetToken(user);
    expect((await gateway.smtp.waitForMail(user.email)).subject).toBe('Choose a new password');
    expect(await reset(token)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect((await login(user, PASSWORD)).status).toBe(401);
    expect((await login(user, NEW_PASSWORD)).status).toBe(200);
    expect((await refresh(before)).status).toBe(401);
    expect((await gateway.client().withToken(before.access_token).get('/v1/auth/me')).status).toBe(401);
    expect((await gateway.smtp.waitForMail(user.email, 1)).subject).toBe('Your password was changed');
    expect(await reset(token)).toMatchObject(INVALID_TOKEN);
  });

  it('lets somebody in again who had guessed too often', async () => {
    const user = await gateway.user();
    for (let at = 0; at < 5; at++) await login(user, 'wrong password');
    await gateway.extendLoginBlocks();
    expect((await login(user, PASSWORD)).status).toBe(429);
    await reset(await resetToken(user));
    expect((await login(user, NEW_PASSWORD)).status).toBe(200);
  });

  it.each([
    ['a short password', 'short77', 'string_too_short'],
    ['one of 129 characters', 'x'.repeat(129), 'string_too_long'],
    ['a common password', 'Password123', 'password_common'],
    ['no text', 12345678, 'string_type'],
  ])('is not replaced by %s, and the link stays good', async (_what, password, type) => {
    const user = await gateway.user();
    const token = await resetToken(user);
    expect(await reset(token, password)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'new_password'], type }] },
    });
    expect((await reset(token)).status).toBe(200);
  });

  it('gets no mail for who may not sign in', async () => {
    const disabled = await gateway.user({ is_active: false });
    expect((await forgot(disabled.email)).status).toBe(200);
    await gateway.waitForMails();
    expect(gateway.smtp.mails.filter(({ to }) => to === disabled.email)).toEqual([]);
  });
});

describe('changing the password', () => {
  const change = async (user: TestUser, body: Record<string, unknown>) => {
    const client = gateway.client();
    const pair = await gateway.login(user, client);
    return { pair, answer: await client.withToken(pair.access_token).post('/v1/auth/me/change-password', body) };
  };
  const right = { current_password: PASSWORD, new_password: NEW_PASSWORD };

  it('needs the current one, keeps the session, ends the others and says so by mail', async () => {
    const user = await gateway.user();
    const other = await gateway.login(user);
    const { pair, answer } = await change(user, right);
    expect(answer.status).toBe(200);
    expect((await refresh(pair)).status).toBe(200);
    expect((await refresh(other)).status).toBe(401);
    expect((await gateway.client().withToken(other.access_token).get('/v1/auth/me')).status).toBe(401);
    expect((await login(user, PASSWORD)).status).toBe(401);
    expect((await login(user, NEW_PASSWORD)).status).toBe(200);
    expect((await gateway.smtp.waitForMail(user.email)).subject).toBe('Your password was changed');
  });

  it.each([
    ['a wrong current one', { current_password: 'wrong password' }, 400, 'password.current_invalid'],
    ['the same again', { new_password: PASSWORD }, 400, 'password.unchanged'],
  ])('is refused with %s', async (_what, changes, status, code) => {
    const user = await gateway.user();
    const { answer } = await change(user, { ...right, ...changes });
    expect(answer).toMatchObject({ status, body: { code } });
    expect((await login(user, PASSWORD)).status).toBe(200);
  });

  it.each([
    ['no current one', { current_password: undefined }, 'current_password', 'missing'],
    ['no new one', { new_password: undefined }, 'new_password', 'missing'],
    ['a common one', { new_password: 'qwertyuiop' }, 'new_password', 'password_common'],
    ['an extra key', { user_id: 'usr_x' }, 'user_id', 'extra_forbidden'],
  ])('does not validate with %s', async (_what, changes, key, type) => {
    const { answer } = await change(await gateway.user(), { ...right, ...changes });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', key], type }] } });
  });

  it('slows down who guesses the current one, and not the owner who signs in', async () => {
    const user = await gateway.user();
    const client = await gateway.signIn(user);
    const attempt = (current_password: string) =>
      client.post('/v1/auth/me/change-password', { current_password, new_password: NEW_PASSWORD });
    for (let at = 0; at < 5; at++) expect((await attempt('wrong password')).status).toBe(400);
    await gateway.extendLoginBlocks();
    const refused = await attempt(PASSWORD);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await login(user, PASSWORD)).status).toBe(200);
  });
});

describe('a new password', () => {
  const signup = (password: string, changes: Record<string, unknown> = {}) =>
    gateway.client().post('/v1/auth/signup', { email: gateway.newEmail(), password, ...changes });
  const COMMON = { status: 422, body: { detail: [{ loc: ['body', 'password'], type: 'password_common' }] } };

  it.each(['password1', 'PASSWORD1', 'qwerty123', '12345678', 'iloveyou1'])(
    'must not be common: %s',
    async (password) => {
      expect(await signup(password)).toMatchObject(COMMON);
    },
  );

  it.each([
    ['the address', 'ada.lovelace@example.com'],
    ['its first part', 'Ada.Lovelace'],
    ['a part and a year', 'lovelace99!'],
    ['the tenant', 'default-1'],
    ['the name', 'Augusta!!'],
  ])('must not be little more than %s', async (_what, password) => {
    expect(await signup(password, { email: 'ada.lovelace@example.com', first_name: 'Augusta' })).toMatchObject(COMMON);
  });

  it('may hold such a word beside enough else', async () => {
    expect((await signup('lovelace likes punched cards', { email: 'ada.lovelace@example.org' })).status).toBe(201);
  });

  it('may be asked to be longer', async () => {
    const strict = await gateway.startSecondProcess({ PASSWORD_MIN_LENGTH: '15' });
    const attempt = (password: string) =>
      strict.client().post('/v1/auth/signup', { email: gateway.newEmail(), password });
    expect(await attempt('fourteen chars')).toMatchObject({
      status: 422,
      body: {
        detail: [
          { loc: ['body', 'password'], type: 'string_too_short', msg: 'String should have at least 15 characters' },
        ],
      },
    });
    expect((await attempt('fifteen charact')).status).toBe(201);
    await strict.stop();
  });
});

describe('a reset of the password and what programs use', () => {
  const mine = (key: string) => gateway.client().withHeaders({ 'x-api-key': key }).get('/v1/auth/me');

  /** A user with two API keys, a session in a browser and one of a command line. */
  async function owner() {
    const user = await gateway.user();
    const browser = gateway.client();
    const pair = await gateway.login(user, browser);
    const keys = [];
    for (const name of ['one', 'two']) {
      keys.push((await browser.withToken(pair.access_token).post<KeyResponse>('/v1/keys', { name })).body.key);
    }
    const code_verifier = 'v'.repeat(64);
    const challenge = { code_challenge: challengeOf(code_verifier), code_challenge_method: 'S256' };
    const { body } = await gateway.actingFor(user.id).post<CliCodeResponse>('/v1/auth/cli/codes', challenge);
    const terminal = await gateway
      .client()
      .post<TokenResponse>('/v1/auth/cli/token', { code: body.code, code_verifier });
    for (const key of keys) expect((await mine(key)).status).toBe(200);
    return { user, pair, keys, terminal: terminal.body };
  }
  const resetKeeping = async (user: TestUser, kept: object) =>
    gateway
      .client()
      .post('/v1/auth/reset-password', { token: await resetToken(user), new_password: NEW_PASSWORD, ...kept });

  it.each([
    [{}, 401, 401, 'Your API keys were deleted (2). Your command-line sessions were ended (1).'],
    [
      { keep_api_keys: true },
      200,
      401,
      'Your API keys were kept, as you asked. Your command-line sessions were ended (1).',
    ],
    [
      { keep_terminal_sessions: true },
      401,
      200,
      'Your API keys were deleted (2). Your command-line sessions were kept, as you asked.',
    ],
    [
      { keep_api_keys: true, keep_terminal_sessions: true },
      200,
      200,
      'Your API keys were kept, as you asked. Your command-line sessions were kept, as you asked.',
    ],
    [{ keep_api_keys: false, keep_terminal_sessions: false }, 401, 401, 'Your API keys were deleted (2).'],
  ])(
    'ends it unless the person keeps it, and says so in the mail: %j',
    async (kept, keyStatus, terminalStatus, said) => {
      const { user, pair, keys, terminal } = await owner();
      const beside = await gateway.startSecondProcess();
      for (const key of keys)
        expect((await beside.client().withHeaders({ 'x-api-key': key }).get('/v1/auth/me')).status).toBe(200);
      expect((await resetKeeping(user, kept)).status).toBe(200);
      for (const key of keys) expect((await mine(key)).status).toBe(keyStatus);
      // The keys end in the other process too, which has cached them.
      for (const key of keys) {
        await until(
          async () => (await beside.client().withHeaders({ 'x-api-key': key }).get('/v1/auth/me')).status === keyStatus,
        );
      }
      await beside.stop();
      expect((await refresh(terminal)).status).toBe(terminalStatus);
      expect((await refresh(pair)).status).toBe(401);
      const { text } = await gateway.smtp.waitForMail(user.email, 1);
      expect(text.replace(/\s+/g, ' ')).toContain(said);
      expect(await gateway.service.query('SELECT 1 FROM api_keys WHERE user_id = $1', [user.id])).toHaveLength(
        keyStatus === 200 ? 2 : 0,
      );
    },
  );

  it.each([
    ['keep_api_keys', 'yes'],
    ['keep_api_keys', 1],
    ['keep_terminal_sessions', ['true']],
  ])('takes only true or false for %s, not %j', async (key, value) => {
    const user = await gateway.user();
    expect(await resetKeeping(user, { [key]: value })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', key] }] },
    });
  });

  it('leaves no key that works, though 50 are used, and 50 made, while it happens', async () => {
    const { user, pair, keys } = await owner();
    const token = await resetToken(user);
    const thief = gateway.client().withToken(pair.access_token);
    const [answer, ...others] = await Promise.all([
      gateway.client().post('/v1/auth/reset-password', { token, new_password: NEW_PASSWORD }),
      ...Array.from({ length: 50 }, (_value, at) => mine(keys[at % 2] as string)),
      ...Array.from({ length: 50 }, (_value, at) => thief.post('/v1/keys', { name: `made ${at}` })),
    ]);
    expect(answer.status).toBe(200);
    for (const { status } of others) expect([200, 201, 401, 409, 429]).toContain(status);
    expect(await gateway.service.query('SELECT 1 FROM api_keys WHERE user_id = $1', [user.id])).toEqual([]);
    for (const key of keys) expect((await mine(key)).status).toBe(401);
    expect((await thief.post('/v1/keys', { name: 'later' })).status).toBe(401);
  });

  it('lets no key be made by a session that has to wait for it', async () => {
    const { user, pair } = await owner();
    const token = await resetToken(user);
    const lock = await HeldLock.acquire(gateway.service, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [user.id]);
    const resetting = gateway.client().post('/v1/auth/reset-password', { token, new_password: NEW_PASSWORD });
    await lock.waitForBlocked(1);
    const making = gateway.client().withToken(pair.access_token).post('/v1/keys', { name: 'waited' });
    await lock.waitForBlocked(2);
    await lock.release();
    expect((await resetting).status).toBe(200);
    expect(await making).toMatchObject({ status: 401 });
    expect(await gateway.service.query('SELECT 1 FROM api_keys WHERE user_id = $1', [user.id])).toEqual([]);
  });

  it('that only changes it keeps the keys, and says so', async () => {
    const { user, keys } = await owner();
    const client = await gateway.signIn(user);
    await client.post('/v1/auth/me/change-password', { current_password: PASSWORD, new_password: NEW_PASSWORD });
    expect((await gateway.smtp.waitForMail(user.email)).text).toContain('Your API keys stay as they are.');
    for (const key of keys) expect((await mine(key)).status).toBe(200);
  });
});
