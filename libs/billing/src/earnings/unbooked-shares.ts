import type { DataSource } from 'typeorm';

/**
 * Most unbooked shares that a read adds up. Shares are booked every few seconds, so there are more
 * only if no process runs the jobs. Reads then miss the shares of the wallets with the highest ids
 * until these are booked.
 */
const MOST = 10_000;

/** CTE with the unbooked shares of developer $1, in the columns by which they are booked. */
export const DUE_SHARES_SQL = `due AS MATERIALIZED (
  SELECT e.app_id, coalesce(e.function, '') AS function, (e.at AT TIME ZONE 'UTC')::date AS day, e.earned_base, e.share
  FROM (SELECT c.wallet_id, c.seq FROM commission_due c WHERE c.developer_id = $1 ORDER BY c.wallet_id, c.seq LIMIT ${MOST}) AS c
    JOIN ledger_entries e ON e.wallet_id = c.wallet_id AND e.seq = c.seq)`;

/** Number of unbooked shares of all developers; counts up to 10,000. */
export async function countDueShares(dataSource: DataSource): Promise<number> {
  const [{ due }] = await dataSource.query<[{ due: number }]>(
    `SELECT count(*)::int AS due FROM (SELECT FROM commission_due LIMIT ${MOST}) AS c`,
  );
  return due;
}
