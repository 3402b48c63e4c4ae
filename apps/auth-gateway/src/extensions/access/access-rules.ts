import { hasScope } from '@platform/guards';
import { columns, type RowOf } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { AppAccessPolicy } from './app-access-policy.entity.js';

export const POLICY_COLUMNS = columns(AppAccessPolicy, ['mode', 'requiredScopes', 'deniedRoles', 'deniedUsers'], 'p');
export type PolicyRow = RowOf<typeof POLICY_COLUMNS>;

export interface Subject {
  userId: string;
  role: string;
  /** The effective scopes of the user. */
  scopes: readonly string[];
}

export const PUBLIC_POLICY: PolicyRow = { mode: 'public', required_scopes: [], denied_roles: [], denied_users: [] };

/** Returns a tenant's access rule for an app; without one, a rule that is open to all users. */
export async function getAccessPolicy(em: EntityManager, tenantId: string, appId: string): Promise<PolicyRow> {
  const [policy] = await em.query<PolicyRow[]>(
    `SELECT ${POLICY_COLUMNS} FROM access_policies p WHERE p.tenant_id = $1 AND p.app_id = $2`,
    [tenantId, appId],
  );
  return policy ?? PUBLIC_POLICY;
}

/**
 * True if the rule lets the user call the app: the user has all required scopes, and neither the
 * user nor the user's role is denied.
 */
export function hasAccess(
  { required_scopes, denied_roles, denied_users }: PolicyRow,
  { userId, role, scopes }: Subject,
): boolean {
  if (denied_users.includes(userId) || denied_roles.includes(role)) return false;
  return required_scopes.every((scope) => hasScope(scopes, scope));
}
