/**
 * Like wallet_lots_take, but takes first the lots of this source that earn, then its other lots,
 * then all others in the order of spending.
 */
export const walletLotsTakeOf = `
  CREATE FUNCTION wallet_lots_take_of(lots jsonb, wanted bigint, source text, OUT taken jsonb, OUT rest jsonb) LANGUAGE sql IMMUTABLE AS $$
  WITH lot AS (
    SELECT lot, n, (lot ->> 'amount')::bigint AS has,
      sum((lot ->> 'amount')::bigint) OVER (ORDER BY lot ->> 'source' = wallet_lots_take_of.source DESC,
        lot ->> 'source' = wallet_lots_take_of.source AND (lot ->> 'earns')::boolean DESC, n) AS upto
    FROM jsonb_array_elements(lots) WITH ORDINALITY AS l (lot, n)
  ), part AS (
    SELECT lot, n, has, greatest(least(has, wanted - (upto - has)), 0)::bigint AS part FROM lot
  )
  SELECT coalesce(jsonb_agg(jsonb_set(lot, '{amount}', to_jsonb(part)) ORDER BY n) FILTER (WHERE part > 0), '[]'),
    coalesce(jsonb_agg(jsonb_set(lot, '{amount}', to_jsonb(has - part)) ORDER BY n) FILTER (WHERE has > part), '[]')
  FROM part $$`;
