import type { PoolClient, QueryConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { inSnapshot } from './snapshot.js';

const LONGEST_MS = 3_600_000;
const MOST_LINES = 1_000;

/**
 * What goes back of payments, against the payments and against the credits that were taken for it: each refund and dispute has taken as many as it says, and given them
 * back where its money has stayed. A user who was erased is given nothing back. One statement, since a refund changes all of these at once.
 */
const STATEMENT = `
  WITH going AS (
    SELECT 'refund:' || id AS key, payment_id, credits, debt, status = 'failed' AS is_back FROM payment_refunds
    UNION ALL SELECT 'dispute:' || id, payment_id, credits, debt, returned_at IS NOT NULL FROM payment_disputes
  ), movements AS (
    SELECT idem_key, amount, false AS is_debt FROM ledger_entries WHERE kind IN ('refund', 'dispute') AND idem_key ~ '^(refund|dispute):'
    UNION ALL SELECT idem_key, amount, true FROM ledger_debts WHERE kind IN ('refund', 'dispute') AND idem_key ~ '^(refund|dispute):'
  ), moved AS (
    SELECT substring(idem_key FROM '^\\w+:\\w+') AS key,
      coalesce(sum(CASE WHEN is_debt THEN amount ELSE -amount END) FILTER (WHERE idem_key !~ ':returned'), 0) AS taken,
      coalesce(sum(amount) FILTER (WHERE is_debt), 0) AS owed, coalesce(sum(amount) FILTER (WHERE idem_key ~ ':returned'), 0) AS returned
    FROM movements GROUP BY 1
  ), returns AS (
    SELECT payment_id, coalesce(sum(amount_cents) FILTER (WHERE status <> 'failed'), 0) AS returning_cents,
      coalesce(sum(amount_cents) FILTER (WHERE status = 'succeeded'), 0) AS refunded_cents
    FROM payment_refunds GROUP BY 1
  )
  SELECT format('payment %s: %s cents were refunded and %s go back, its refunds add up to %s and %s', p.id, p.refunded_cents, p.returning_cents,
    coalesce(r.refunded_cents, 0), coalesce(r.returning_cents, 0)) AS problem
  FROM payments p LEFT JOIN returns r ON r.payment_id = p.id
  WHERE (p.refunded_cents, p.returning_cents) IS DISTINCT FROM (coalesce(r.refunded_cents, 0), coalesce(r.returning_cents, 0))
  UNION ALL
  SELECT format('%s: %s credits were taken for it and %s are owed, it says %s and %s', coalesce(g.key, m.key), coalesce(m.taken, 0), coalesce(m.owed, 0),
    coalesce(g.credits, 0), coalesce(g.debt, 0))
  FROM going g FULL JOIN moved m ON m.key = g.key
  WHERE (coalesce(g.credits, 0), coalesce(g.debt, 0)) IS DISTINCT FROM (coalesce(m.taken, 0), coalesce(m.owed, 0))
  UNION ALL
  SELECT format('%s: %s credits were given back for it, and %s are due', g.key, m.returned, CASE WHEN g.is_back THEN g.credits ELSE 0 END)
  FROM going g JOIN moved m ON m.key = g.key JOIN payments p ON p.id = g.payment_id
    LEFT JOIN wallets w ON w.user_id = p.user_id AND w.closed_at IS NOT NULL AND w.kind = 'user'
  WHERE m.returned <> CASE WHEN g.is_back THEN g.credits ELSE 0 END AND NOT (g.is_back AND w.id IS NOT NULL)
  LIMIT ${MOST_LINES}`;

/** A line for each difference. */
export async function differingRefunds(dataSource: DataSource): Promise<string[]> {
  return inSnapshot(dataSource, async (em) => {
    const client = (await em.queryRunner?.connect()) as PoolClient;
    await client.query(`SET LOCAL statement_timeout = ${LONGEST_MS}`);
    const { rows } = await client.query<{ problem: string }>({ text: STATEMENT, query_timeout: LONGEST_MS } as QueryConfig);
    return rows.map(({ problem }) => problem);
  });
}
