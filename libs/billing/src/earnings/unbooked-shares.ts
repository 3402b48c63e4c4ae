import type { DataSource } from 'typeorm';

/**
 * How many shares that are not booked yet a read adds up. They are booked every few seconds, so there are more only where no process runs the
 * jobs, and then the newest are told later.
 */
const MOST = 10_000;

/** The entries `e` of which the developer $1 has a share that is not booked yet. */
export const UNBOOKED_SHARES = `
  (SELECT c.wallet_id, c.seq FROM commission_due c WHERE c.developer_id = $1 ORDER BY c.wallet_id, c.seq LIMIT ${MOST}) AS c
  JOIN ledger_entries e ON e.wallet_id = c.wallet_id AND e.seq = c.seq`;

/** How many shares are not booked yet, of all developers; counted up to 10,000. */
export async function countSharesDue(dataSource: DataSource): Promise<number> {
  const [{ due }] = await dataSource.query<[{ due: number }]>(
    `SELECT count(*)::int AS due FROM (SELECT FROM commission_due LIMIT ${MOST}) AS c`,
  );
  return due;
}
