import type { DataSource } from 'typeorm';

/**
 * How many shares that are not booked yet a read adds up. They are booked every few seconds, so there are more only where no process runs the
 * jobs, and then those of the wallets with the highest ids are told later.
 */
const MOST = 10_000;

/** As a CTE: the shares of the developer $1 that are not booked yet, by what they are booked by. */
export const DUE_SHARES = `due AS MATERIALIZED (
  SELECT e.app_id, coalesce(e.function, '') AS function, (e.at AT TIME ZONE 'UTC')::date AS day, e.earned_base, e.share
  FROM (SELECT c.wallet_id, c.seq FROM commission_due c WHERE c.developer_id = $1 ORDER BY c.wallet_id, c.seq LIMIT ${MOST}) AS c
    JOIN ledger_entries e ON e.wallet_id = c.wallet_id AND e.seq = c.seq)`;

/** How many shares are not booked yet, of all developers; counted up to 10,000. */
export async function countSharesDue(dataSource: DataSource): Promise<number> {
  const [{ due }] = await dataSource.query<[{ due: number }]>(
    `SELECT count(*)::int AS due FROM (SELECT FROM commission_due LIMIT ${MOST}) AS c`,
  );
  return due;
}
