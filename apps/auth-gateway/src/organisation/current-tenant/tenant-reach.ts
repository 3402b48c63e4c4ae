import { DEFAULT_TENANT } from '@platform/contracts';
import { isPlatformAdmin, userOf, type Caller } from '@platform/guards';

/** Tenants that a caller can see and manage. */
export interface TenantReach {
  /** Tenant of the user or of the acting user. `default` for a backend without an acting user. */
  home: string;
  /** True if the caller manages every tenant. */
  isPlatform: boolean;
}

/**
 * Returns the tenants that a caller can see and manage. An administrator of the platform's own
 * tenant manages every tenant, other users only their own; if it can resell, they also see the
 * tenants below it (`IS_VISIBLE`). A backend that acts for a user has only the reach of that user;
 * one that acts for no user manages every tenant.
 */
export const getTenantReach = (caller: Caller): TenantReach => ({
  home: userOf(caller)?.tenantId ?? DEFAULT_TENANT,
  isPlatform: isPlatformAdmin(caller),
});

/**
 * SQL condition for the rows of `tenants` that a caller sees: `$tenant` is their own tenant, `$1`
 * is true if they manage every tenant. Resellers also see the tenants below their own.
 */
export const IS_VISIBLE = `($1::boolean OR id = $tenant
  OR (parent_tenant_id = $tenant AND (SELECT home.can_resell FROM tenants home WHERE home.id = $tenant)))`;
