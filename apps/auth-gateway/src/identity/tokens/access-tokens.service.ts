import { Injectable } from '@nestjs/common';
import { JsonWebTokenError, TokenExpiredError } from '@nestjs/jwt';
import { AccessErrors } from '@platform/guards';
import { maxEntries, newId } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { KeySetJwtService, type TokenKind } from './key-set-jwt.service.js';
import { SigningKeysService } from './signing-keys.service.js';

export const ACCESS_TOKEN_SECONDS = 900;
const MAX_TOKEN_LENGTH = 8 * 1024;
/** Maximum difference between the clocks of processes that issue and verify tokens. */
const CLOCK_SKEW_SECONDS = 60;
const CACHED_TOKENS = 20_000;

export const getAccessTokenKind = (issuer: string): TokenKind => ({
  typ: 'at+jwt', // RFC 9068 section 2.1: a token for another purpose is not accepted as an access token
  issuer,
  lifetimeSeconds: ACCESS_TOKEN_SECONDS,
  requiredClaims: ['exp', 'iat', 'sub', 'sid'],
});

/** Content of an access token. Role and scopes are those at the time of issue. */
export interface AccessTokenSubject {
  userId: string;
  sessionId: string;
  email: string;
  tenantId: string;
  orgId: string | null;
  role: string;
  scopes: string[];
  /** Origin of the session: `session` for a login, `cli` for a command-line login. */
  use: string;
}

export interface VerifiedToken {
  userId: string;
  sessionId: string;
  expiresAt: number;
}

/**
 * Issues and verifies access tokens: RS256 with `kid`, without `aud` and `nbf`, which clients of
 * the REST API refuse. Verified tokens are cached. Each request checks separately that the session
 * is alive.
 */
@Injectable()
export class AccessTokensService {
  private readonly verified = new LRUCache<string, VerifiedToken & { kid: string }>(maxEntries(CACHED_TOKENS));

  constructor(
    private readonly keys: SigningKeysService,
    private readonly jwt: KeySetJwtService,
  ) {}

  issueAccessToken(subject: AccessTokenSubject): Promise<string> {
    const claims = {
      sid: subject.sessionId,
      email: subject.email,
      tenant_id: subject.tenantId,
      org_id: subject.orgId,
      role: subject.role,
      scopes: subject.scopes,
      token_use: subject.use,
    };
    return this.jwt.signAsync(claims, { subject: subject.userId, jwtid: newId('tok') });
  }

  /**
   * Checks an access token and returns its user and session. It does not check that the session is
   * active.
   *
   * @throws AppError 401 `invalid_token` if the token is malformed, changed, expired or of another
   * kind, or if its signing key was removed.
   */
  async verifyAccessToken(token: string): Promise<VerifiedToken> {
    const { verification } = await this.keys.getKeys();
    const known = this.verified.get(token);
    if (known && known.expiresAt > Date.now() / 1000 && verification.has(known.kid)) return known;
    if (token.length > MAX_TOKEN_LENGTH) throw AccessErrors.invalidToken();
    try {
      const { header, payload } = await this.jwt.verifyAsync(token, { complete: true });
      const { sub, sid, iat = 0, exp = 0 } = payload;
      const isOfOurs = iat <= Date.now() / 1000 + CLOCK_SKEW_SECONDS && exp - iat <= ACCESS_TOKEN_SECONDS;
      if (typeof sid !== 'string' || !sub || !isOfOurs) throw AccessErrors.invalidToken();
      const result = { kid: header.kid, userId: sub, sessionId: sid, expiresAt: exp };
      this.verified.set(token, result);
      return result;
    } catch (error) {
      if (error instanceof TokenExpiredError) throw AccessErrors.invalidToken('Token expired');
      if (error instanceof JsonWebTokenError) throw AccessErrors.invalidToken();
      throw error;
    }
  }
}
