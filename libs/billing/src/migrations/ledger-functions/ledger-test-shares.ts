/**
 * Shares in calls that were paid with credits of test payments, as far as these credits paid. A
 * call after a real payment of the same user is left out.
 */
export const ledgerTestShares = `
  CREATE FUNCTION ledger_test_shares(p_developer text) RETURNS TABLE (wallet_id bigint, seq bigint, developer_id text, app_id text, function text, day date,
  at timestamptz, calls integer, earned_base bigint, share bigint) LANGUAGE sql STABLE AS $$
  SELECT e.wallet_id, e.seq, e.developer_id, e.app_id, coalesce(e.function, ''), (e.at AT TIME ZONE 'UTC')::date, e.at, CASE WHEN l.of_tests = l.earning THEN 1 ELSE 0 END,
    div(e.earned_base * l.of_tests + l.earning - 1, l.earning)::bigint, div(e.share * l.of_tests + l.earning - 1, l.earning)::bigint
  FROM (
    SELECT p.user_id, coalesce(min(p.completed_at) FILTER (WHERE p.is_live), 'infinity') AS real_since FROM payments p
    WHERE p.status = 'succeeded' GROUP BY 1 HAVING bool_or(NOT p.is_live AND p.forgotten_at IS NULL)
  ) AS payer JOIN wallets w ON w.user_id = payer.user_id AND w.kind = 'user'
    JOIN ledger_entries e ON e.wallet_id = w.id AND e.earned_base > 0 AND e.at < payer.real_since,
    LATERAL (
      SELECT sum((lot ->> 'amount')::numeric) AS earning,
        coalesce(sum((lot ->> 'amount')::numeric) FILTER (WHERE lot ->> 'source' IN ('topup', 'plan')), 0) AS of_tests
      FROM jsonb_array_elements(e.lots) AS lot WHERE (lot ->> 'earns')::boolean
    ) AS l
  WHERE l.of_tests > 0 AND (p_developer IS NULL OR e.developer_id = p_developer)
    AND NOT EXISTS (SELECT FROM forgotten_shares f WHERE f.wallet_id = e.wallet_id AND f.seq = e.seq) $$`;
