import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { UNBOOKED_SHARES } from './unbooked-shares.js';

/** The developer's shares, in credits. */
export interface RevenueOfApp {
  /** Every day (UTC) that was asked for, the oldest first. */
  days: { day: string; revenue: number }[];
  /** In these days, by function; without those that earned nothing. What is paid by the month is of the function that was called first. */
  functions: { function: string; revenue: number }[];
}

const REVENUE = `
  WITH period AS (
    SELECT (billing_now() AT TIME ZONE 'UTC')::date AS today, (billing_now() AT TIME ZONE 'UTC')::date - $3::integer + 1 AS first
  ), shares AS MATERIALIZED (
    SELECT d.day, d.function, d.share FROM earnings_by_day d, period
    WHERE d.developer_id = $1 AND d.app_id = $2 AND d.day BETWEEN period.first AND period.today
    UNION ALL
    SELECT (e.at AT TIME ZONE 'UTC')::date, coalesce(e.function, ''), e.share
    FROM ${UNBOOKED_SHARES}, period
    WHERE e.app_id = $2 AND (e.at AT TIME ZONE 'UTC')::date BETWEEN period.first AND period.today
  ), by_day AS (
    SELECT to_char(period.first + at, 'YYYY-MM-DD') AS day, coalesce(sum(s.share), 0) AS revenue
    FROM period CROSS JOIN generate_series(0, $3::integer - 1) AS at LEFT JOIN shares s ON s.day = period.first + at GROUP BY 1
  ), by_function AS (
    SELECT function, sum(share) AS revenue FROM shares GROUP BY function HAVING sum(share) > 0
  )
  SELECT (SELECT jsonb_agg(to_jsonb(by_day) ORDER BY day) FROM by_day) AS days,
    (SELECT coalesce(jsonb_agg(to_jsonb(by_function) ORDER BY revenue DESC, function), '[]') FROM by_function) AS functions`;

/** What apps earn. One statement, so that no share counts twice, or not at all, while it is booked. */
@Injectable()
export class AppRevenue {
  constructor(private readonly dataSource: DataSource) {}

  /** @param days how many of them, today included: at least one. */
  async of(developerId: string, appId: string, days: number): Promise<RevenueOfApp> {
    const [revenue] = await this.dataSource.query<[RevenueOfApp]>(REVENUE, [developerId, appId, days]);
    return revenue;
  }
}
