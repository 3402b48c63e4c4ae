import type { TokenResponse } from '@platform/contracts';
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
  type CryptoKey as JwkKey,
  type JWK,
} from 'jose';
import { createHmac } from 'node:crypto';
import { until } from '@platform/testing';
import { GatewayTest, type TestUser } from '../../testing/gateway-test.js';
import { expectNothingStored } from '../../testing/stored-rows.js';
import { SigningKeysService } from './signing-keys.service.js';

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
const me = (token: string) => gateway.client().withToken(token).get<{ code: string }>('/v1/auth/me');
const keySet = async () => (await gateway.client().get<{ keys: JWK[] }>(JWKS)).body.keys;
/** Signs tokens with the gateway's key, with the claims and the header of the test. */
const forge = async (claims: Record<string, unknown>, header: Record<string, unknown> = {}) => {
  const { signing } = await gateway.service.app.get(SigningKeysService).getKeys();
  const payload = Object.fromEntries(
    Object.entries({ ...decodeJwt(pair.access_token), ...claims }).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'RS256', kid: signing.kid, typ: 'at+jwt', ...header })
    .sign(signing.key);
};
const now = () => Math.floor(Date.now() / 1000);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Expects 401 for each token, with the same answer and no stored change. */
const expectRefused = (...tokens: string[]) =>
  expectNothingStored(gateway.service, async () => {
    for (const token of tokens) {
      const { status, headers, body } = await me(token);
      expect({ status, body }).toMatchObject({ status: 401, body: { code: 'invalid_token' } });
      expect(Object.keys(body)).toEqual(['detail', 'code', 'request_id']);
      expect(headers.get('www-authenticate')).toBe('Bearer realm="gateway", error="invalid_token"');
    }
  });

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
    const verify = (token: string) =>
      jwtVerify(token, remote, { algorithms: ['RS256'], requiredClaims: ['exp', 'iat', 'sub'] });
    await verify(pair.access_token);
    const published = (await keySet()).map(({ kid }) => kid);

    const kid = await gateway.service.app.get(SigningKeysService).rotateKeys();
    expect(published).toContain(kid);
    const after = await gateway.login(user);
    expect(decodeProtectedHeader(after.access_token).kid).toBe(kid);
    await verify(after.access_token);
    await verify(pair.access_token);
    expect((await me(pair.access_token)).status).toBe(200);
  });

  it.each(['none', 'None', 'NONE', 'nOnE', ''])('is refused with alg %j', async (alg) => {
    const { kid } = decodeProtectedHeader(pair.access_token);
    const payload = encode({ ...decodeJwt(pair.access_token), role: 'admin', scopes: ['*'] });
    const header = encode({ alg, kid, typ: 'at+jwt' });
    const unsecured = new UnsecuredJWT(decodeJwt(pair.access_token)).encode();
    await expectRefused(
      unsecured,
      ...['', '.', pair.access_token.split('.')[2]].map((signature) => `${header}.${payload}.${signature}`),
      `${header}.${payload}`,
    );
  });

  it('is refused when the public key was used as an HMAC secret', async () => {
    for (const jwk of await keySet()) {
      const pem = await exportSPKI((await importJWK(jwk, 'RS256')) as JwkKey);
      const { kty, n, e } = jwk;
      const texts = [
        ...[
          pem,
          pem.trim(),
          `${pem}\n`,
          pem.replaceAll('\n', '\r\n'),
          pem.replaceAll('\n', ''),
          pem.split('\n').slice(1, -1).join(''),
        ],
        ...[jwk, { kty, n, e }, { e, kty, n }].flatMap((key) =>
          [undefined, 2, 4, '\t'].map((space) => JSON.stringify(key, null, space)),
        ),
        ...[`${JSON.stringify(jwk)}\n`, JSON.stringify({ keys: [jwk] }), n as string, jwk.kid as string],
      ];
      const secrets = [
        ...texts,
        Buffer.from(pem.split('\n').slice(1, -1).join(''), 'base64'),
        Buffer.from(n as string, 'base64url'),
      ];
      for (const alg of ['HS256', 'HS384', 'HS512']) {
        const input = `${encode({ alg, kid: jwk.kid, typ: 'at+jwt' })}.${encode(decodeJwt(pair.access_token))}`;
        const hmac = (secret: string | Buffer) =>
          createHmac(alg.replace('HS', 'sha'), secret).update(input).digest('base64url');
        await expectRefused(...secrets.map((secret) => `${input}.${hmac(secret)}`));
      }
    }
  });

  it('is refused when it brings its own key', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    const { kid } = decodeProtectedHeader(pair.access_token);
    const headers = [
      { kid },
      { jwk },
      { kid, jwk },
      { kid, jku: 'http://127.0.0.1:9/jwks' },
      { kid, x5u: 'http://127.0.0.1:9/x' },
      { kid, x5c: ['x'] },
    ];
    for (const header of headers) {
      const forged = new SignJWT(decodeJwt(pair.access_token)).setProtectedHeader({
        alg: 'RS256',
        typ: 'at+jwt',
        ...header,
      });
      await expectRefused(await forged.sign(privateKey));
    }
  });

  it.each([
    ...[
      '../../dev/null',
      '/etc/passwd',
      "' OR 1=1--",
      '__proto__',
      'constructor',
      'toString',
      '',
      ' ',
      'x'.repeat(5_000),
    ],
    ...[['a'], { a: 1 }, 7, null, true, undefined],
  ])('is refused with the kid %j', async (kid) => {
    await expectRefused(await forge({}, { kid }));
  });

  it('is refused with a kid of 10 kB', async () => {
    const { status, body } = await me(await forge({}, { kid: 'x'.repeat(10_000) }));
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'malformed_header' } });
  });

  it.each(['JWT', 'jwt', 'signup-status+jwt', 'verify+jwt', 'reset+jwt', 'service+jwt', 'at+jwt2', '', 7, undefined])(
    'is refused with the type %j',
    async (typ) => {
      await expectRefused(await forge({}, { typ }));
    },
  );

  it.each([
    ['exp as text', { exp: '9999999999' }],
    ['exp as a list', { exp: [9999999999] }],
    ['exp out of range', { exp: -1 }],
    ['exp that never comes', { exp: 1e308 }],
    ['a longer life than any of ours', { iat: now(), exp: now() + 901 }],
    ['without exp', { exp: undefined }],
    ['without iat', { iat: undefined }],
    ['iat as text', { iat: String(now()) }],
    ['without sub', { sub: undefined }],
    ['with a sub that is no text', { sub: { $ne: '' } }],
    ['without sid', { sid: undefined }],
    ['with a sid that is no text', { sid: 7 }],
    ['with a sid of SQL', { sid: "' OR '1'='1" }],
    ['issued in the future', { iat: now() + 3600, exp: now() + 4500 }],
    ['not valid yet', { nbf: now() + 3600 }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['of no issuer', { iss: undefined }],
    ['of a session that is not the subject’s', { sub: 'usr_01h455vb4pex5vsknk084sn02q' }],
    ['of a session that does not exist', { sid: 'ses_01h455vb4pex5vsknk084sn02q' }],
  ])('is refused when it is %s', async (_what, claims) => {
    await expectRefused(await forge(claims));
  });

  it('is refused from the second on in which it expires, though it was taken before', async () => {
    const passing = await forge({ iat: now() - 896, exp: now() + 4 });
    expect((await me(passing)).status).toBe(200);
    await until(async () => (await me(passing)).status === 401);
    const { headers, body } = await me(passing);
    expect(body).toMatchObject({ code: 'invalid_token', detail: 'Token expired' });
    expect(headers.get('www-authenticate')).toBe('Bearer realm="gateway", error="invalid_token"');
    await expectRefused(
      await forge({ iat: now() - 901, exp: now() - 1 }),
      await forge({ iat: now() - 900, exp: now() }),
    );
  });

  it('counts for what the database says of its user, whatever rights it names', async () => {
    expect((await me(await forge({}))).status).toBe(200); // otherwise the other tests would fail for another reason
    const { body } = await me(
      await forge({ role: 'admin', scopes: ['*'], tenant_id: 'other', email: 'evil@example.com' }),
    );
    expect(body).toMatchObject({ role: 'user', scopes: [], tenant_id: 'default', email: user.email });
  });

  it('is refused with a critical header that we do not know', async () => {
    const { signing } = await gateway.service.app.get(SigningKeysService).getKeys();
    const input = `${encode({ alg: 'RS256', kid: signing.kid, typ: 'at+jwt', crit: ['x'], x: 1 })}.${encode(decodeJwt(pair.access_token))}`;
    const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', signing.key, Buffer.from(input));
    await expectRefused(`${input}.${Buffer.from(signature).toString('base64url')}`);
  });

  it('is refused with one character changed, cut short or added', async () => {
    const [header = '', payload = '', signature = ''] = pair.access_token.split('.');
    const other = (text: string) => `${text.slice(0, 10)}${text[10] === 'A' ? 'B' : 'A'}${text.slice(11)}`;
    await expectRefused(
      ...[
        `${other(header)}.${payload}.${signature}`,
        `${header}.${other(payload)}.${signature}`,
        `${header}.${payload}.${other(signature)}`,
      ],
      ...[
        `${header}.${payload}.${signature.slice(0, -4)}`,
        `${pair.access_token}.${signature}`,
        `${header}..${signature}`,
        `.${payload}.`,
      ],
    );
  });

  it('is read from the Authorization header only', async () => {
    const elsewhere = await gateway
      .client()
      .get(`/v1/auth/me?token=${pair.access_token}&access_token=${pair.access_token}`);
    expect(elsewhere).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
    expect(elsewhere.headers.get('www-authenticate')).toBe('Bearer realm="gateway"');
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
    expect(
      (await gateway.client().get(JWKS, { headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' } })).status,
    ).toBe(304);
  });

  it('is made once by processes that start together, and replaced whole after a compromise', async () => {
    const keys = gateway.service.app.get(SigningKeysService);
    await gateway.service.query('DELETE FROM signing_keys');
    await Promise.all(Array.from({ length: 8 }, () => keys.ensureKeys()));
    const states = () => gateway.service.query<{ state: string }>('SELECT state FROM signing_keys ORDER BY state');
    expect(await states()).toEqual([{ state: 'current' }, { state: 'next' }]);
    const { access_token } = await gateway.login(await gateway.user());
    expect((await me(access_token)).status).toBe(200);
    await keys.replaceAllKeys();
    expect((await me(access_token)).status).toBe(401);
    expect(await states()).toEqual([{ state: 'current' }, { state: 'next' }]);
  });

  it('rotates by itself when it is due, and drops keys that no token is signed with', async () => {
    const keys = gateway.service.app.get(SigningKeysService);
    const current = async () =>
      (await gateway.service.query<{ kid: string }>("SELECT kid FROM signing_keys WHERE state = 'current'"))[0]
        ?.kid as string;
    const before = await current();
    await keys.maintainKeys();
    expect(await current()).toBe(before);
    await gateway.service.query(
      "UPDATE signing_keys SET activated_at = now() - interval '91 days', created_at = now() - interval '3 hours'",
    );
    await keys.maintainKeys();
    expect(await current()).not.toBe(before);
    await gateway.service.query(
      "UPDATE signing_keys SET retired_at = now() - interval '3 hours' WHERE state = 'retiring'",
    );
    await keys.maintainKeys();
    expect(await gateway.service.query('SELECT 1 FROM signing_keys WHERE kid = $1', [before])).toEqual([]);
  });

  it('keeps private keys sealed', async () => {
    const rows = JSON.stringify(await gateway.service.query('SELECT * FROM signing_keys'));
    expect(rows).not.toContain('"d"');
    expect(rows).toContain('k1.');
  });
});
