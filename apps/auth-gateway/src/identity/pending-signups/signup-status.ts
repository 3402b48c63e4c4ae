import type { SignupStatusResponse } from '@platform/contracts';
import type { Keyring } from '@platform/platform';
import { createSecretKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { DataSource } from 'typeorm';
import { maskedEmail } from '../accounts/email.js';
import { SIGNUP_WAITS_DAYS } from './pending-credentials.js';

const TYPE = 'signup-status+jwt';
const WAITS_SECONDS = SIGNUP_WAITS_DAYS * 24 * 3600;
/** How long after its signup a token still tells anything. */
const READABLE_SECONDS = 30 * 24 * 3600;
const UNKNOWN: SignupStatusResponse = { status: 'unknown', email_masked: null };

/** Null where the secret key is gone. */
function keyOf(keyring: Keyring, id: string): KeyObject | null {
  const key = keyring.mac('signup-status', 'key', id);
  return key && createSecretKey(key);
}

/** @throws JOSEError for what is no token of ours, or of a secret key that is gone. */
function verify(keyring: Keyring, token: string) {
  const key = ({ kid }: { kid?: string }): KeyObject => {
    // Tokens of before name no key.
    const found = keyOf(keyring, kid ?? keyring.currentId);
    if (!found) throw new errors.JWKSNoMatchingKey();
    return found;
  };
  return jwtVerify(token, key, { algorithms: ['HS256'], typ: TYPE });
}

/** The signup that a status token is of; null for none, and for what is no token of ours. */
export async function readStatusToken(keyring: Keyring, token: string | undefined): Promise<string | null> {
  if (!token) return null;
  try {
    return (await verify(keyring, token)).payload.sub ?? null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/**
 * The token that a signup page polls with. It may stand in a URL, so it shows the state and opens nothing; with a link of a mail it says
 * that the link was clicked by who signed up. The one for an
 * address that was taken looks and behaves like that of a signup which nobody confirms.
 */
export class SignupStatusTokens {
  constructor(
    private readonly keyring: Keyring,
    private readonly dataSource: DataSource,
  ) {}

  /** @param signupId what the id of the user will be. */
  issue(signupId: string, email: string): Promise<string> {
    return new SignJWT({ email_masked: maskedEmail(email) })
      .setProtectedHeader({ alg: 'HS256', typ: TYPE, kid: this.keyring.currentId })
      .setSubject(signupId)
      .setIssuedAt()
      .setExpirationTime(`${READABLE_SECONDS} seconds`)
      .sign(keyOf(this.keyring, this.keyring.currentId) as KeyObject);
  }

  /** Never fails: what is not a token of ours is `unknown`. */
  async read(token: string): Promise<SignupStatusResponse> {
    try {
      const { payload } = await verify(this.keyring, token);
      const [user] = await this.dataSource.query<unknown[]>('SELECT 1 FROM users WHERE id = $1 AND email_verified_at IS NOT NULL', [
        payload.sub,
      ]);
      const expired = (payload.iat as number) + WAITS_SECONDS < Date.now() / 1000;
      return { status: user ? 'verified' : expired ? 'expired' : 'pending', email_masked: payload['email_masked'] as string };
    } catch (error) {
      if (error instanceof errors.JOSEError) return UNKNOWN;
      throw error;
    }
  }
}
