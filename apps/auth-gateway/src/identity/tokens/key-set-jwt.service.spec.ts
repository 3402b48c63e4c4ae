import { JsonWebTokenError, JwtService, TokenExpiredError } from '@nestjs/jwt';
import { Errors } from '@platform/platform';
import { exportPKCS8, exportSPKI, generateKeyPair, type CryptoKey } from 'jose';
import nodeCrypto from 'node:crypto';
import { KeySetJwtService, type TokenKind } from './key-set-jwt.service.js';
import type { KeySet, SigningKeysService } from './signing-keys.service.js';

const ISSUER = 'https://platform.example';
const KIND: TokenKind = { typ: 'test+jwt', issuer: ISSUER, lifetimeSeconds: 60, requiredClaims: ['exp', 'iat', 'sub'] };

interface Pair {
  kid: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

let old: Pair;
let current: Pair;
beforeAll(async () => {
  const pair = async (kid: string): Promise<Pair> => ({
    kid,
    ...(await generateKeyPair('RS256', { extractable: true })),
  });
  [old, current] = await Promise.all([pair('old'), pair('current')]);
});
afterEach(() => jest.restoreAllMocks());

/** A service that reads these keys on each use; the first one signs. */
function service(keys: () => Pair[], kind: Partial<TokenKind> = {}): KeySetJwtService {
  const keySet = (): KeySet => {
    const [signing] = keys();
    if (!signing) throw Errors.unavailable(new Error('The current signing key cannot be decrypted.'));
    return {
      signing: { kid: signing.kid, key: signing.privateKey },
      verification: new Map(keys().map(({ kid, publicKey }) => [kid, publicKey])),
      published: [],
    };
  };
  return new KeySetJwtService({ getKeys: () => Promise.resolve().then(keySet) } as SigningKeysService, {
    ...KIND,
    ...kind,
  });
}

const claims = { name: 'Ada' };
const own = { subject: 'usr_ada', jwtid: 'tok_1' };

describe('a token', () => {
  it('is one that jsonwebtoken accepts, and the other way round', async () => {
    const token = await service(() => [current]).signAsync(claims, own);
    const theirs = new JwtService({
      publicKey: await exportSPKI(current.publicKey),
      privateKey: await exportPKCS8(current.privateKey),
    });
    const { header, payload } = theirs.verify<{ header: object; payload: { iat: number } }>(token, {
      algorithms: ['RS256'],
      complete: true,
    });
    expect(header).toEqual({ alg: 'RS256', kid: 'current', typ: 'test+jwt' });
    expect(payload).toEqual({
      name: 'Ada',
      iss: ISSUER,
      sub: 'usr_ada',
      jti: 'tok_1',
      iat: payload.iat,
      exp: payload.iat + 60,
    });
    const signed = theirs.sign(claims, {
      algorithm: 'RS256',
      keyid: 'current',
      header: { alg: 'RS256', typ: 'test+jwt' },
      issuer: ISSUER,
      subject: 'usr_ada',
      expiresIn: 60,
    });
    expect(await service(() => [current]).verifyAsync(signed)).toMatchObject({ name: 'Ada', sub: 'usr_ada' });
  });

  it('is verified by the key of its `kid`, as long as there is one', async () => {
    const before = await service(() => [old]).signAsync(claims, own);
    const rotated = service(() => [current, old]);
    const after = await rotated.signAsync(claims, own);
    expect(await rotated.verifyAsync(before, { complete: true })).toMatchObject({
      header: { kid: 'old' },
      payload: claims,
    });
    expect(await rotated.verifyAsync(after, { complete: true })).toMatchObject({
      header: { kid: 'current' },
      payload: claims,
    });
    await expect(service(() => [current]).verifyAsync(before)).rejects.toThrow(JsonWebTokenError);
    const misnamed = service(() => [{ ...current, kid: 'old' }]);
    await expect(misnamed.verifyAsync(before)).rejects.toThrow(JsonWebTokenError);
  });

  it.each<[string, Partial<TokenKind>]>([
    ['of another kind', { typ: 'other+jwt' }],
    ['of another issuer', { issuer: 'https://evil.example' }],
    ['without a claim that is required', { requiredClaims: ['sid'] }],
  ])('is refused %s', async (_what, kind) => {
    const token = await service(() => [current]).signAsync(claims, own);
    await expect(service(() => [current], kind).verifyAsync(token)).rejects.toThrow(JsonWebTokenError);
  });

  it('is refused as expired when it is, and when nothing else is wrong with it', async () => {
    const keys = () => [current];
    const expired = await service(keys, { lifetimeSeconds: 0 }).signAsync(claims, own);
    await expect(service(keys).verifyAsync(expired)).rejects.toThrow(TokenExpiredError);
    const refusal = service(keys, { typ: 'other+jwt' }).verifyAsync(expired);
    await expect(refusal).rejects.not.toBeInstanceOf(TokenExpiredError);
  });

  it('is not refused where the keys cannot be read: that is no fault of the token', async () => {
    const token = await service(() => [current]).signAsync(claims, own);
    const none = service(() => []);
    await expect(none.verifyAsync(token)).rejects.toMatchObject({ status: 503 });
    await expect(none.signAsync(claims, own)).rejects.toMatchObject({ status: 503 });
  });
});

describe('the service', () => {
  it('signs and verifies by WebCrypto, which does it outside of the event loop', async () => {
    const [signs, verifies] = [jest.spyOn(crypto.subtle, 'sign'), jest.spyOn(crypto.subtle, 'verify')];
    const synchronous = [jest.spyOn(nodeCrypto, 'createSign'), jest.spyOn(nodeCrypto, 'createVerify')];
    const jwt = service(() => [current]);
    await jwt.verifyAsync(await jwt.signAsync(claims, own));
    expect([signs.mock.calls.length, verifies.mock.calls.length]).toEqual([1, 1]);
    for (const call of synchronous) expect(call).not.toHaveBeenCalled();
  });

  it('has no synchronous methods', async () => {
    const jwt: JwtService = service(() => [current]);
    const token = await jwt.signAsync(claims, own);
    expect(() => void jwt.sign(claims)).toThrow('use signAsync');
    expect(() => void jwt.verify(token)).toThrow('use verifyAsync');
    expect(() => void jwt.decode(token)).toThrow('use verifyAsync');
  });

  it.each([
    { secret: 'x' },
    { privateKey: 'x' },
    { algorithm: 'none' as const },
    { expiresIn: '10y' as const },
    { issuer: 'https://evil.example' },
    { keyid: 'old' },
    { header: { alg: 'none' } },
    { noTimestamp: true },
  ])('refuses to sign with %j', async (option) => {
    const jwt: JwtService = service(() => [current]);
    await expect(jwt.signAsync(claims, { ...own, ...option })).rejects.toThrow(
      `Unsupported options: ${Object.keys(option).join()}.`,
    );
  });

  it.each([
    { secret: 'x' },
    { publicKey: 'x' },
    { algorithms: ['HS256' as const] },
    { ignoreExpiration: true },
    { clockTolerance: 3_600 },
    { audience: 'somebody' },
    { maxAge: 1 },
  ])('refuses to verify with %j', async (option) => {
    const jwt: JwtService = service(() => [current]);
    const token = await jwt.signAsync(claims, own);
    await expect(jwt.verifyAsync(token, option)).rejects.toThrow(`Unsupported options: ${Object.keys(option).join()}.`);
  });

  it('signs no text, which could have no kind', async () => {
    const jwt: JwtService = service(() => [current]);
    await expect(jwt.signAsync('text')).rejects.toThrow(TypeError);
    await expect(jwt.signAsync(Buffer.from('text'))).rejects.toThrow(TypeError);
  });
});
