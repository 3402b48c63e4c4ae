import { isAdmin, type UserCaller } from '@platform/guards';
import type { TenantData } from '@platform/persistence';
import type { RuleQuota } from './automations.errors.js';

/** How many rules a plan allows. Everybody has the first one until plans are sold. */
const PLAN_CAPS = { free: 10 };
const PLAN = 'free';

/** How many rules the user has, of whatever status, and may have. */
export async function quotaOf(tenant: TenantData, user: UserCaller): Promise<RuleQuota> {
  const [row] = await tenant.query<{ used: number }>(
    'SELECT count(*)::int AS used FROM automation_rules WHERE tenant_id = $tenant AND user_id = $1',
    [user.userId],
  );
  const used = row?.used ?? 0;
  if (isAdmin(user)) return { cap: null, used, remaining: null, unlimited: true, plan: PLAN, source: 'role' };
  const cap = PLAN_CAPS[PLAN];
  return { cap, used, remaining: Math.max(0, cap - used), unlimited: false, plan: PLAN, source: 'plan' };
}
