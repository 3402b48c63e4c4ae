/** For reads: expired credits do not count, also before a movement or the sweep takes them. */
export const walletAvailable = `
  CREATE FUNCTION wallet_available(w wallets) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT w.balance - wallet_held(w) - CASE WHEN w.next_expiry > billing_now() IS NOT FALSE THEN 0 ELSE (
    SELECT coalesce(sum(greatest(0, least(amount, upto - wallet_held(w)))) FILTER (WHERE expires_at <= billing_now()), 0)::bigint
    FROM (SELECT (lot ->> 'amount')::bigint AS amount, (lot ->> 'expires_at')::timestamptz AS expires_at,
            sum((lot ->> 'amount')::bigint) OVER (ORDER BY n) AS upto
          FROM jsonb_array_elements(w.lots) WITH ORDINALITY AS l (lot, n)) AS lots) END $$`;
