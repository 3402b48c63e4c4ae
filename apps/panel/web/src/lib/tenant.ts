import { useLocation } from 'react-router';
import { withQuery } from './own-path.js';

/** The platform's own, which `@platform/contracts` calls so. */
export const DEFAULT_TENANT = 'default';
const STORED_AS = 'tenant';

export interface TenantOfPage {
  /** What requests name; `default` where nothing says another one. */
  id: string;
  isDefault: boolean;
  /** The path of another page, for the same tenant. */
  path: (path: string) => string;
}

/**
 * The tenant that a page without a session is for: the one that the address names (`?tenant=`), else that of whoever was signed in to this
 * browser last. Only the gateway knows whether there is such a tenant, and it does not tell.
 */
export function useTenant(): TenantOfPage {
  const { search } = useLocation();
  const named = new URLSearchParams(search).get('tenant');
  const id = named || recalled() || DEFAULT_TENANT;
  return { id, isDefault: id === DEFAULT_TENANT, path: (path) => (named ? withQuery(path, { tenant: named }) : path) };
}

/** Where this browser signs in the next time. */
export function rememberTenant(id: string): void {
  try {
    localStorage.setItem(STORED_AS, id);
  } catch {
    // A browser may keep nothing. Then the address has to name the tenant.
  }
}

function recalled(): string | null {
  try {
    return localStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
}
