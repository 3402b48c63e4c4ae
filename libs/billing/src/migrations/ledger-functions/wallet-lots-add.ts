export const walletLotsAdd = `
  CREATE FUNCTION wallet_lots_add(lots jsonb, more jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_agg(lot || jsonb_build_object('amount', amount)
    ORDER BY (lot ->> 'priority')::int, lot ->> 'expires_at' NULLS LAST, lot ->> 'source', lot ->> 'earns'), '[]')
  FROM (SELECT lot - 'amount' AS lot, sum((lot ->> 'amount')::bigint) AS amount
        FROM jsonb_array_elements(lots || more) AS lot GROUP BY 1) AS merged $$`;
