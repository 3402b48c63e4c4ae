import type { SignupStatusResponse } from '@platform/contracts';
import type { Keyring } from '@platform/platform';
import { createSecretKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { DataSource } from 'typeorm';
import { maskEmail } from '../accounts/email.js';
import { SIGNUP_LIFETIME_DAYS } from './pending-credentials.js';

const TYPE = 'signup-status+jwt';
const WAITS_SECONDS = SIGNUP_LIFETIME_DAYS * 24 * 3600;
/** Lifetime of a status token, counted from its signup. */
const READABLE_SECONDS = 30 * 24 * 3600;
const UNKNOWN: SignupStatusResponse = { status: 'unknown', email_masked: null };

/**
 * Derives the key of status tokens from the secret key with this id. Null if that is no longer in
 * `SECRET_KEYS`.
 */
function keyOf(keyring: Keyring, id: string): KeyObject | null {
  const key = keyring.mac('signup-status', 'key', id);
  return key && createSecretKey(key);
}

/**
 * Checks a status token and returns its content.
 *
 * @throws JOSEError if the token is malformed, changed or expired, or its secret key was removed.
 */
function verify(keyring: Keyring, token: string) {
  const key = ({ kid }: { kid?: string }): KeyObject => {
    const found = kid === undefined ? null : keyOf(keyring, kid);
    if (!found) throw new errors.JWKSNoMatchingKey();
    return found;
  };
  return jwtVerify(token, key, { algorithms: ['HS256'], typ: TYPE });
}

/**
 * Returns the id of the signup that a status token names; null without a token or for an invalid
 * one. The signup may have ended.
 */
export async function parseStatusToken(keyring: Keyring, token: string | undefined): Promise<string | null> {
  if (!token) return null;
  try {
    return (await verify(keyring, token)).payload.sub ?? null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/**
 * Issues and reads the token with which a signup page polls. It can be part of a URL, so it only
 * shows the status and grants no access; together with the link of a mail it proves that the same
 * person signed up. The token for an address that was taken looks and behaves like the token of a
 * signup that is never confirmed.
 */
export class SignupStatusTokens {
  constructor(
    private readonly keyring: Keyring,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Issues a status token, which is valid for 30 days.
   *
   * @param signupId id of the future user.
   */
  issueStatusToken(signupId: string, email: string): Promise<string> {
    return new SignJWT({ email_masked: maskEmail(email) })
      .setProtectedHeader({ alg: 'HS256', typ: TYPE, kid: this.keyring.currentId })
      .setSubject(signupId)
      .setIssuedAt()
      .setExpirationTime(`${READABLE_SECONDS} seconds`)
      .sign(keyOf(this.keyring, this.keyring.currentId) as KeyObject);
  }

  /**
   * Reads the status of a signup: `verified` if its account exists, otherwise `pending`, after 7
   * days `expired`. For an invalid token it is `unknown`, without an error.
   */
  async getSignupStatus(token: string): Promise<SignupStatusResponse> {
    try {
      const { payload } = await verify(this.keyring, token);
      const [user] = await this.dataSource.query<unknown[]>('SELECT 1 FROM users WHERE id = $1', [payload.sub]);
      const expired = (payload.iat as number) + WAITS_SECONDS < Date.now() / 1000;
      return {
        status: user ? 'verified' : expired ? 'expired' : 'pending',
        email_masked: payload['email_masked'] as string,
      };
    } catch (error) {
      if (error instanceof errors.JOSEError) return UNKNOWN;
      throw error;
    }
  }
}
