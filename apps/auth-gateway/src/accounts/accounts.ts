import { onViolation, type Outbox } from '@platform/persistence';
import { newId, type Actor } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../audit/record-audit.js';
import { canonicalEmail } from '../users/email.js';
import { AccountErrors } from './accounts.errors.js';
import { accountQueue } from './accounts.jobs.js';

export interface NewAccount {
  /** Default: a new one. */
  id?: string;
  tenantId: string;
  email: string;
  /** Null for a user who signs in by other means. */
  passwordHash: string | null;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  /** A role of the tenant. */
  role?: string | undefined;
  scopes?: string[] | undefined;
  attributes?: Record<string, unknown> | undefined;
  agencyId?: string | null | undefined;
  /** Whether whoever creates the user vouches for the address. */
  emailVerified?: boolean;
  /** Whether they signed up, so that nobody else created them. */
  bySignup?: boolean;
}

/**
 * The one way to a new user, for signup, a trusted backend and an administrator alike: the row, and the event from which the user gets
 * all else (`Provisioning`). Runs in the transaction of `outbox`.
 *
 * @returns the id, or null when a user of the tenant has the address; then nothing was written.
 * @throws ValidationFailed when there is no such tenant or role.
 */
export async function createAccount(em: EntityManager, outbox: Outbox, account: NewAccount): Promise<string | null> {
  const id = account.id ?? newId('usr');
  const inserted = await em
    .query<unknown[]>(
      `INSERT INTO users (id, tenant_id, email, email_canonical, password_hash, first_name, last_name, role, email_verified_at, scopes, attributes, agency_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $9::boolean THEN now() END, $10, $11, $12)
       ON CONFLICT (tenant_id, email_canonical) DO NOTHING RETURNING id`,
      [
        id,
        account.tenantId,
        account.email,
        canonicalEmail(account.email),
        account.passwordHash,
        account.firstName,
        account.lastName,
        account.role ?? 'user',
        account.emailVerified ?? false,
        account.scopes ?? [],
        account.attributes ?? {},
        account.agencyId,
      ],
    )
    .catch(onViolation('users_role_fkey', AccountErrors.noSuchTenant))
    .catch(onViolation('users_tenant_fkey', AccountErrors.noSuchTenant));
  if (!inserted.length) return null;
  const actor: Actor | undefined = account.bySignup ? { type: 'user', id } : undefined;
  const after = {
    role: account.role ?? 'user',
    scopes: account.scopes ?? [],
    agency_id: account.agencyId ?? null,
    email_verified: account.emailVerified ?? false,
  };
  await recordAudit(em, {
    action: 'user.created',
    target: { type: 'user', id },
    tenantId: account.tenantId,
    after,
    ...(actor && { actor }),
  });
  await outbox.add(em, { queue: accountQueue.name, name: 'user-created', payload: { user_id: id } });
  return id;
}
