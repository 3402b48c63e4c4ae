import { DEFAULT_TENANT } from '@platform/contracts';
import { runsPlatform, userOf, type Caller } from '@platform/guards';

/** How far somebody reaches beyond their own tenant. */
export interface TenantReach {
  /** The tenant of the user, or of the acting user. A trusted backend that acts for nobody stands for the platform's own. */
  home: string;
  /** Whether they manage every tenant. */
  isPlatform: boolean;
}

/** A trusted backend that acts for somebody reaches as far as they do. */
export const tenantReachOf = (caller: Caller): TenantReach => ({
  home: userOf(caller)?.tenantId ?? DEFAULT_TENANT,
  isPlatform: runsPlatform(caller),
});

/**
 * The rows of `tenants` that somebody sees, as a condition: `$tenant` is their home, and `$1` whether they manage every tenant. Who may
 * resell sees the tenants below their own.
 */
export const IS_SEEN = `($1::boolean OR id = $tenant
  OR (parent_tenant_id = $tenant AND (SELECT home.can_resell FROM tenants home WHERE home.id = $tenant)))`;
