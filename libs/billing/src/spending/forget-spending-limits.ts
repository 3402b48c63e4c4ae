import type { TenantData } from '@platform/persistence';

/** Of a user who is erased. */
export async function forgetSpendingLimits(tenant: TenantData, userId: string): Promise<void> {
  await tenant.query('DELETE FROM spending_limits WHERE user_id = (SELECT id FROM users WHERE tenant_id = $tenant AND id = $1)', [userId]);
}
