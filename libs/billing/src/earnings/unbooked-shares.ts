/**
 * How many shares that are not booked yet a read adds up. They are booked every few seconds, so there are more only where no process runs the
 * jobs, and then the newest are told later.
 */
const MOST = 10_000;

/** The entries `e` of which the developer $1 has a share that is not booked yet. */
export const UNBOOKED_SHARES = `
  (SELECT c.wallet_id, c.seq FROM commission_due c WHERE c.developer_id = $1 ORDER BY c.wallet_id, c.seq LIMIT ${MOST}) AS c
  JOIN ledger_entries e ON e.wallet_id = c.wallet_id AND e.seq = c.seq`;
