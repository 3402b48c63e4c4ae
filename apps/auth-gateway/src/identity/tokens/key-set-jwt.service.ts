import { JsonWebTokenError, JwtService, TokenExpiredError, type JwtSignOptions, type JwtVerifyOptions } from '@nestjs/jwt';
import { errors, jwtVerify, SignJWT, type JWTHeaderParameters, type JWTPayload, type JWTVerifyResult } from 'jose';
import { ALGORITHM } from './sealed-signing-keys.js';
import type { SigningKeys } from './signing-keys.js';

/** What all tokens of one kind have in common. */
export interface TokenKind {
  /** The `typ` of the header, so that no token of another kind passes for one. */
  typ: string;
  issuer: string;
  lifetimeSeconds: number;
  /** Beside `iss`. */
  requiredClaims: string[];
}

/** A token that verified. Its key was found by `kid`, so it has one. */
export interface VerifiedJwt {
  header: JWTHeaderParameters & { kid: string };
  payload: JWTPayload;
}

/** What one token has of its own. */
const OWN_SIGN_OPTIONS: readonly string[] = ['subject', 'jwtid'];
const OWN_VERIFY_OPTIONS: readonly string[] = ['complete'];

/**
 * `JwtService` for tokens of one kind: RS256 alone, with the keys of `SigningKeys` found by `kid`. It signs and verifies by WebCrypto in the
 * thread pool, where `jsonwebtoken` would hold up the event loop (docs/decisions/0029-passport-and-jwt.md). What it cannot do is refused,
 * not left out: an option beyond those below, and the synchronous methods.
 */
export class KeySetJwtService extends JwtService {
  constructor(
    private readonly keys: SigningKeys,
    private readonly kind: TokenKind,
  ) {
    super();
  }

  /**
   * @param options `subject` and `jwtid`.
   * @throws AppError 503 while no key opens to sign with.
   */
  override async signAsync(payload: string | object, options: JwtSignOptions = {}): Promise<string> {
    refuseBeyond(OWN_SIGN_OPTIONS, options);
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) throw new TypeError('A token has claims, not text.');
    const { typ, issuer, lifetimeSeconds } = this.kind;
    const { subject, jwtid } = options;
    const { signing } = await this.keys.keys();
    const issuedAt = Math.floor(Date.now() / 1000);
    const token = new SignJWT(payload as Record<string, unknown>).setProtectedHeader({ alg: ALGORITHM, kid: signing.kid, typ });
    token.setIssuer(issuer);
    if (subject !== undefined) token.setSubject(subject);
    if (jwtid !== undefined) token.setJti(jwtid);
    return token
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(signing.key);
  }

  /**
   * The claims; with `complete`, header and claims.
   *
   * @throws TokenExpiredError, and JsonWebTokenError for whatever else is wrong with it.
   */
  override verifyAsync(token: string, options: { complete: true }): Promise<VerifiedJwt>;
  override verifyAsync<Claims extends object>(token: string, options?: JwtVerifyOptions): Promise<Claims>;
  override async verifyAsync(token: string, options: JwtVerifyOptions = {}): Promise<object> {
    refuseBeyond(OWN_VERIFY_OPTIONS, options);
    const { verification } = await this.keys.keys();
    const { payload, protectedHeader: header } = await this.verified(token, ({ kid }) => {
      const key = kid ? verification.get(kid) : undefined;
      if (!key) throw new errors.JWKSNoMatchingKey();
      return key;
    });
    return options.complete ? { header, payload } : payload;
  }

  override sign(): never {
    throw new Error('Signing would hold up the event loop: use signAsync.');
  }

  override verify(): never {
    throw new Error('Verifying would hold up the event loop: use verifyAsync.');
  }

  override decode(): never {
    throw new Error('What a token says counts for nothing until it is verified: use verifyAsync.');
  }

  private async verified(token: string, key: Parameters<typeof jwtVerify>[1]): Promise<JWTVerifyResult> {
    const { typ, issuer, requiredClaims } = this.kind;
    try {
      return await jwtVerify(token, key, { algorithms: [ALGORITHM], typ, issuer, requiredClaims });
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new TokenExpiredError(error.message, new Date((error.payload.exp ?? 0) * 1000));
      if (error instanceof errors.JOSEError || error instanceof TypeError) throw new JsonWebTokenError(error.message, error);
      throw error;
    }
  }
}

function refuseBeyond(known: readonly string[], options: object): void {
  const unknown = Object.keys(options).filter((option) => !known.includes(option));
  if (unknown.length) throw new TypeError(`Not an option here: ${unknown.join(', ')}.`);
}
