import type { CurrentPlan } from '@platform/billing';
import { isAdmin, type UserCaller } from '@platform/guards';
import type { TenantData } from '@platform/persistence';
import type { RuleQuota } from './automations.errors.js';

/**
 * Returns the number of the user's rules in any status, and the maximum by their plan.
 * Administrators have no limit.
 */
export async function getRuleQuota(
  tenant: TenantData,
  user: UserCaller,
  { plan, limits }: CurrentPlan,
): Promise<RuleQuota> {
  const [row] = await tenant.query<{ used: number }>(
    'SELECT count(*)::int AS used FROM automation_rules WHERE tenant_id = $tenant AND user_id = $1',
    [user.userId],
  );
  const used = row?.used ?? 0;
  const cap = isAdmin(user) ? undefined : limits.automations;
  const source = isAdmin(user) ? 'role' : 'plan';
  if (cap === undefined) return { cap: null, used, remaining: null, unlimited: true, plan, source };
  return { cap, used, remaining: Math.max(0, cap - used), unlimited: false, plan, source };
}
