import { sha256, type Keyring } from '@platform/platform';
import type { EntityManager } from 'typeorm';

export type MailTokenPurpose = 'reset_password';

const LIFETIME: Record<MailTokenPurpose, string> = { reset_password: '30 minutes' };

/**
 * Issues the token of a mail, derived from the id of its job: a job that runs again mails the same token, and the database holds
 * only a hash. One token lives per user and purpose; a newer job replaces an older one.
 *
 * @returns null when a newer mail has been sent meanwhile, so this one should not be.
 */
export async function issueMailToken(
  em: EntityManager,
  keyring: Keyring,
  { jobId, userId, purpose }: { jobId: string; userId: string; purpose: MailTokenPurpose },
): Promise<string | null> {
  const token = (keyring.mac(`mail-token/${purpose}`, jobId) as Buffer).toString('base64url');
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
export async function findMailToken(em: EntityManager, token: string, purpose: MailTokenPurpose): Promise<string | null> {
  const [row] = await em.query<{ user_id: string }[]>(
    'SELECT user_id FROM mail_tokens WHERE hash = $1 AND purpose = $2 AND expires_at > now()',
    [sha256(token), purpose],
  );
  return row?.user_id ?? null;
}

/** Takes the token out of the database, so that it works once however many present it. Returns the user, or null. */
export async function consumeMailToken(em: EntityManager, token: string, purpose: MailTokenPurpose): Promise<string | null> {
  const [rows] = await em.query<[{ user_id: string }[], number]>(
    'DELETE FROM mail_tokens WHERE hash = $1 AND purpose = $2 AND expires_at > now() RETURNING user_id',
    [sha256(token), purpose],
  );
  return rows[0]?.user_id ?? null;
}
