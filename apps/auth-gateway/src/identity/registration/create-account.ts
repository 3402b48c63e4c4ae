import { toOutboxEntry } from '@platform/messaging';
import type { Outbox, Row } from '@platform/persistence';
import { newId, type Actor } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { publishEvent } from '../../kernel/events/publish-event.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { deletePendingCredentials, lockAddress } from '../pending-signups/pending-credentials.js';
import { TenantErrors } from '../accounts/tenants.errors.js';
import { accountDisabledError } from '../accounts/can-authenticate.js';
import { RegistrationErrors } from './registration.errors.js';
import { accountQueue } from '../provisioning/provisioning.jobs.js';
import type { Tenant } from '../accounts/tenant.entity.js';

export interface NewAccount {
  /** Default: a new id. */
  id?: string;
  tenantId: string;
  /** Canonical form, as `emailAddress` returns it. */
  email: string;
  /** Null for a user without a password. */
  passwordHash: string | null;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  /** Name of a role of the tenant; default: `user`. */
  role?: string | undefined;
  scopes?: string[] | undefined;
  /** Attributes that override the default attributes of the role. */
  attributes?: Record<string, unknown> | undefined;
  agencyId?: string | null | undefined;
  /** True if the user signed up; false if another caller created them. */
  bySignup?: boolean;
}

/**
 * Creates a user. All ways to create a user call it: a confirmed signup, a backend and an
 * administrator. The address counts as confirmed. An outbox entry starts the set-up of the user's
 * data (`ProvisioningService`). Deletes pending signups with the address. Runs in the caller's
 * transaction, which must be one of `outbox`.
 *
 * @returns the id, or null if a user of the tenant has the address; then no user was created.
 * @throws ValidationFailed if the tenant does not exist.
 * @throws AppError 409 `tenant.deleted` if the tenant is deactivated; 403 `account_disabled`
 * instead, if the user comes from a signup.
 * @throws QueryFailedError if the tenant has no such role or agency.
 */
export async function createAccount(em: EntityManager, outbox: Outbox, account: NewAccount): Promise<string | null> {
  const id = account.id ?? newId('usr');
  await assertTenantInUse(em, account);
  await lockAddress(em, account.tenantId, account.email);
  const inserted = await em.query<unknown[]>(
    `INSERT INTO users (id, tenant_id, email, email_canonical, password_hash, first_name, last_name, role, scopes, attributes, agency_id)
       VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8,
         coalesce((SELECT default_attributes FROM roles WHERE tenant_id = $2 AND name = $7), '{}') || $9::jsonb, $10)
       ON CONFLICT (tenant_id, email_canonical) DO NOTHING RETURNING id`,
    [
      id,
      account.tenantId,
      account.email,
      account.passwordHash,
      account.firstName,
      account.lastName,
      account.role ?? 'user',
      account.scopes ?? [],
      account.attributes ?? {},
      account.agencyId,
    ],
  );
  if (!inserted.length) return null;
  await deletePendingCredentials(em, account.tenantId, account.email);
  const actor: Actor | undefined = account.bySignup ? { type: 'user', id } : undefined;
  const after = {
    role: account.role ?? 'user',
    scopes: account.scopes ?? [],
    agency_id: account.agencyId ?? null,
    email_verified: true,
  };
  await recordAudit(em, {
    action: 'user.created',
    target: { type: 'user', id },
    tenantId: account.tenantId,
    after,
    ...(actor && { actor }),
  });
  await publishEvent(em, { type: 'user.created', tenantId: account.tenantId, userId: null, data: { user_id: id } });
  await outbox.addEntry(em, toOutboxEntry(accountQueue, 'user-created', { user_id: id }));
  return id;
}

/**
 * Checks that the tenant exists and is active. Locks it until the transaction ends, so that it is
 * not deactivated meanwhile.
 *
 * @throws ValidationFailed if the tenant does not exist.
 * @throws AppError 409 `tenant.deleted` if it is deactivated; 403 `account_disabled` instead, for a
 * signup.
 */
async function assertTenantInUse(em: EntityManager, { tenantId, bySignup }: NewAccount): Promise<void> {
  const [tenant] = await em.query<Row<Tenant, 'isActive'>[]>('SELECT is_active FROM tenants WHERE id = $1 FOR SHARE', [
    tenantId,
  ]);
  if (!tenant) throw TenantErrors.unknown(['body', 'tenant_id']);
  if (!tenant.is_active) throw bySignup ? accountDisabledError() : RegistrationErrors.tenantDeleted();
}
