import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { UNBOOKED_SHARES } from './unbooked-shares.js';

/** What a developer has, in credits. */
export interface EarningsOfDeveloper {
  /** All shares so far, those that are not booked yet included. */
  earned: number;
  /** What of the same calls was not theirs. */
  platformShare: number;
  /** Of the wallet, with what is not booked yet: what a payout can be of. */
  available: number;
  paidOut: number;
  /** Of payouts that are approved and not paid yet. */
  approved: number;
}

export interface EarningsOfApp {
  earned: number;
  calls: number;
  /** Days (UTC) on which something was earned, the oldest first. */
  days: { day: string; total: number }[];
}

const DUE = `due AS MATERIALIZED (
  SELECT e.app_id, (e.at AT TIME ZONE 'UTC')::date AS day, e.earned_base, e.share FROM ${UNBOOKED_SHARES})`;

/** What developers have earned. Each read is one statement, so that no share counts twice, or not at all, while it is booked. */
@Injectable()
export class Earnings {
  constructor(private readonly dataSource: DataSource) {}

  async ofDeveloper(developerId: string): Promise<EarningsOfDeveloper> {
    const [row] = await this.dataSource.query<[Record<'earned' | 'platform_share' | 'available' | 'paid_out' | 'approved', string>]>(
      `WITH ${DUE}, shares AS (
         SELECT earned_base, share FROM app_earnings WHERE developer_id = $1 UNION ALL SELECT earned_base, share FROM due
       ), earned AS (
         SELECT coalesce(sum(share), 0) AS earned, coalesce(sum(earned_base - share), 0) AS platform_share FROM shares
       ), paid AS (
         SELECT coalesce(sum(amount_tokens) FILTER (WHERE status = 'paid'), 0) AS paid_out,
           coalesce(sum(amount_tokens) FILTER (WHERE status = 'approved'), 0) AS approved FROM payouts WHERE developer_id = $1
       )
       SELECT earned.*, paid.*, coalesce((SELECT wallet_available(w) FROM wallets w WHERE w.user_id = $1 AND w.kind = 'earnings'), 0)
         + coalesce((SELECT sum(share) FROM due), 0) AS available
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

  /** @param days how many of them are listed, today included. */
  async ofApp(developerId: string, appId: string, days: number): Promise<EarningsOfApp> {
    const [row] = await this.dataSource.query<[{ earned: string; calls: string; days: EarningsOfApp['days'] }]>(
      `WITH ${DUE}, of_app AS (SELECT day, earned_base, share FROM due WHERE app_id = $2), in_all AS (
         SELECT calls, share FROM app_earnings WHERE developer_id = $1 AND app_id = $2 UNION ALL SELECT 1, share FROM of_app
       ), by_day AS (
         SELECT day, sum(share) AS total FROM (
           SELECT day, share FROM earnings_by_day WHERE developer_id = $1 AND app_id = $2 UNION ALL SELECT day, share FROM of_app
         ) AS shares WHERE day > (billing_now() AT TIME ZONE 'UTC')::date - $3::integer GROUP BY day HAVING sum(share) > 0
       )
       SELECT coalesce(sum(share), 0) AS earned, coalesce(sum(calls), 0) AS calls,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('day', day, 'total', total) ORDER BY day), '[]') FROM by_day) AS days
       FROM in_all`,
      [developerId, appId, days],
    );
    return { earned: Number(row.earned), calls: Number(row.calls), days: row.days };
  }
}
