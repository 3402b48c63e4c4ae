import { columns, type RowOf } from '@platform/persistence';
import { sha256, type Keyring } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { MailToken } from './mail-token.entity.js';
import { isMailToken, mailToken } from './derived-mail-token.js';

/** Of the mails to users. Those of signups are in `pending_credentials`. */
export type UserMailPurpose = 'reset_password';

const FOUND = columns(MailToken, ['id', 'userId']);

/** How long the link for a new password is good, as an interval of SQL. The mail says the same words. */
export const RESET_LINK_LASTS = '30 minutes';

const LIFETIME: Record<UserMailPurpose, string> = { reset_password: RESET_LINK_LASTS };

/**
 * Issues the token of a mail, derived from the id of its job: a job that runs again mails the same token, and the database holds
 * only a hash. One token lives per user and purpose; a newer job replaces an older one.
 *
 * @returns null when a newer mail has been sent meanwhile, so this one should not be.
 */
export async function issueMailToken(
  em: EntityManager,
  keyring: Keyring,
  { jobId, userId, purpose }: { jobId: string; userId: string; purpose: UserMailPurpose },
): Promise<string | null> {
  const token = mailToken(keyring, purpose, jobId);
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

/** The user of a token that could be consumed now, or null. Decides nothing: consuming does. */
export async function findMailToken(em: EntityManager, keyring: Keyring, token: string, purpose: UserMailPurpose): Promise<string | null> {
  const [row] = await em.query<RowOf<typeof FOUND>[]>(
    `SELECT ${FOUND} FROM mail_tokens WHERE hash = $1 AND purpose = $2 AND expires_at > now()`,
    [sha256(token), purpose],
  );
  return row && isMailToken(keyring, purpose, token, row.id) ? row.user_id : null;
}

/**
 * Voids what was mailed to a user. To be called before the user's row is changed, since whoever redeems a link takes locks in that order.
 */
export async function voidMailTokens(em: EntityManager, userId: string): Promise<void> {
  await em.query('DELETE FROM mail_tokens WHERE user_id = $1', [userId]);
}

/** Takes a token that `findMailToken` found out of the database, so that it works once however many present it. False for the others. */
export async function consumeMailToken(em: EntityManager, token: string, purpose: UserMailPurpose): Promise<boolean> {
  const [, consumed] = await em.query<[unknown[], number]>(
    'DELETE FROM mail_tokens WHERE hash = $1 AND purpose = $2 AND expires_at > now()',
    [sha256(token), purpose],
  );
  return consumed > 0;
}
