import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DUE_SHARES_SQL } from './unbooked-shares.js';

/** Earnings of a developer, in credits. */
export interface DeveloperEarningsTotals {
  /** All shares so far. Includes up to 10,000 shares that are not booked yet. */
  earned: number;
  /**
   * The platform's part of the credits that earn. It does not include the platform's fee for
   * reported actions.
   */
  platformShare: number;
  /**
   * Largest possible payout: the credits of the wallet and up to 10,000 shares that are not booked
   * yet, minus the developer's debt.
   */
  available: number;
  paidOut: number;
  /** Credits of payouts that are approved and not paid yet. */
  approved: number;
}

export interface AppEarningsTotals {
  earned: number;
  calls: number;
  /** Days (UTC) with earnings, oldest first. */
  days: { day: string; share: number }[];
}

/** Shares of a developer from one app in the last days. */
export interface AppRevenue {
  /** Every requested day (UTC), oldest first. */
  days: { day: string; share: number }[];
  /**
   * Shares in these days by function, without functions that earned nothing. A monthly price counts
   * for the function that was called first in the month.
   */
  functions: { function: string; share: number }[];
}

/**
 * Reads the earnings of developers. Each read is one statement, so that a share that is being
 * booked counts exactly once.
 */
@Injectable()
export class EarningsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async getDeveloperEarnings(developerId: string): Promise<DeveloperEarningsTotals> {
    const [row] = await this.dataSource.query<
      [Record<'earned' | 'platform_share' | 'available' | 'paid_out' | 'approved', string>]
    >(
      `WITH ${DUE_SHARES_SQL}, shares AS (
         SELECT earned_base, share FROM app_earnings WHERE developer_id = $1 UNION ALL SELECT earned_base, share FROM due
       ), earned AS (
         SELECT coalesce(sum(share), 0) AS earned, coalesce(sum(earned_base - share), 0) AS platform_share FROM shares
       ), paid AS (
         SELECT coalesce(sum(amount_tokens) FILTER (WHERE status = 'paid'), 0) AS paid_out,
           coalesce(sum(amount_tokens) FILTER (WHERE status = 'approved'), 0) AS approved FROM payouts WHERE developer_id = $1
       )
       SELECT earned.*, paid.*, greatest(0, coalesce((SELECT wallet_available(w) FROM wallets w WHERE w.user_id = $1 AND w.kind = 'earnings'), 0)
         + coalesce((SELECT sum(share) FROM due), 0)
         - coalesce((SELECT debt FROM wallets WHERE user_id = $1 AND kind = 'user'), 0)) AS available
       FROM earned, paid`,
      [developerId],
    );
    return {
      earned: Number(row.earned),
      platformShare: Number(row.platform_share),
      available: Number(row.available),
      paidOut: Number(row.paid_out),
      approved: Number(row.approved),
    };
  }

  /**
   * Adds up a developer's earnings from one app: in total, and by day (UTC) for the last days,
   * without days that earned nothing. Shares that are not booked yet count too.
   *
   * @param days number of days to look at, today included.
   */
  async getAppEarnings(developerId: string, appId: string, days: number): Promise<AppEarningsTotals> {
    const [row] = await this.dataSource.query<[{ earned: string; calls: string; days: AppEarningsTotals['days'] }]>(
      `WITH ${DUE_SHARES_SQL}, of_app AS (SELECT day, earned_base, share FROM due WHERE app_id = $2), in_all AS (
         SELECT calls, share FROM app_earnings WHERE developer_id = $1 AND app_id = $2 UNION ALL SELECT 1, share FROM of_app
       ), by_day AS (
         SELECT day, sum(share) AS share FROM (
           SELECT day, share FROM earnings_by_day WHERE developer_id = $1 AND app_id = $2 UNION ALL SELECT day, share FROM of_app
         ) AS shares WHERE day > (billing_now() AT TIME ZONE 'UTC')::date - $3::integer GROUP BY day HAVING sum(share) > 0
       )
       SELECT coalesce(sum(share), 0) AS earned, coalesce(sum(calls), 0) AS calls,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('day', day, 'share', share) ORDER BY day), '[]') FROM by_day) AS days
       FROM in_all`,
      [developerId, appId, days],
    );
    return { earned: Number(row.earned), calls: Number(row.calls), days: row.days };
  }

  /**
   * Adds up a developer's shares from one app in the last days, by day (UTC) and by function.
   * Shares that are not booked yet count too.
   *
   * @param days number of days, today included; at least 1.
   */
  async getAppRevenue(developerId: string, appId: string, days: number): Promise<AppRevenue> {
    const [revenue] = await this.dataSource.query<[AppRevenue]>(REVENUE, [developerId, appId, days]);
    return revenue;
  }
}

const REVENUE = `
  WITH ${DUE_SHARES_SQL}, period AS (
    SELECT (billing_now() AT TIME ZONE 'UTC')::date AS today, (billing_now() AT TIME ZONE 'UTC')::date - $3::integer + 1 AS first
  ), shares AS MATERIALIZED (
    SELECT d.day, d.function, d.share FROM earnings_by_day d, period
    WHERE d.developer_id = $1 AND d.app_id = $2 AND d.day BETWEEN period.first AND period.today
    UNION ALL
    SELECT due.day, due.function, due.share FROM due, period WHERE due.app_id = $2 AND due.day BETWEEN period.first AND period.today
  ), by_day AS (
    SELECT to_char(period.first + n, 'YYYY-MM-DD') AS day, coalesce(sum(s.share), 0) AS share
    FROM period CROSS JOIN generate_series(0, $3::integer - 1) AS n LEFT JOIN shares s ON s.day = period.first + n GROUP BY 1
  ), by_function AS (
    SELECT function, sum(share) AS share FROM shares GROUP BY function HAVING sum(share) > 0
  )
  SELECT (SELECT jsonb_agg(to_jsonb(by_day) ORDER BY day) FROM by_day) AS days,
    (SELECT coalesce(jsonb_agg(to_jsonb(by_function) ORDER BY share DESC, function), '[]') FROM by_function) AS functions`;
