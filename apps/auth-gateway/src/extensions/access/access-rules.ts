import type { AccessMode } from '@platform/contracts';
import { hasScope } from '@platform/guards';
import type { EntityManager } from 'typeorm';

export interface PolicyRow {
  mode: AccessMode;
  required_scopes: string[];
  denied_roles: string[];
  denied_users: string[];
}

export interface Subject {
  userId: string;
  role: string;
  /** What they hold, effectively. */
  scopes: readonly string[];
}

export const POLICY_COLUMNS = 'p.mode, p.required_scopes, p.denied_roles, p.denied_users';

export const EVERYBODY: PolicyRow = { mode: 'public', required_scopes: [], denied_roles: [], denied_users: [] };

/** The rule of a tenant for an app; an app without one is open to everybody. */
export async function policyOf(em: EntityManager, tenantId: string, appId: string): Promise<PolicyRow> {
  const [policy] = await em.query<PolicyRow[]>(`SELECT ${POLICY_COLUMNS} FROM access_policies p WHERE p.tenant_id = $1 AND p.app_id = $2`, [
    tenantId,
    appId,
  ]);
  return policy ?? EVERYBODY;
}

/** An exception wins over whatever opens the app. */
export function hasAccess({ required_scopes, denied_roles, denied_users }: PolicyRow, { userId, role, scopes }: Subject): boolean {
  if (denied_users.includes(userId) || denied_roles.includes(role)) return false;
  return required_scopes.every((scope) => hasScope(scopes, scope));
}
