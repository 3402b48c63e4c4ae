import type { TokenResponse } from '@platform/contracts';
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportSPKI,
  importJWK,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
  type CryptoKey as JwkKey,
  type JWK,
} from 'jose';
import { createHmac } from 'node:crypto';
import { until } from '@platform/testing';
import { GatewayTest, type TestUser } from '../testing/gateway.js';
import { SigningKeys } from './signing-keys.js';

let gateway: GatewayTest;
let user: TestUser;
let pair: TokenResponse;
beforeAll(async () => {
  gateway = await GatewayTest.start();
  user = await gateway.user();
  pair = await gateway.login(user);
});
afterAll(() => gateway.stop());

const JWKS = '/v1/auth/.well-known/jwks.json';
const me = (token: string) => gateway.client().bearer(token).get<{ code: string }>('/v1/auth/me');
const keySet = async () => (await gateway.client().get<{ keys: JWK[] }>(JWKS)).body.keys;
/** Signs as the gateway does, with whatever claims and header a test wants. */
const forge = async (claims: Record<string, unknown>, header: Record<string, unknown> = {}) => {
  const { signing } = await gateway.service.app.get(SigningKeys).keys();
  const payload = Object.fromEntries(
    Object.entries({ ...decodeJwt(pair.access_token), ...claims }).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(payload)
    .setProtectedHeader({ ...decodeProtectedHeader(pair.access_token), alg: 'RS256', ...header })
    .sign(signing.key);
};
const now = () => Math.floor(Date.now() / 1000);

describe('an access token', () => {
  it('carries what clients of the interface read, and nothing they refuse', () => {
    expect(decodeProtectedHeader(pair.access_token)).toEqual({ alg: 'RS256', kid: expect.any(String), typ: 'at+jwt' });
    const claims = decodeJwt(pair.access_token);
    expect(claims).toEqual({
      iss: 'http://localhost:4000',
      sub: user.id,
      sid: expect.stringMatching(/^ses_/),
      jti: expect.stringMatching(/^tok_/),
      iat: expect.any(Number),
      exp: (claims.iat as number) + 900,
      email: user.email,
      tenant_id: 'default',
      org_id: null,
      role: 'user',
      scopes: [],
      token_use: 'session',
    });
  });

  it('verifies by the key set alone, before and after a rotation', async () => {
    const remote = createRemoteJWKSet(new URL(`${gateway.service.url}${JWKS}`), { cooldownDuration: 0 });
    const verify = (token: string) => jwtVerify(token, remote, { algorithms: ['RS256'], requiredClaims: ['exp', 'iat', 'sub'] });
    await verify(pair.access_token);
    const published = (await keySet()).map(({ kid }) => kid);

    const kid = await gateway.service.app.get(SigningKeys).rotate();
    expect(published).toContain(kid);
    const after = await gateway.login(user);
    expect(decodeProtectedHeader(after.access_token).kid).toBe(kid);
    await verify(after.access_token);
    await verify(pair.access_token);
    expect((await me(pair.access_token)).status).toBe(200);
  });

  it.each(['none', 'None', 'NONE'])('is refused with alg %s', async (alg) => {
    const unsigned = new UnsecuredJWT(decodeJwt(pair.access_token)).encode();
    const header = Buffer.from(JSON.stringify({ alg, kid: decodeProtectedHeader(pair.access_token).kid, typ: 'at+jwt' })).toString(
      'base64url',
    );
    const [, payload = ''] = unsigned.split('.');
    for (const signature of ['', pair.access_token.split('.')[2]]) expect((await me(`${header}.${payload}.${signature}`)).status).toBe(401);
  });

  it('is refused when the public key was used as an HMAC secret', async () => {
    const [jwk] = (await keySet()) as [JWK];
    const pem = await exportSPKI((await importJWK(jwk, 'RS256')) as JwkKey);
    const secrets = [
      pem,
      pem.trim(),
      `${pem}\n`,
      pem.replaceAll('\n', '\r\n'),
      JSON.stringify(jwk),
      Buffer.from(pem.split('\n').slice(1, -1).join(''), 'base64'),
    ];
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const input = `${encode({ alg: 'HS256', kid: jwk.kid, typ: 'at+jwt' })}.${encode(decodeJwt(pair.access_token))}`;
    for (const secret of secrets) {
      expect((await me(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`)).status).toBe(401);
    }
  });

  it.each(['../../dev/null', "' OR 1=1--", '__proto__', 'constructor', 'x'.repeat(5_000), ['a'], 7, undefined])(
    'is refused with the kid %j',
    async (kid) => {
      expect((await me(await forge({}, { kid }))).status).toBe(401);
    },
  );

  it.each(['JWT', 'signup-status+jwt', undefined])('is refused with the type %s', async (typ) => {
    expect((await me(await forge({}, { typ }))).status).toBe(401);
  });

  it.each([
    ['expired a second ago', { exp: now() - 1 }],
    ['exp as text', { exp: '9999999999' }],
    ['exp out of range', { exp: -1 }],
    ['without exp', { exp: undefined }],
    ['without sub', { sub: undefined }],
    ['without sid', { sid: undefined }],
    ['with a sid that is no text', { sid: 7 }],
    ['issued in the future', { iat: now() + 3600, exp: now() + 7200 }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['of a session that is not the subject’s', { sub: 'usr_01h455vb4pex5vsknk084sn02q' }],
    ['of a session that does not exist', { sid: 'ses_01h455vb4pex5vsknk084sn02q' }],
  ])('is refused when it is %s', async (_what, claims) => {
    const { status, headers, body } = await me(await forge(claims));
    expect(status).toBe(401);
    expect(body.code).toBe('invalid_token');
    expect(headers.get('www-authenticate')).toBe('Bearer realm="gateway", error="invalid_token"');
  });

  it('is refused with a critical header that we do not know', async () => {
    const [header = '', payload, signature] = (await forge({})).split('.');
    const critical = { ...(JSON.parse(Buffer.from(header, 'base64url').toString()) as object), crit: ['x'], x: 1 };
    expect((await me(`${Buffer.from(JSON.stringify(critical)).toString('base64url')}.${payload}.${signature}`)).status).toBe(401);
  });

  it('is no refresh token, and a refresh token is no access token', async () => {
    expect((await me(pair.refresh_token)).status).toBe(401);
    expect((await gateway.client().post('/v1/auth/refresh', { refresh_token: pair.access_token })).status).toBe(401);
  });

  it('is read from the Authorization header only', async () => {
    const elsewhere = await gateway.client().get(`/v1/auth/me?token=${pair.access_token}&access_token=${pair.access_token}`);
    expect(elsewhere).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
    expect(elsewhere.headers.get('www-authenticate')).toBe('Bearer realm="gateway"');
  });
});

describe('what changed since a token was issued', () => {
  /** A second process answers from its own memory, which is at most 5 s old; here its first look is already after the change. */
  it('counts: disabled users and revoked sessions are refused, and a new role shows', async () => {
    const subject = await gateway.user();
    const { access_token } = await gateway.login(subject);
    const profile = async (url = gateway.service) =>
      url.client().bearer(access_token).get<{ role: string; scopes: string[] }>('/v1/auth/me');
    expect((await profile()).body).toMatchObject({ role: 'user', scopes: [] });
    await gateway.service.query("UPDATE users SET role = 'admin' WHERE id = $1", [subject.id]);
    const second = await gateway.beside();
    expect((await profile(second)).body).toMatchObject({ role: 'admin', scopes: ['*'] });
    await gateway.service.query('UPDATE users SET is_active = false WHERE id = $1', [subject.id]);
    await second.stop();
    const started = Date.now();
    await until(async () => (await profile()).status === 401);
    expect(Date.now() - started).toBeLessThan(6_000);
  });
});

describe('the key set', () => {
  it('shows public members only, with an ETag, and may be cached', async () => {
    const response = await gateway.client().get<{ keys: JWK[] }>(JWKS);
    expect(response.headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=300');
    expect(response.headers.get('pragma')).toBeNull();
    for (const key of response.body.keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
      expect(key).toMatchObject({ alg: 'RS256', kty: 'RSA', use: 'sig' });
    }
    const etag = response.headers.get('etag') ?? '';
    expect((await gateway.client().get(JWKS, { headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' } })).status).toBe(304);
  });

  it('is made once by processes that start together, and replaced whole after a compromise', async () => {
    const keys = gateway.service.app.get(SigningKeys);
    await gateway.service.query('DELETE FROM signing_keys');
    await Promise.all(Array.from({ length: 8 }, () => keys.ensure()));
    const states = () => gateway.service.query<{ state: string }>('SELECT state FROM signing_keys ORDER BY state');
    expect(await states()).toEqual([{ state: 'current' }, { state: 'next' }]);
    const { access_token } = await gateway.login(await gateway.user());
    expect((await me(access_token)).status).toBe(200);
    await keys.replaceAll();
    expect((await me(access_token)).status).toBe(401);
    expect(await states()).toEqual([{ state: 'current' }, { state: 'next' }]);
  });

  it('rotates by itself when it is due, and drops keys that no token is signed with', async () => {
    const keys = gateway.service.app.get(SigningKeys);
    const current = async () =>
      (await gateway.service.query<{ kid: string }>("SELECT kid FROM signing_keys WHERE state = 'current'"))[0]?.kid as string;
    const before = await current();
    await keys.maintain();
    expect(await current()).toBe(before);
    await gateway.service.query(
      "UPDATE signing_keys SET activated_at = now() - interval '91 days', created_at = now() - interval '3 hours'",
    );
    await keys.maintain();
    expect(await current()).not.toBe(before);
    await gateway.service.query("UPDATE signing_keys SET retired_at = now() - interval '3 hours' WHERE state = 'retiring'");
    await keys.maintain();
    expect(await gateway.service.query('SELECT 1 FROM signing_keys WHERE kid = $1', [before])).toEqual([]);
  });

  it('keeps private keys sealed', async () => {
    const rows = JSON.stringify(await gateway.service.query('SELECT * FROM signing_keys'));
    expect(rows).not.toContain('"d"');
    expect(rows).toContain('k1.');
  });
});
