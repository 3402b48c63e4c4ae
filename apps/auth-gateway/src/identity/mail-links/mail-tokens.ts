import { columns, type RowOf } from '@platform/persistence';
import { sha256, type Keyring } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { MailToken } from './mail-token.entity.js';
import { isDerivedMailToken, deriveMailToken } from './derived-mail-token.js';

/** Purposes of mails to users. The tokens of signups are in `pending_credentials`. */
export type UserMailPurpose = 'reset_password';

const FOUND = columns(MailToken, ['id', 'userId']);

/** Lifetime of a password reset link, as an SQL interval. The mail shows the same text. */
export const RESET_LINK_LIFETIME = '30 minutes';

const LIFETIME: Record<UserMailPurpose, string> = { reset_password: RESET_LINK_LIFETIME };

/**
 * Issues the token of a mail and stores its hash. The token is derived from the job id, so a retry
 * of the job mails the same token. A user has at most one token per purpose; a newer job replaces
 * the token of an older one.
 *
 * @returns the token; null if a newer mail was sent in the meantime, then do not send this one.
 */
export async function issueMailToken(
  em: EntityManager,
  keyring: Keyring,
  { jobId, userId, purpose }: { jobId: string; userId: string; purpose: UserMailPurpose },
): Promise<string | null> {
  const token = deriveMailToken(keyring, purpose, jobId);
  const rows = await em.query<unknown[]>(
    `INSERT INTO mail_tokens AS known (id, user_id, purpose, hash, expires_at)
     VALUES ($1, $2, $3, $4, now() + interval '${LIFETIME[purpose]}')
     ON CONFLICT (user_id, purpose) DO UPDATE SET id = excluded.id, hash = excluded.hash, expires_at = excluded.expires_at
       WHERE known.id <= excluded.id
     RETURNING id`,
    [jobId, userId, purpose, sha256(token)],
  );
  return rows.length ? token : null;
}

/**
 * Returns the id of the user of a mailed token; null if the token is unknown, used, expired or for
 * another purpose, or if its secret key was removed. Does not use the token up; `consumeMailToken`
 * does.
 */
export async function findMailToken(
  em: EntityManager,
  keyring: Keyring,
  token: string,
  purpose: UserMailPurpose,
): Promise<string | null> {
  const [row] = await em.query<RowOf<typeof FOUND>[]>(
    `SELECT ${FOUND} FROM mail_tokens WHERE hash = $1 AND purpose = $2 AND expires_at > now()`,
    [sha256(token), purpose],
  );
  return row && isDerivedMailToken(keyring, purpose, token, row.id) ? row.user_id : null;
}

/**
 * Deletes the unused mail tokens of a user. Call it before you change the user's row, because code
 * that redeems a link takes its locks in this order.
 */
export async function deleteMailTokens(em: EntityManager, userId: string): Promise<void> {
  await em.query('DELETE FROM mail_tokens WHERE user_id = $1', [userId]);
}

/**
 * Deletes a token that `findMailToken` found, so that it cannot be used again. Returns true for
 * only one of several concurrent requests; false if the token is used or has expired.
 */
export async function consumeMailToken(em: EntityManager, token: string, purpose: UserMailPurpose): Promise<boolean> {
  const [, consumed] = await em.query<[unknown[], number]>(
    'DELETE FROM mail_tokens WHERE hash = $1 AND purpose = $2 AND expires_at > now()',
    [sha256(token), purpose],
  );
  return consumed > 0;
}
