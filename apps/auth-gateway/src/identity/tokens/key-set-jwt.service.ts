import {
  JsonWebTokenError,
  JwtService,
  TokenExpiredError,
  type JwtSignOptions,
  type JwtVerifyOptions,
} from '@nestjs/jwt';
import { errors, jwtVerify, SignJWT, type JWTHeaderParameters, type JWTPayload, type JWTVerifyResult } from 'jose';
import { ALGORITHM } from './sealed-signing-keys.js';
import type { SigningKeysService } from './signing-keys.service.js';

/** Common properties of all tokens of one kind. */
export interface TokenKind {
  /** Value of `typ` in the header, so that a token of another kind is not accepted. */
  typ: string;
  issuer: string;
  lifetimeSeconds: number;
  /** In addition to `iss`. */
  requiredClaims: string[];
}

/** Verified token. It always has a `kid`, because its key was found by it. */
export interface VerifiedJwt {
  header: JWTHeaderParameters & { kid: string };
  payload: JWTPayload;
}

/** Options that can differ between tokens. */
const OWN_SIGN_OPTIONS: readonly string[] = ['subject', 'jwtid'];
const OWN_VERIFY_OPTIONS: readonly string[] = ['complete'];

/**
 * `JwtService` for tokens of one kind: only RS256, with the keys of `SigningKeysService`, found by
 * `kid`. It signs and verifies with WebCrypto in the thread pool, because `jsonwebtoken` would
 * block the event loop (docs/decisions/0029-passport-and-jwt.md). Unsupported options and the
 * synchronous methods throw instead of being ignored.
 */
export class KeySetJwtService extends JwtService {
  constructor(
    private readonly keys: SigningKeysService,
    private readonly kind: TokenKind,
  ) {
    super();
  }

  /**
   * Signs a token of this kind with the current signing key.
   *
   * @param options only `subject` and `jwtid`.
   * @throws AppError 503 `unavailable` if the current signing key cannot be decrypted; TypeError
   * for another option or a payload that is no object.
   */
  override async signAsync(payload: string | object, options: JwtSignOptions = {}): Promise<string> {
    refuseBeyond(OWN_SIGN_OPTIONS, options);
    if (typeof payload === 'string' || Buffer.isBuffer(payload))
      throw new TypeError('The payload must be an object with claims, not text.');
    const { typ, issuer, lifetimeSeconds } = this.kind;
    const { subject, jwtid } = options;
    const { signing } = await this.keys.getKeys();
    const issuedAt = Math.floor(Date.now() / 1000);
    const token = new SignJWT(payload as Record<string, unknown>).setProtectedHeader({
      alg: ALGORITHM,
      kid: signing.kid,
      typ,
    });
    token.setIssuer(issuer);
    if (subject !== undefined) token.setSubject(subject);
    if (jwtid !== undefined) token.setJti(jwtid);
    return token
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(signing.key);
  }

  /**
   * Verifies a token of this kind and returns its claims; with `complete`, header and claims.
   *
   * @throws TokenExpiredError if it has expired; JsonWebTokenError if it is malformed, changed, of
   * another kind or issuer, or its key is unknown; TypeError for another option.
   */
  override verifyAsync(token: string, options: { complete: true }): Promise<VerifiedJwt>;
  override verifyAsync<Claims extends object>(token: string, options?: JwtVerifyOptions): Promise<Claims>;
  override async verifyAsync(token: string, options: JwtVerifyOptions = {}): Promise<object> {
    refuseBeyond(OWN_VERIFY_OPTIONS, options);
    const { verification } = await this.keys.getKeys();
    const { payload, protectedHeader: header } = await this.verified(token, ({ kid }) => {
      const key = kid ? verification.get(kid) : undefined;
      if (!key) throw new errors.JWKSNoMatchingKey();
      return key;
    });
    return options.complete ? { header, payload } : payload;
  }

  override sign(): never {
    throw new Error('Synchronous signing would block the event loop: use signAsync.');
  }

  override verify(): never {
    throw new Error('Synchronous verification would block the event loop: use verifyAsync.');
  }

  override decode(): never {
    throw new Error('Claims must not be used before the token is verified: use verifyAsync.');
  }

  private async verified(token: string, key: Parameters<typeof jwtVerify>[1]): Promise<JWTVerifyResult> {
    const { typ, issuer, requiredClaims } = this.kind;
    try {
      return await jwtVerify(token, key, { algorithms: [ALGORITHM], typ, issuer, requiredClaims });
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw new TokenExpiredError(error.message, new Date((error.payload.exp ?? 0) * 1000));
      if (error instanceof errors.JOSEError || error instanceof TypeError)
        throw new JsonWebTokenError(error.message, error);
      throw error;
    }
  }
}

function refuseBeyond(known: readonly string[], options: object): void {
  const unknown = Object.keys(options).filter((option) => !known.includes(option));
  if (unknown.length) throw new TypeError(`Unsupported options: ${unknown.join(', ')}.`);
}
