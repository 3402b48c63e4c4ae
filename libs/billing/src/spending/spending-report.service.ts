import { Injectable } from '@nestjs/common';
import type { TenantData } from '@platform/persistence';
import { CURRENT_MONTH_SQL } from './current-month.js';

export interface AppSpending {
  appId: string;
  credits: number;
  /** Number of charges. */
  charges: number;
}

export interface MonthlySpending {
  monthStartsAt: Date;
  resetsAt: Date;
  /** Sorted by credits, largest first. */
  byApp: AppSpending[];
}

/** Spending of users on apps. */
@Injectable()
export class SpendingReportService {
  /**
   * Adds up the credits that a user has spent on each app in the current month (UTC, by the billing
   * clock): charges, also those that became a debt, minus reversals. `byApp` is empty if no app was
   * charged or reversed.
   *
   * @throws Error if the user does not exist.
   */
  async getMonthlySpending(tenant: TenantData, userId: string): Promise<MonthlySpending> {
    const rows = await tenant.query<{
      starts_at: Date;
      ends_at: Date;
      app_id: string | null;
      credits: string;
      charges: number;
    }>(REPORT, [userId]);
    const [month] = rows;
    if (!month) throw new Error(`There is no user ${userId}: no spending can be read.`);
    const byApp = rows.flatMap(({ app_id, credits, charges }) =>
      app_id === null ? [] : [{ appId: app_id, credits: Number(credits), charges }],
    );
    return { monthStartsAt: month.starts_at, resetsAt: month.ends_at, byApp };
  }
}

/**
 * Entries are numbered without gaps, in the order of their times. A binary search finds the first
 * entry of the month, so earlier entries cost almost nothing.
 */
const REPORT = `
  WITH RECURSIVE month AS (
    SELECT starts_at, ends_at FROM ${CURRENT_MONTH_SQL}
  ), wallet AS (
    SELECT u.id AS user_id, w.id, w.seq FROM users u LEFT JOIN wallets w ON w.user_id = u.id AND w.kind = 'user'
    WHERE u.tenant_id = $tenant AND u.id = $1
  ), halves AS (
    SELECT 1::bigint AS low, seq + 1 AS high FROM wallet WHERE seq IS NOT NULL
    UNION ALL
    SELECT CASE WHEN e.at < starts_at THEN middle + 1 ELSE low END, CASE WHEN e.at < starts_at THEN high ELSE middle END
    FROM halves CROSS JOIN LATERAL (SELECT (low + high) / 2 AS middle) AS m CROSS JOIN month CROSS JOIN wallet
      JOIN ledger_entries e ON e.wallet_id = wallet.id AND e.seq = middle
    WHERE low < high
  ), charges AS (
    SELECT coalesce(e.app_id, r.app_id) AS app_id, -e.amount AS credits, e.idem_key
    FROM wallet JOIN halves h ON h.low = h.high JOIN ledger_entries e ON e.wallet_id = wallet.id AND e.seq >= h.low AND e.counter = 'usage'
      LEFT JOIN ledger_entries r ON r.wallet_id = e.wallet_id AND r.seq = e.reverses_seq
    UNION ALL
    SELECT d.app_id, d.amount, d.idem_key FROM wallet JOIN ledger_debts d ON d.wallet_id = wallet.id JOIN month ON d.at >= starts_at
  ), by_app AS (
    SELECT app_id, sum(credits)::bigint AS credits, count(DISTINCT idem_key) FILTER (WHERE credits > 0)::int AS charges
    FROM charges WHERE app_id IS NOT NULL GROUP BY app_id
  )
  SELECT month.*, b.app_id, b.credits::text, b.charges FROM month CROSS JOIN wallet LEFT JOIN by_app b ON true ORDER BY b.credits DESC, b.app_id`;
