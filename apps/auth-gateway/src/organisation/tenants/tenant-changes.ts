import { parseAuthMethods, type TenantResponse, type UpdateTenantRequest } from '@platform/contracts';
import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { TenantReach } from '../current-tenant/tenant-reach.js';
import { TenantErrors } from '../../identity/accounts/tenants.errors.js';

export type TenantChanges = Partial<
  Pick<TenantResponse, 'name' | 'allowed_auth_methods' | 'max_connections' | 'features' | 'is_active'>
>;

/** Fields that only the platform sets, not the administrators of the tenant. */
const RESERVED = ['db_config', 'max_connections', 'features', 'is_active'] as const;

/**
 * Checks that the caller can make these changes to a tenant.
 *
 * @throws AppError 403 `tenant.may_not_change` unless the caller manages every tenant, for another
 * tenant than the caller's and for the fields `db_config`, `max_connections`, `features` and
 * `is_active`.
 */
export function assertTenantChangesAllowed(
  { home, isPlatform }: TenantReach,
  tenant: TenantResponse,
  request: UpdateTenantRequest,
): void {
  if (isPlatform) return;
  if (tenant.id !== home) throw TenantErrors.mayNotChange();
  const reserved = RESERVED.filter((field) => isGiven(request, field));
  if (reserved.length) throw TenantErrors.reserved(reserved);
}

const isGiven = (request: UpdateTenantRequest, field: (typeof RESERVED)[number]): boolean =>
  request[field] !== undefined && (request[field] !== null || field === 'db_config');

/**
 * Returns the fields that the request changes, with their new values, without `db_config`. Absent
 * and null fields, and equal values, are left out.
 */
export function findTenantChanges(tenant: TenantResponse, request: UpdateTenantRequest): TenantChanges {
  const { name, allowed_auth_methods: methods, max_connections, features, is_active } = request;
  const wanted = {
    name,
    allowed_auth_methods: methods && parseAuthMethods(methods).join(),
    max_connections,
    features,
    is_active,
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([field, value]) =>
        value !== undefined && value !== null && !isDeepStrictEqual(value, tenant[field as keyof TenantChanges]),
    ),
  );
}

/**
 * Writes the audit entry of a changed tenant: changed fields with old and new values. The value of
 * `db_config` is left out.
 */
export async function recordTenantUpdate(
  em: EntityManager,
  before: TenantResponse,
  changes: TenantChanges,
  { db_config }: UpdateTenantRequest,
): Promise<void> {
  const fields = Object.keys(changes) as (keyof TenantChanges)[];
  await recordAudit(em, {
    action: 'tenant.updated',
    target: { type: 'tenant', id: before.id },
    tenantId: before.id,
    before: Object.fromEntries(fields.map((field) => [field, before[field]])),
    after: changes,
    metadata: db_config === undefined ? {} : { db_config: db_config ? 'set' : 'removed' },
  });
}
