import { FREE_PLAN } from './plan-definitions.js';
import { LIVE_STATUSES_SQL } from './subscription.entity.js';

/**
 * SQL that joins the plan, limits and period of a user to `users u` and `clock`, a row with the
 * billing time as `now`. `s` is the subscription, which can be missing. `p` is the plan.
 * `may.tool_calls` is the smaller limit of plan and role. `period` has `number`, `starts_at` and
 * `ends_at`.
 *
 * Without a subscription the newest version of the free plan and the calendar month (UTC) apply. A
 * period that has ended no longer applies, even if the next one is not opened yet.
 */
export const USER_PLAN_SQL = `
  JOIN roles r ON r.tenant_id = u.tenant_id AND r.name = u.role
  LEFT JOIN subscriptions s ON s.user_id = u.id AND s.status IN ${LIVE_STATUSES_SQL}
  JOIN plans p ON p.id = coalesce(s.plan_id, '${FREE_PLAN}')
    AND p.version = coalesce(s.plan_version, (SELECT max(version) FROM plans WHERE id = '${FREE_PLAN}'))
  CROSS JOIN LATERAL (SELECT least((p.limits ->> 'tool_calls')::bigint, nullif(r.monthly_action_limit, 0)) AS tool_calls) AS may
  CROSS JOIN LATERAL (
    SELECT coalesce(s.anchor_at, date_trunc('month', clock.now, 'UTC')) AS anchor, s.period_ends_at > clock.now AS is_open,
      CASE WHEN s.id IS NULL THEN 1 WHEN s.period_ends_at > clock.now THEN s.period_number ELSE billing_period_at(s.anchor_at, clock.now) END AS number
  ) AS months
  CROSS JOIN LATERAL (
    SELECT months.number, CASE WHEN months.is_open THEN s.period_starts_at ELSE billing_period_start(months.anchor, months.number) END AS starts_at,
      CASE WHEN months.is_open THEN s.period_ends_at ELSE billing_period_start(months.anchor, months.number + 1) END AS ends_at
  ) AS period`;
