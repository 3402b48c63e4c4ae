import type { TestService } from '@platform/testing';
import { newId } from '@platform/platform';

/**
 * Puts the user on the newest version of the plan, starting now, without its credits. No route does
 * this.
 */
export async function givePlan(
  { service }: { service: Pick<TestService, 'query'> },
  userId: string,
  plan: string,
): Promise<void> {
  await service.query(
    "UPDATE subscriptions SET status = 'canceled' WHERE user_id = $1 AND status IN ('active', 'past_due')",
    [userId],
  );
  await service.query(
    `INSERT INTO subscriptions (id, tenant_id, user_id, plan_id, plan_version, status, started_at, anchor_at, period_number, period_starts_at,
       period_ends_at)
     SELECT $1, u.tenant_id, u.id, p.id, p.version, 'active', t.now, t.now, 1, t.now, billing_period_start(t.now, 2)
     FROM users u, (SELECT billing_now() AS now) AS t, (SELECT id, version FROM plans WHERE id = $3 ORDER BY version DESC LIMIT 1) AS p
     WHERE u.id = $2`,
    [newId('sub'), userId, plan],
  );
}
