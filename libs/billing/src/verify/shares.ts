import { readInSnapshot } from '@platform/persistence';
import type { PoolClient, QueryConfig } from 'pg';
import type { DataSource } from 'typeorm';

const LONGEST_MS = 3_600_000;
const MOST_LINES = 1_000;

/**
 * Columns by which shares are booked (the first four), and their sums. For a SELECT from entries
 * `e`.
 */
const SUMS = `e.developer_id, e.app_id, coalesce(e.function, '') AS function, (e.at AT TIME ZONE 'UTC')::date AS day, count(*) AS calls,
  sum(e.earned_base) AS earned_base, sum(e.share) AS share`;
const EACH = 'GROUP BY 1, 2, 3, 4';

/**
 * Compares the shares of developers with the charges that produced them, without the shares of test
 * payments: each share is either due or booked, in `earnings_by_day`, in `app_earnings` and as a
 * commission. Also compares both sides of the debts that earnings paid. It is one statement,
 * because booking moves a share from one table to another. It reads all entries, so it has a longer
 * time limit.
 */
const STATEMENT = `
  WITH of_charges AS (
    SELECT ${SUMS}
    FROM ledger_entries e WHERE e.earned_base > 0 ${EACH}
  ), forgotten AS (
    SELECT f.developer_id, e.app_id, coalesce(e.function, '') AS function, (e.at AT TIME ZONE 'UTC')::date AS day, sum(f.calls) AS calls,
      sum(f.earned_base) AS earned_base, sum(f.share) AS share
    FROM forgotten_shares f JOIN ledger_entries e ON e.wallet_id = f.wallet_id AND e.seq = f.seq ${EACH}
  ), charged AS (
    SELECT developer_id, app_id, function, day, c.calls - coalesce(f.calls, 0) AS calls, c.earned_base - coalesce(f.earned_base, 0) AS earned_base,
      c.share - coalesce(f.share, 0) AS share
    FROM of_charges c LEFT JOIN forgotten f USING (developer_id, app_id, function, day)
  ), due AS (
    SELECT ${SUMS}
    FROM commission_due d JOIN ledger_entries e ON e.wallet_id = d.wallet_id AND e.seq = d.seq
    WHERE d.developer_id = e.developer_id ${EACH}
  ), by_day AS (
    SELECT developer_id, app_id, function, day, calls, earned_base, share FROM earnings_by_day
    UNION ALL SELECT * FROM due
  ), by_app AS (
    SELECT developer_id, app_id, sum(calls) AS calls, sum(earned_base) AS earned_base, sum(share) AS share FROM earnings_by_day GROUP BY 1, 2
  ), credited AS (
    SELECT w.user_id AS developer_id, e.app_id, sum(e.amount) AS share
    FROM ledger_entries e JOIN wallets w ON w.id = e.wallet_id WHERE e.kind = 'commission' GROUP BY 1, 2
  )
  SELECT format('developer %s, app %s, function "%s", %s: %s calls earned %s of %s, booked or due are %s calls, %s of %s', developer_id, app_id,
    function, day, coalesce(c.calls, 0), coalesce(c.share, 0), coalesce(c.earned_base, 0), coalesce(b.calls, 0), coalesce(b.share, 0),
    coalesce(b.earned_base, 0)) AS problem
  FROM charged c FULL JOIN (SELECT developer_id, app_id, function, day, sum(calls) AS calls, sum(earned_base) AS earned_base, sum(share) AS share
    FROM by_day GROUP BY 1, 2, 3, 4) AS b USING (developer_id, app_id, function, day)
  WHERE (c.calls, c.earned_base, c.share) IS DISTINCT FROM (b.calls, b.earned_base, b.share)
  UNION ALL
  SELECT format('developer %s, app %s: %s credits are booked, but %s were credited', developer_id, app_id, coalesce(a.share, 0), coalesce(c.share, 0))
  FROM by_app a FULL JOIN credited c USING (developer_id, app_id) WHERE coalesce(a.share, 0) <> coalesce(c.share, 0)
  UNION ALL
  SELECT format('developer %s, app %s: its days add up to %s calls, %s of %s, in all it has %s calls, %s of %s', developer_id, app_id,
    coalesce(a.calls, 0), coalesce(a.share, 0), coalesce(a.earned_base, 0), coalesce(t.calls, 0), coalesce(t.share, 0), coalesce(t.earned_base, 0))
  FROM by_app a FULL JOIN app_earnings t USING (developer_id, app_id)
  WHERE (a.calls, a.earned_base, a.share) IS DISTINCT FROM (t.calls, t.earned_base, t.share)
  UNION ALL
  SELECT format('user %s: the earnings paid %s of the debts, but %s arrived in the wallet', user_id, paid, came) FROM (
    SELECT w.user_id, coalesce(-sum(e.amount) FILTER (WHERE w.kind = 'earnings'), 0) AS paid, coalesce(sum(e.amount) FILTER (WHERE w.kind = 'user'), 0) AS came
    FROM ledger_entries e JOIN wallets w ON w.id = e.wallet_id WHERE e.kind = 'earnings_to_debt' GROUP BY 1
  ) AS transfers WHERE paid <> came
  LIMIT ${MOST_LINES}`;

/**
 * Compares the shares of developers with the charges that produced them: each share must be either
 * due or booked. Also compares both sides of the debts that earnings paid (`STATEMENT` has the
 * rules). Returns a line for each difference, up to 1,000; empty without one.
 */
export async function findDifferingShares(dataSource: DataSource): Promise<string[]> {
  return readInSnapshot(dataSource, async (em) => {
    const client = (await em.queryRunner?.connect()) as PoolClient;
    await client.query(`SET LOCAL statement_timeout = ${LONGEST_MS}`);
    const { rows } = await client.query<{ problem: string }>({
      text: STATEMENT,
      query_timeout: LONGEST_MS,
    } as QueryConfig);
    return rows.map(({ problem }) => problem);
  });
}
