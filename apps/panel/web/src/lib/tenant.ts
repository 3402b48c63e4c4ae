import { useLocation } from 'react-router';
import { withQuery } from './own-path.js';

/** The platform's own tenant; same name as in `@platform/contracts`. */
export const DEFAULT_TENANT = 'default';
const STORED_AS = 'tenant';

export interface TenantOfPage {
  /** Tenant id for requests; `default` if none is set. */
  id: string;
  isDefault: boolean;
  /** Path of another page for the same tenant. */
  path: (path: string) => string;
}

/**
 * Tenant of a page without a session: the one in the address (`?tenant=`), otherwise the tenant of
 * the last user who signed in to this browser, otherwise `default`. Only the gateway knows if the
 * tenant exists, and it does not tell.
 */
export function useTenant(): TenantOfPage {
  const { search } = useLocation();
  const named = new URLSearchParams(search).get('tenant');
  const id = named || recalled() || DEFAULT_TENANT;
  return { id, isDefault: id === DEFAULT_TENANT, path: (path) => (named ? withQuery(path, { tenant: named }) : path) };
}

/** Stores the tenant for the next sign-in in this browser. */
export function rememberTenant(id: string): void {
  try {
    localStorage.setItem(STORED_AS, id);
  } catch {
    // Without storage, the address must name the tenant.
  }
}

function recalled(): string | null {
  try {
    return localStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
}
