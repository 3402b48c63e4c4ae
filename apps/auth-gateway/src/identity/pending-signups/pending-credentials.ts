import { columns, type RowOf } from '@platform/persistence';
import { sha256, type Keyring } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { PendingCredential } from './pending-credential.entity.js';
import { isMailToken, mailToken } from '../mail-links/derived-mail-token.js';

/** How many days a signup waits: until then links of it are mailed, each good for another day. */
export const SIGNUP_WAITS_DAYS = 7;
/** How long each link is good, as an interval of SQL. The mail says the same words. */
export const SIGNUP_LINK_LASTS = '24 hours';
/** Of one address. The newest stay; those whose mail has to wait for its turn go first, since nobody can confirm them yet. */
const MOST_PER_ADDRESS = 10;

export const IS_PENDING = `p.created_at > now() - interval '${SIGNUP_WAITS_DAYS} days'`;

export interface Signup {
  id: string;
  tenantId: string;
  email: string;
  passwordHash: string;
  firstName: string | null;
  lastName: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  /** Whether its mail has to wait, since the recipient got too many. */
  mailDeferred: boolean;
}

/** What a mail of confirmation is made of. */
export interface MailedSignup {
  tenantId: string;
  email: string;
  firstName: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  createdAt: Date;
  /** Whether other signups with the address wait as well. */
  hasRivals: boolean;
}

const CONFIRMABLE = columns(PendingCredential, ['id', 'tenantId', 'email', 'passwordHash', 'mailId']);
export type Confirmable = RowOf<typeof CONFIRMABLE>;

const CONFIRMED = columns(PendingCredential, ['id', 'tenantId', 'email', 'passwordHash', 'firstName', 'lastName'], 'p');

export interface ConfirmedSignup extends RowOf<typeof CONFIRMED> {
  /** Whether other signups with the address wait, so that the mail alone does not tell whose this one is. */
  has_rivals: boolean;
}

/**
 * Makes what is done about an address of a tenant happen one after the other, until the transaction ends. Whoever creates an account,
 * confirms an address or signs up with it takes this first.
 */
export async function lockAddress(em: EntityManager, tenantId: string, email: string): Promise<void> {
  await em.query("SELECT pg_advisory_xact_lock(hashtext('address'), hashtext($1))", [`${tenantId}\n${email}`]);
}

/** Keeps a signup, unless there is no such tenant (`isKept` is false): for the same work, so that nobody can tell. */
export async function addPendingCredential(em: EntityManager, signup: Signup, isKept: boolean): Promise<void> {
  await em.query(
    `INSERT INTO pending_credentials (id, tenant_id, email, password_hash, first_name, last_name, ip_address, user_agent, mail_deferred)
     SELECT $1, id, $3, $4, $5, $6, $7, $8, $10 FROM tenants WHERE id = $2 AND $9`,
    [
      signup.id,
      signup.tenantId,
      signup.email,
      signup.passwordHash,
      signup.firstName,
      signup.lastName,
      signup.ipAddress,
      signup.userAgent,
      isKept,
      signup.mailDeferred,
    ],
  );
  await em.query(
    `DELETE FROM pending_credentials WHERE id IN (
       SELECT id FROM pending_credentials WHERE tenant_id = $1 AND email = $2
       ORDER BY id = $3 DESC, mail_deferred AND mail_id IS NULL, created_at DESC, id DESC OFFSET ${MOST_PER_ADDRESS})`,
    [signup.tenantId, signup.email, signup.id],
  );
}

/**
 * The signup whose link may be sent again: the one that the asker names, or the only one that waits. Of several, nobody can tell which is
 * the owner's.
 */
export async function findPendingCredential(
  em: EntityManager,
  { tenantId, email, id }: { tenantId: string; email: string; id: string | null },
): Promise<{ id: string | null; areSeveral: boolean }> {
  const rows = await em.query<{ id: string }[]>(
    `SELECT p.id FROM pending_credentials p WHERE p.tenant_id = $1 AND p.email = $2 AND ($3::text IS NULL OR p.id = $3) AND ${IS_PENDING} LIMIT 2`,
    [tenantId, email, id],
  );
  const areSeveral = rows.length > 1;
  return { id: areSeveral ? null : (rows[0]?.id ?? null), areSeveral };
}

/**
 * Issues the token of a mail, derived from the id of its job: a job that runs again mails the same token, and the database holds only a
 * hash. One link of a signup lives; a newer job replaces an older one. Links of other signups with the address live on.
 *
 * @returns null when the signup is over, or a newer mail of it has been sent meanwhile.
 */
export async function issueConfirmation(
  em: EntityManager,
  keyring: Keyring,
  { jobId, signupId }: { jobId: string; signupId: string },
): Promise<{ token: string; signup: MailedSignup } | null> {
  const token = mailToken(keyring, 'verify_email', jobId);
  const [rows] = await em.query<[MailedSignup[], number]>(
    `UPDATE pending_credentials p SET mail_id = $1, token_hash = $3, link_expires_at = now() + interval '${SIGNUP_LINK_LASTS}'
     WHERE p.id = $2 AND (p.mail_id IS NULL OR p.mail_id <= $1) AND ${IS_PENDING}
     RETURNING p.tenant_id AS "tenantId", p.email, p.first_name AS "firstName", p.ip_address AS "ipAddress", p.user_agent AS "userAgent",
       p.created_at AS "createdAt",
       EXISTS (SELECT 1 FROM pending_credentials o WHERE o.tenant_id = p.tenant_id AND o.email = p.email AND o.id <> p.id) AS "hasRivals"`,
    [jobId, signupId, sha256(token)],
  );
  return rows[0] ? { token, signup: rows[0] } : null;
}

/** The signup of a link, with what proves that it was clicked by who signed up; null for a link that is over. Decides nothing: taking it does. */
export async function findConfirmable(em: EntityManager, keyring: Keyring, token: string): Promise<Confirmable | null> {
  const [found] = await em.query<Confirmable[]>(
    `SELECT ${CONFIRMABLE} FROM pending_credentials WHERE token_hash = $1 AND link_expires_at > now()`,
    [sha256(token)],
  );
  return found?.mail_id && isMailToken(keyring, 'verify_email', token, found.mail_id) ? found : null;
}

/** Whose mail a signup waits for; null when it is over, or has got one by another job. */
export async function findUnmailed(
  em: EntityManager,
  { jobId, signupId }: { jobId: string; signupId: string },
): Promise<{ tenantId: string; email: string; isIssued: boolean } | null> {
  const [found] = await em.query<{ tenantId: string; email: string; isIssued: boolean }[]>(
    `SELECT p.tenant_id AS "tenantId", p.email, p.mail_id IS NOT NULL AS "isIssued" FROM pending_credentials p
     WHERE p.id = $1 AND (p.mail_id IS NULL OR p.mail_id = $2) AND ${IS_PENDING}`,
    [signupId, jobId],
  );
  return found ?? null;
}

/**
 * Takes the signup of a link out of the database, so that it is confirmed once however many present the link. Holds the lock of its
 * address.
 */
export async function takeConfirmed(em: EntityManager, keyring: Keyring, token: string): Promise<ConfirmedSignup | null> {
  const known = await findConfirmable(em, keyring, token);
  if (!known) return null;
  await lockAddress(em, known.tenant_id, known.email);
  const [rows] = await em.query<[ConfirmedSignup[], number]>(
    `DELETE FROM pending_credentials p WHERE p.token_hash = $1 AND p.link_expires_at > now()
     RETURNING ${CONFIRMED},
       EXISTS (SELECT 1 FROM pending_credentials o WHERE o.tenant_id = p.tenant_id AND o.email = p.email AND o.id <> p.id) AS has_rivals`,
    [sha256(token)],
  );
  return rows[0] ?? null;
}

/** Ends every signup with an address that somebody has proved to be theirs, or that was given to an account. Under its lock. */
export async function endPendingCredentials(em: EntityManager, tenantId: string, email: string): Promise<void> {
  await em.query('DELETE FROM pending_credentials WHERE tenant_id = $1 AND email = $2', [tenantId, email]);
}
