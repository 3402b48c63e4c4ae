import type { EntityManager } from 'typeorm';
import type { PauseReason } from './auto-topup.entity.js';

const WINDOW = "interval '10 minutes'";
/** Most automatic top-ups within the window. */
const MOST_AT_ONCE = 3;

/**
 * Recent automatic top-ups of a user. They are counted by the database's real clock, like all
 * payments; the ends of the spans are in billing time.
 */
interface Spent {
  day_cents: string;
  month_cents: string;
  recent: number;
  recent_until: Date | null;
  day_until: Date;
  month_until: Date;
}

export interface LimitReached {
  reason: PauseReason;
  until: Date;
}

interface Caps {
  recharge_cents: number;
  daily_cap_cents: number;
  monthly_cap_cents: number;
}

/**
 * Checks the limits of automatic top-ups: three payments in ten minutes, and the user's amounts for
 * a calendar day and month (UTC). Returns how many recharges one payment can buy now, up to
 * `wanted`, or the limit that is reached and its end. Payments in progress count as paid; failed
 * and canceled ones do not count.
 */
export async function checkAutoTopUpLimits(
  em: Pick<EntityManager, 'query'>,
  userId: string,
  { recharge_cents: each, daily_cap_cents: daily, monthly_cap_cents: monthly }: Caps,
  wanted: number,
): Promise<{ times: number } | LimitReached> {
  const [spent] = await em.query<[Spent]>(SPENT, [userId]);
  if (spent.recent >= MOST_AT_ONCE && spent.recent_until) return { reason: 'frequency', until: spent.recent_until };
  const leftOf = (cap: number, cents: string): number => Math.floor((cap - Number(cents)) / each);
  const [ofDay, ofMonth] = [leftOf(daily, spent.day_cents), leftOf(monthly, spent.month_cents)];
  if (ofMonth < 1) return { reason: 'monthly_cap', until: spent.month_until };
  if (ofDay < 1) return { reason: 'daily_cap', until: spent.day_until };
  return { times: Math.min(wanted, ofDay, ofMonth) };
}

/** `recent_until`: the time at which the oldest of the last three is ten minutes old. */
const SPENT = `
  SELECT coalesce(sum(p.amount_cents) FILTER (WHERE p.created_at >= day.starts_at), 0)::text AS day_cents,
    coalesce(sum(p.amount_cents) FILTER (WHERE p.created_at >= month.starts_at), 0)::text AS month_cents,
    (count(*) FILTER (WHERE p.created_at > now() - ${WINDOW}))::int AS recent,
    billing_now() + (((array_agg(p.created_at ORDER BY p.created_at DESC) FILTER (WHERE p.created_at > now() - ${WINDOW}))[${MOST_AT_ONCE}] + ${WINDOW}) - now())
      AS recent_until,
    billing_now() + (day.starts_at + interval '1 day' - now()) AS day_until,
    billing_now() + (month.ends_at - now()) AS month_until
  FROM (SELECT date_trunc('day', now(), 'UTC') AS starts_at) AS day
    CROSS JOIN (SELECT date_trunc('month', now(), 'UTC') AS starts_at,
      (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC' AS ends_at) AS month
    LEFT JOIN payments p ON p.user_id = $1 AND p.purpose = 'auto_topup' AND p.status NOT IN ('failed', 'canceled')
      AND p.created_at >= least(month.starts_at, now() - ${WINDOW})
  GROUP BY day.starts_at, month.starts_at, month.ends_at`;
