/**
 * Takes credits, held or not. The developer gets a share of the paid part of the credits, if it
 * is smaller than the price.
 */
export const ledgerTake = `
  CREATE FUNCTION ledger_take(INOUT w wallets, amount bigint, price bigint, item jsonb, OUT share bigint) LANGUAGE plpgsql AS $$
  DECLARE
    t record := wallet_lots_take(w.lots, amount);
    base bigint := coalesce((item ->> 'base')::bigint, price);
    earning bigint;
    earned_base bigint := 0;
  BEGIN
    w.lots := t.rest;
    share := 0;
    IF item ? 'developer_id' THEN
      SELECT coalesce(sum((lot ->> 'amount')::bigint), 0) INTO earning FROM jsonb_array_elements(t.taken) AS lot WHERE (lot ->> 'earns')::boolean;
      earned_base := div(earning::numeric * base, price);
      share := div(earning::numeric * base * (item ->> 'split')::int, price::numeric * 100);
    END IF;
    w := ledger_enter(w, -amount, t.taken, item, NULL, earned_base, share);
    IF earned_base > 0 THEN
      INSERT INTO commission_due (wallet_id, seq, developer_id) VALUES (w.id, w.seq, item ->> 'developer_id');
    END IF;
  END $$`;
