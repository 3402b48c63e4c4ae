import type { AccessTokenSubject } from '../tokens/access-tokens.js';
import type { AccountState } from '../users/can-authenticate.js';

/** A user with what their tenant and role add, as the statements that sign somebody in return it. */
export interface Account extends AccountState {
  user_id: string;
  tenant_id: string;
  org_id: string | null;
  email: string;
  role: string;
  scopes: string[];
  default_scopes: string[];
}

/** The columns of `Account`, over `users u`, `tenants t` and `roles r`. */
export const ACCOUNT_COLUMNS = `
  u.id AS user_id, u.tenant_id, u.org_id, u.email, u.role, u.scopes, r.default_scopes,
  u.is_active, u.email_verified_at, t.is_active AS tenant_active`;

export const ACCOUNT_JOINS = `
  JOIN tenants t ON t.id = u.tenant_id
  JOIN roles r ON r.tenant_id = u.tenant_id AND r.name = u.role`;

/** What the role grants by default and what the user was granted beside it, sorted. */
export function effectiveScopes({ scopes, default_scopes }: Pick<Account, 'scopes' | 'default_scopes'>): string[] {
  return [...new Set([...default_scopes, ...scopes])].sort();
}

export const tokenSubject = (account: Account, sessionId: string): AccessTokenSubject => ({
  userId: account.user_id,
  sessionId,
  email: account.email,
  tenantId: account.tenant_id,
  orgId: account.org_id,
  role: account.role,
  scopes: effectiveScopes(account),
  use: 'session',
});
