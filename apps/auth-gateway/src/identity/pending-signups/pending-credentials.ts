import { columns, type RowOf } from '@platform/persistence';
import { sha256, type Keyring } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { PendingCredential } from './pending-credential.entity.js';
import { isDerivedMailToken, deriveMailToken } from '../mail-links/derived-mail-token.js';

/** Days that a signup waits for confirmation. During this time new links can be mailed. */
export const SIGNUP_LIFETIME_DAYS = 7;
/** Lifetime of each link, as an SQL interval. The mail shows the same text. */
export const SIGNUP_LINK_LIFETIME = '24 hours';
/**
 * Maximum signups of one address. The newest are kept. Signups with a deferred mail are deleted
 * first, because nobody can confirm them yet.
 */
const MAX_PER_ADDRESS = 10;

export const IS_PENDING = `p.created_at > now() - interval '${SIGNUP_LIFETIME_DAYS} days'`;

export interface Signup {
  id: string;
  tenantId: string;
  email: string;
  passwordHash: string;
  firstName: string | null;
  lastName: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  /** True if the mail must wait because the recipient has received too many. */
  mailDeferred: boolean;
}

/** Content of a confirmation mail. */
export interface MailedSignup {
  tenantId: string;
  email: string;
  firstName: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  createdAt: Date;
  /** True if other signups with the address wait for confirmation, too. */
  hasOtherSignups: boolean;
}

const CONFIRMABLE = columns(PendingCredential, ['id', 'tenantId', 'email', 'passwordHash', 'mailId']);
export type ConfirmableSignup = RowOf<typeof CONFIRMABLE>;

const CONFIRMED = columns(PendingCredential, ['id', 'tenantId', 'email', 'passwordHash', 'firstName', 'lastName'], 'p');

export interface ConfirmedSignup extends RowOf<typeof CONFIRMED> {
  /**
   * True if other signups with the address wait, so that the mail alone does not prove that the
   * signup belongs to the owner of the mailbox.
   */
  has_rivals: boolean;
}

/**
 * Locks an address of a tenant until the transaction ends. Creating an account, confirming an
 * address and signing up must take this lock first.
 */
export async function lockAddress(em: EntityManager, tenantId: string, email: string): Promise<void> {
  await em.query("SELECT pg_advisory_xact_lock(hashtext('address'), hashtext($1))", [`${tenantId}\n${email}`]);
}

/**
 * Stores a signup if `isKept` is true and the tenant exists. An address keeps at most ten signups.
 * Further ones are deleted: first those whose deferred mail was not sent yet, then the oldest, but
 * not this one. Does the same work in all cases, so that the duration reveals nothing.
 */
export async function storePendingCredential(em: EntityManager, signup: Signup, isKept: boolean): Promise<void> {
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
       ORDER BY id = $3 DESC, mail_deferred AND mail_id IS NULL, created_at DESC, id DESC OFFSET ${MAX_PER_ADDRESS})`,
    [signup.tenantId, signup.email, signup.id],
  );
}

/**
 * Finds the waiting signup of an address whose link can be sent again: the one with the given id,
 * or the only one. `id` is null if there is none. It is also null if several wait and no id is
 * given (`areSeveral`), because the owner's cannot be determined.
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
 * Issues the token in the confirmation mail of a signup, and returns it with the content of the
 * mail. The token is derived from the job id, so a retry of the job mails the same token, and the
 * database stores only a hash. A signup has at most one valid link; a newer job replaces it. Links
 * of other signups with the address stay valid.
 *
 * @returns null if the signup has ended, or a newer mail for it was sent in the meantime.
 */
export async function issueConfirmation(
  em: EntityManager,
  keyring: Keyring,
  { jobId, signupId }: { jobId: string; signupId: string },
): Promise<{ token: string; signup: MailedSignup } | null> {
  const token = deriveMailToken(keyring, 'verify_email', jobId);
  const [rows] = await em.query<[MailedSignup[], number]>(
    `UPDATE pending_credentials p SET mail_id = $1, token_hash = $3, link_expires_at = now() + interval '${SIGNUP_LINK_LIFETIME}'
     WHERE p.id = $2 AND (p.mail_id IS NULL OR p.mail_id <= $1) AND ${IS_PENDING}
     RETURNING p.tenant_id AS "tenantId", p.email, p.first_name AS "firstName", p.ip_address AS "ipAddress", p.user_agent AS "userAgent",
       p.created_at AS "createdAt",
       EXISTS (SELECT 1 FROM pending_credentials o WHERE o.tenant_id = p.tenant_id AND o.email = p.email AND o.id <> p.id) AS "hasOtherSignups"`,
    [jobId, signupId, sha256(token)],
  );
  return rows[0] ? { token, signup: rows[0] } : null;
}

/**
 * Finds the signup of a mailed link by its token, with its password hash. Null if the token is
 * unknown, used or expired, or if its secret key was removed. Does not use the link up;
 * `consumeConfirmation` does.
 */
export async function findConfirmable(
  em: EntityManager,
  keyring: Keyring,
  token: string,
): Promise<ConfirmableSignup | null> {
  const [found] = await em.query<ConfirmableSignup[]>(
    `SELECT ${CONFIRMABLE} FROM pending_credentials WHERE token_hash = $1 AND link_expires_at > now()`,
    [sha256(token)],
  );
  return found?.mail_id && isDerivedMailToken(keyring, 'verify_email', token, found.mail_id) ? found : null;
}

/**
 * Returns the recipient of the confirmation mail of a signup. `isIssued` is true if this job has
 * already issued the link. Null if the signup has ended, or another job has sent a mail for it.
 */
export async function findMailRecipient(
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
 * Deletes and returns the signup of a mailed link, so that only one of several concurrent requests
 * confirms it. Takes the lock of its address. Null if the token is unknown, used or expired, or if
 * its secret key was removed.
 */
export async function consumeConfirmation(
  em: EntityManager,
  keyring: Keyring,
  token: string,
): Promise<ConfirmedSignup | null> {
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

/**
 * Deletes all pending signups with an address, after it was confirmed or given to an account. Call
 * it with the lock of the address.
 */
export async function deletePendingCredentials(em: EntityManager, tenantId: string, email: string): Promise<void> {
  await em.query('DELETE FROM pending_credentials WHERE tenant_id = $1 AND email = $2', [tenantId, email]);
}
