import { ADMIN_ROLE } from '@platform/contracts';
import type { TenantData } from '@platform/persistence';
import { newId } from '@platform/platform';

const SYSTEM_ROLES = [
  { name: ADMIN_ROLE, displayName: 'Administrator', scopes: ['*'] },
  { name: 'user', displayName: 'User', scopes: [] },
];

/**
 * Creates the roles that every tenant needs: `admin`, with all scopes, and `user`, with none. They
 * have no monthly limit of calls, so their users have only the limits of their plans. Existing
 * roles stay as they are.
 */
export async function createSystemRoles(tenant: TenantData): Promise<void> {
  for (const { name, displayName, scopes } of SYSTEM_ROLES) {
    await tenant.query(
      `INSERT INTO roles (id, tenant_id, name, display_name, default_scopes, monthly_action_limit, is_system)
       VALUES ($1, $tenant, $2, $3, $4, 0, true)
       ON CONFLICT (tenant_id, name) DO NOTHING`,
      [newId('rol'), name, displayName, scopes],
    );
  }
}
