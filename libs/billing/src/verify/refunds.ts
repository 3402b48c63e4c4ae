import { readInSnapshot } from '@platform/persistence';
import type { PoolClient, QueryConfig } from 'pg';
import type { DataSource } from 'typeorm';

const LONGEST_MS = 3_600_000;
const MOST_LINES = 1_000;

/**
 * Compares refunds and disputes with their payments and with the ledger:
 *
 * - the refunds of a payment add up to the totals in the payment,
 * - the ledger has clawed back, and not returned, as many credits as each refund and dispute
 *   records,
 * - the clawbacks of each payment add up to `floor(credits × cents gone / cents paid)` credits. For
 *   a plan the sum can be lower by the credits that have expired.
 *
 * Credits of deleted users are not compared with the money, because they became the platform's. It
 * is one statement, because a refund changes all of these at the same time.
 */
const STATEMENT = `
  WITH going AS (
    SELECT 'refund:' || id AS key, payment_id, credits, debt, CASE WHEN status = 'succeeded' THEN amount_cents ELSE 0 END AS cents FROM payment_refunds
    UNION ALL SELECT 'dispute:' || id, payment_id, credits, debt, CASE WHEN taken_at IS NOT NULL AND returned_at IS NULL THEN amount_cents ELSE 0 END
      FROM payment_disputes
  ), movements AS (
    SELECT idem_key, -amount AS credits, CASE WHEN idem_key ~ ':returned:debt$' THEN -amount ELSE 0 END AS debt
    FROM ledger_entries WHERE kind IN ('refund', 'dispute') AND idem_key ~ '^(refund|dispute):'
    UNION ALL SELECT idem_key, amount, amount FROM ledger_debts WHERE kind IN ('refund', 'dispute') AND idem_key ~ '^(refund|dispute):'
  ), moved AS (
    SELECT substring(idem_key FROM '^\\w+:\\w+') AS key, sum(credits) AS credits, sum(debt) AS debt FROM movements GROUP BY 1
  ), returns AS (
    SELECT payment_id, coalesce(sum(amount_cents) FILTER (WHERE status <> 'failed'), 0) AS returning_cents,
      coalesce(sum(amount_cents) FILTER (WHERE status = 'succeeded'), 0) AS refunded_cents
    FROM payment_refunds GROUP BY 1
  ), by_payment AS (
    SELECT payment_id, sum(credits) AS taken, sum(cents) AS gone FROM going GROUP BY 1
  ), given AS (
    SELECT p.id AS payment_id, w.id AS wallet_id, sum(e.amount) AS credits, min(e.seq) AS seq, max(e.lots -> 0 ->> 'expires_at') AS expires_at
    FROM by_payment b JOIN payments p ON p.id = b.payment_id JOIN wallets w ON w.user_id = p.user_id AND w.kind = 'user' AND w.closed_at IS NULL,
      LATERAL (SELECT CASE WHEN p.subscription_id IS NULL THEN 'topup:' || p.id
        ELSE 'grant:' || p.subscription_id || ':' || p.period_number || CASE WHEN p.purpose = 'upgrade' THEN ':' || p.id ELSE '' END END AS key) AS k,
      ledger_entries e
    WHERE e.wallet_id = w.id AND e.idem_key IN (k.key, k.key || ':gift')
      AND NOT EXISTS (SELECT FROM payment_refunds r WHERE r.payment_id = p.id AND r.reason = 'not_deliverable')
    GROUP BY p.id, w.id
  ), compared AS (
    SELECT b.payment_id, b.taken, div(coalesce(g.credits, 0) * least(b.gone, p.amount_cents)::numeric, p.amount_cents::numeric) AS due, (
      SELECT coalesce(sum((lot ->> 'amount')::bigint), 0) FROM ledger_entries e, jsonb_array_elements(e.lots) AS lot
      WHERE g.expires_at IS NOT NULL AND e.wallet_id = g.wallet_id AND e.seq > g.seq AND e.kind = 'expiry' AND lot ->> 'source' = 'plan' AND lot ->> 'expires_at' = g.expires_at
    ) AS expired
    FROM by_payment b JOIN payments p ON p.id = b.payment_id LEFT JOIN given g ON g.payment_id = b.payment_id
    WHERE NOT EXISTS (SELECT FROM wallets w WHERE w.user_id = p.user_id AND w.kind = 'user' AND w.closed_at IS NOT NULL)
  )
  SELECT format('payment %s: %s cents are refunded and %s are returning, but its refunds add up to %s and %s', p.id, p.refunded_cents, p.returning_cents,
    coalesce(r.refunded_cents, 0), coalesce(r.returning_cents, 0)) AS problem
  FROM payments p LEFT JOIN returns r ON r.payment_id = p.id
  WHERE (p.refunded_cents, p.returning_cents) IS DISTINCT FROM (coalesce(r.refunded_cents, 0), coalesce(r.returning_cents, 0))
  UNION ALL
  SELECT format('%s: %s credits are clawed back and %s of them are debt, but its row says %s and %s', coalesce(g.key, m.key), coalesce(m.credits, 0), coalesce(m.debt, 0),
    coalesce(g.credits, 0), coalesce(g.debt, 0))
  FROM going g FULL JOIN moved m ON m.key = g.key
  WHERE (coalesce(g.credits, 0), coalesce(g.debt, 0)) IS DISTINCT FROM (coalesce(m.credits, 0), coalesce(m.debt, 0))
  UNION ALL
  SELECT format('payment %s: %s credits are clawed back, but %s are due for its refunded money', payment_id, taken, due)
  FROM compared WHERE taken > due OR taken + expired < due
  LIMIT ${MOST_LINES}`;

/**
 * Compares refunds and disputes with their payments and with the ledger: the sums of money, the
 * clawbacks in the ledger, and the credits that the lost money requires (`STATEMENT` has the
 * rules). Returns a line for each difference, up to 1,000; empty without one.
 */
export async function findDifferingRefunds(dataSource: DataSource): Promise<string[]> {
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
