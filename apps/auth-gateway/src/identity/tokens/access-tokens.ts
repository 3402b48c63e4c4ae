import { AccessErrors } from '@platform/guards';
import { errors, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { newId } from '@platform/platform';
import { ALGORITHM } from './sealed-signing-keys.js';
import type { SigningKeys } from './signing-keys.js';

export const ACCESS_TOKEN_SECONDS = 900;
/** RFC 9068 section 2.1: no token made for another purpose passes as an access token. */
const TYPE = 'at+jwt';
const MAX_TOKEN_LENGTH = 8 * 1024;
/** Between processes that issue and verify. */
const CLOCK_SKEW_SECONDS = 60;
const CACHED_TOKENS = 20_000;

/** What an access token says. Role and scopes are those of the moment it was issued. */
export interface AccessTokenSubject {
  userId: string;
  sessionId: string;
  email: string;
  tenantId: string;
  orgId: string | null;
  role: string;
  scopes: string[];
  /** How the session began: `session` for a login, `cli` for a command-line login. */
  use: string;
}

export interface VerifiedToken {
  userId: string;
  sessionId: string;
  expiresAt: number;
}

/**
 * Issues and checks access tokens: RS256 with `kid`, no `aud` and no `nbf`, which clients of the interface refuse. A token that
 * verified once is not verified again while it is remembered; whether its session lives is asked elsewhere, each time.
 */
export class AccessTokens {
  private readonly verified = new LRUCache<string, VerifiedToken & { kid: string }>({ max: CACHED_TOKENS });

  constructor(
    private readonly keys: SigningKeys,
    private readonly issuer: string,
  ) {}

  async issue(subject: AccessTokenSubject): Promise<string> {
    const { signing } = await this.keys.keys();
    const issuedAt = Math.floor(Date.now() / 1000);
    return new SignJWT({
      sid: subject.sessionId,
      email: subject.email,
      tenant_id: subject.tenantId,
      org_id: subject.orgId,
      role: subject.role,
      scopes: subject.scopes,
      token_use: subject.use,
    })
      .setProtectedHeader({ alg: ALGORITHM, kid: signing.kid, typ: TYPE })
      .setIssuer(this.issuer)
      .setSubject(subject.userId)
      .setJti(newId('tok'))
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
      .sign(signing.key);
  }

  /** @throws AppError 401 `invalid_token`, whatever is wrong with it. */
  async verify(token: string): Promise<VerifiedToken> {
    const { verification } = await this.keys.keys();
    const known = this.verified.get(token);
    if (known && known.expiresAt > Date.now() / 1000 && verification.has(known.kid)) return known;
    if (token.length > MAX_TOKEN_LENGTH) throw AccessErrors.invalidToken();
    try {
      const { kid } = decodeProtectedHeader(token);
      const key = typeof kid === 'string' ? verification.get(kid) : undefined;
      if (!kid || !key) throw AccessErrors.invalidToken();
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: this.issuer,
        requiredClaims: ['exp', 'iat', 'sub', 'sid'],
      });
      const { sub, sid, iat = 0, exp = 0 } = payload;
      const isOfOurs = iat <= Date.now() / 1000 + CLOCK_SKEW_SECONDS && exp - iat <= ACCESS_TOKEN_SECONDS;
      if (typeof sid !== 'string' || !sub || !isOfOurs) throw AccessErrors.invalidToken();
      const result = { kid, userId: sub, sessionId: sid, expiresAt: exp };
      this.verified.set(token, result);
      return result;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw AccessErrors.invalidToken('Token expired');
      if (error instanceof errors.JOSEError || error instanceof TypeError) throw AccessErrors.invalidToken();
      throw error;
    }
  }
}
