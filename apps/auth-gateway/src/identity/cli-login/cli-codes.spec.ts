import { challengeOf, newVerifier } from '@platform/client/pkce';
import type { CliCodeResponse, TokenResponse, UserResponse } from '@platform/contracts';
import { decodeJwt } from 'jose';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';

let gateway: GatewayTest;
beforeAll(async () => (gateway = await GatewayTest.start({ RATE_LIMIT_SCALE: '1' })));
afterAll(() => gateway.stop());

const REDIRECT = 'http://127.0.0.1:51004/callback';
const mint = (user: TestUser, verifier: string, redirect_uri: string | undefined = REDIRECT) =>
  gateway.actingFor(user.id).post<CliCodeResponse>('/v1/auth/cli/codes', {
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    redirect_uri,
  });
const exchange = (code: string, code_verifier: unknown, redirect_uri: string | undefined = REDIRECT) =>
  gateway.client().post<TokenResponse & { error: string }>('/v1/auth/cli/token', { code, code_verifier, redirect_uri });
const sessionsOf = ({ id }: TestUser) =>
  gateway.service.query<{ surface: string; revoked_reason: string | null }>(
    'SELECT surface, revoked_reason FROM sessions WHERE user_id = $1',
    [id],
  );

async function minted(user: TestUser, verifier: string, redirect?: string): Promise<string> {
  const { status, body } = await mint(user, verifier, redirect);
  expect(status).toBe(200);
  return body.code;
}

const INVALID_GRANT = { status: 400, body: { error: 'invalid_grant', code: 'invalid_grant' } };

describe('a one-time code', () => {
  it('is exchanged for the tokens of a command-line session', async () => {
    const user = await gateway.user();
    const verifier = newVerifier();
    const { body } = await mint(user, verifier);
    expect(body).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/), expires_in: 60, redirect_uri: REDIRECT });
    const { status, body: pair, headers } = await exchange(body.code, verifier);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(decodeJwt(pair.access_token)).toMatchObject({ sub: user.id, token_use: 'cli' });
    const me = await gateway.client().withToken(pair.access_token).get<UserResponse>('/v1/auth/me');
    expect(me.body.email).toBe(user.email);
    const next = await gateway.client().post<TokenResponse>('/v1/auth/refresh', { refresh_token: pair.refresh_token });
    expect(decodeJwt(next.body.access_token)['token_use']).toBe('cli');
    expect(await sessionsOf(user)).toEqual([{ surface: 'cli', revoked_reason: null }]);
  });

  it('is bound to S256 where it names no method', async () => {
    const user = await gateway.user();
    const verifier = newVerifier();
    const request = { code_challenge: challengeOf(verifier) };
    const minted = async () =>
      (await gateway.actingFor(user.id).post<CliCodeResponse>('/v1/auth/cli/codes', request)).body.code;
    expect(await exchange(await minted(), request.code_challenge, null as never)).toMatchObject({ status: 400 });
    const plain = { code: await minted(), code_verifier: verifier };
    expect((await gateway.client().post('/v1/auth/cli/token', plain)).status).toBe(200);
  });

  it.each([[{}], [{ redirect_uri: null }]])('needs no redirect, and then takes none: %j', async (none) => {
    const user = await gateway.user();
    const verifier = newVerifier();
    const body = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256', ...none };
    const codes = await Promise.all(
      [1, 2].map(
        async () => (await gateway.actingFor(user.id).post<CliCodeResponse>('/v1/auth/cli/codes', body)).body.code,
      ),
    );
    expect(await exchange(codes[0] as string, verifier)).toMatchObject(INVALID_GRANT);
    const plain = { code: codes[1], code_verifier: verifier, ...none };
    expect((await gateway.client().post('/v1/auth/cli/token', plain)).status).toBe(200);
  });

  it.each([
    ['the method plain', { code_challenge_method: 'plain' }, 'code_challenge_method', 'literal_error'],
    ['the method s256', { code_challenge_method: 's256' }, 'code_challenge_method', 'literal_error'],
    ['no challenge', { code_challenge: undefined }, 'code_challenge', 'missing'],
    ['a short challenge', { code_challenge: 'x'.repeat(42) }, 'code_challenge', 'string_pattern_mismatch'],
    ['a padded challenge', { code_challenge: `${'x'.repeat(42)}=` }, 'code_challenge', 'string_pattern_mismatch'],
    ['a redirect to elsewhere', { redirect_uri: 'http://evil.example/cb' }, 'redirect_uri', 'value_error'],
    ['a redirect over https', { redirect_uri: 'https://127.0.0.1/cb' }, 'redirect_uri', 'value_error'],
    [
      'a redirect that only looks like loopback',
      { redirect_uri: 'http://127.0.0.1@evil.example/' },
      'redirect_uri',
      'value_error',
    ],
    ['a redirect with a fragment', { redirect_uri: 'http://127.0.0.1:1/#' }, 'redirect_uri', 'value_error'],
    ['a redirect to a number', { redirect_uri: 'http://2130706433/cb' }, 'redirect_uri', 'value_error'],
    ['a redirect to a hexadecimal number', { redirect_uri: 'http://0x7f.1/cb' }, 'redirect_uri', 'value_error'],
    ['a redirect to an octal number', { redirect_uri: 'http://017700000001/cb' }, 'redirect_uri', 'value_error'],
    ['a redirect with a slash missing', { redirect_uri: 'http:/127.0.0.1/cb' }, 'redirect_uri', 'value_error'],
    ['a redirect with backslashes', { redirect_uri: 'http:\\\\127.0.0.1\\cb' }, 'redirect_uri', 'value_error'],
    ['a redirect with a line break', { redirect_uri: 'http://127.0.0.1/c\nb' }, 'redirect_uri', 'value_error'],
    ['a redirect with a space', { redirect_uri: 'http://127.0.0.1/c b' }, 'redirect_uri', 'value_error'],
    ['a redirect with an empty user', { redirect_uri: 'http://@127.0.0.1/cb' }, 'redirect_uri', 'value_error'],
    ['a redirect whose path goes back', { redirect_uri: 'http://127.0.0.1/a/../cb' }, 'redirect_uri', 'value_error'],
    ['a scripting redirect', { redirect_uri: 'javascript:alert(1)' }, 'redirect_uri', 'value_error'],
    ['a user to mint for', { user_id: 'usr_x' }, 'user_id', 'extra_forbidden'],
  ])('is not minted with %s', async (_what, changes, key, type) => {
    const user = await gateway.user();
    const body = {
      code_challenge: challengeOf(newVerifier()),
      code_challenge_method: 'S256',
      redirect_uri: REDIRECT,
      ...changes,
    };
    const answer = await gateway.actingFor(user.id).post('/v1/auth/cli/codes', body);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', key], type }] } });
    expect(await gateway.service.query('SELECT 1 FROM cli_codes WHERE user_id = $1', [user.id])).toEqual([]);
  });

  it('is minted by a trusted backend for an active user only', async () => {
    const user = await gateway.user();
    const body = { code_challenge: challengeOf(newVerifier()), code_challenge_method: 'S256' };
    expect((await (await gateway.signIn(user)).post('/v1/auth/cli/codes', body)).status).toBe(401);
    expect((await gateway.backend().post('/v1/auth/cli/codes', body)).status).toBe(422);
    const disabled = await gateway.user({ is_active: false });
    expect((await gateway.actingFor(disabled.id).post('/v1/auth/cli/codes', body)).status).toBe(403);
    expect((await gateway.actingFor('usr_unknown').post('/v1/auth/cli/codes', body)).status).toBe(404);
  });

  it.each([
    ['42 characters', 'x'.repeat(42)],
    ['129 characters', 'x'.repeat(129)],
    ['other characters', `${'x'.repeat(43)}+`],
    ['a list', ['x'.repeat(43)]],
    ['nothing', undefined],
  ])('is not used up by a malformed verifier: %s', async (_what, malformed) => {
    const verifier = newVerifier();
    const code = await minted(await gateway.user(), verifier);
    expect(await exchange(code, malformed)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'code_verifier'] }] },
    });
    expect((await exchange(code, verifier)).status).toBe(200);
  });

  it('is used up by a wrong verifier', async () => {
    const user = await gateway.user();
    const verifier = newVerifier();
    const code = await minted(user, verifier);
    expect(await exchange(code, newVerifier())).toMatchObject(INVALID_GRANT);
    expect(await exchange(code, verifier)).toMatchObject(INVALID_GRANT);
    expect(await sessionsOf(user)).toEqual([]);
  });

  it.each([
    ['another', 'http://127.0.0.1:51005/callback'],
    ['a slash more', `${REDIRECT}/`],
    ['another case', REDIRECT.replace('callback', 'Callback')],
    ['a query', `${REDIRECT}?a=1`],
    ['another name of the machine', REDIRECT.replace('127.0.0.1', 'localhost')],
    ['another form of the number', REDIRECT.replace('127.0.0.1', '0x7f.1')],
    ['backslashes', REDIRECT.replaceAll('/', '\\')],
    ['a user', REDIRECT.replace('127', 'a@127')],
  ])('is used up by a redirect that differs: %s', async (_what, redirect) => {
    const user = await gateway.user();
    const verifier = newVerifier();
    const code = await minted(user, verifier);
    expect(await exchange(code, verifier, redirect)).toMatchObject(INVALID_GRANT);
    expect(await exchange(code, verifier)).toMatchObject(INVALID_GRANT);
    expect(await sessionsOf(user)).toEqual([]);
  });

  it('expires after a minute', async () => {
    const verifier = newVerifier();
    const code = await minted(await gateway.user(), verifier);
    await gateway.service.query("UPDATE cli_codes SET expires_at = expires_at - interval '60 seconds'");
    expect(await exchange(code, verifier)).toMatchObject(INVALID_GRANT);
    expect(await exchange('unknown', verifier)).toMatchObject(INVALID_GRANT);
  });

  it('gives one pair of tokens to 100 exchanges at once', async () => {
    const user = await gateway.user();
    const verifier = newVerifier();
    const code = await minted(user, verifier);
    const answers = await Promise.all(Array.from({ length: 100 }, () => exchange(code, verifier)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(99);
    expect(await sessionsOf(user)).toHaveLength(1);
  });

  it('ends its session when it is used a second time', async () => {
    const user = await gateway.user();
    const verifier = newVerifier();
    const code = await minted(user, verifier);
    const { body: pair } = await exchange(code, verifier);
    expect(await exchange(code, verifier)).toMatchObject(INVALID_GRANT);
    expect(await sessionsOf(user)).toEqual([{ surface: 'cli', revoked_reason: 'code_reuse' }]);
    expect((await gateway.client().withToken(pair.access_token).get('/v1/auth/me')).status).toBe(401);
    expect((await gateway.client().post('/v1/auth/refresh', { refresh_token: pair.refresh_token })).status).toBe(401);
  });

  it('gives no tokens to a user who was disabled meanwhile', async () => {
    const user = await gateway.user();
    const verifier = newVerifier();
    const code = await minted(user, verifier);
    await gateway.service.query('UPDATE users SET is_active = false WHERE id = $1', [user.id]);
    expect(await exchange(code, verifier)).toMatchObject({ status: 403, body: { code: 'account_disabled' } });
    // The code is used up: it does not work again with the user.
    await gateway.service.query('UPDATE users SET is_active = true WHERE id = $1', [user.id]);
    expect(await exchange(code, verifier)).toMatchObject(INVALID_GRANT);
    expect(await sessionsOf(user)).toEqual([]);
  });

  it('keeps its redirect in the form in which it is compared: with the slash of an empty path', async () => {
    const user = await gateway.user();
    for (const [minted, exchanged] of [
      ['http://127.0.0.1:51004', 'http://127.0.0.1:51004/'],
      ['http://127.0.0.1:51004/', 'http://127.0.0.1:51004'],
    ]) {
      const verifier = newVerifier();
      const request = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256', redirect_uri: minted };
      const { body } = await gateway.actingFor(user.id).post<CliCodeResponse>('/v1/auth/cli/codes', request);
      expect(body.redirect_uri).toBe('http://127.0.0.1:51004/');
      expect((await exchange(body.code, verifier, exchanged)).status).toBe(200);
    }
  });

  it('is stored as a hash', async () => {
    const code = await minted(await gateway.user(), newVerifier());
    const rows = await gateway.service.query("SELECT *, encode(code_hash, 'escape') AS text FROM cli_codes");
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  it('may be tried 20 times a minute from one address', async () => {
    const client = gateway.client();
    for (let at = 0; at < 20; at++) expect((await client.post('/v1/auth/cli/token', {})).status).toBe(422);
    expect((await client.post('/v1/auth/cli/token', {})).status).toBe(429);
  });
});
