export const ledgerDebitPlain = `
  CREATE FUNCTION ledger_debit_plain(w wallets, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    lot jsonb := w.lots -> 0;
    lot_earns boolean := (lot ->> 'earns')::boolean;
    total numeric;
    is_plain boolean;
  BEGIN
    IF w.closed_at IS NOT NULL OR w.debt > 0 THEN RETURN; END IF;
    SELECT sum(amount), bool_and(amount BETWEEN 1 AND 1000000000000) AND count(DISTINCT key) = count(*)
      AND NOT EXISTS (SELECT FROM ledger_entries e WHERE e.idem_key = ANY (array_agg(key)))
      AND NOT EXISTS (SELECT FROM ledger_debts d WHERE d.idem_key = ANY (array_agg(key)))
    INTO total, is_plain FROM jsonb_to_recordset(p_items) AS item (key text, amount bigint);
    IF is_plain IS NOT TRUE OR total > w.balance - w.held OR total >= (lot ->> 'amount')::bigint THEN RETURN; END IF;
    RETURN QUERY
      WITH items AS (
        SELECT item.*, coalesce(w.seq, 0) + n AS seq, (w.balance - sum(amount) OVER (ORDER BY n))::bigint AS balance_after,
          CASE WHEN lot_earns AND developer_id IS NOT NULL THEN coalesce(base, amount) ELSE 0 END AS earned_base
        FROM ROWS FROM (jsonb_to_recordset(p_items) AS (key text, amount bigint, kind text, counter text, base bigint, split integer, app_id text,
          function text, price_version integer, developer_id text, ref text, description text)) WITH ORDINALITY AS item (key, amount, kind, counter,
          base, split, app_id, function, price_version, developer_id, ref, description, n)
      ), made AS (
        INSERT INTO ledger_entries AS e (wallet_id, seq, prev_seq, kind, counter, amount, balance_before, balance_after, lots, idem_key, app_id,
          function, price_version, developer_id, earned_base, share, ref, description, at)
        SELECT w.id, seq, nullif(seq - 1, 0), kind, counter, -amount, balance_after + amount, balance_after,
          jsonb_build_array(jsonb_set(lot, '{amount}', to_jsonb(amount))), key, app_id, function, price_version, developer_id, earned_base,
          CASE WHEN earned_base = 0 THEN 0 ELSE div(earned_base::numeric * split, 100) END, ref, description, w.updated_at
        FROM items ORDER BY seq RETURNING e.seq, e.amount, e.balance_after, e.share, e.earned_base, e.developer_id
      ), due AS (
        INSERT INTO commission_due (wallet_id, seq, developer_id) SELECT w.id, seq, developer_id FROM made WHERE earned_base > 0
      )
      SELECT 'done', seq, amount, balance_after, balance_after - w.held, share FROM made ORDER BY seq;
    w.lots := jsonb_set(w.lots, '{0,amount}', to_jsonb((lot ->> 'amount')::bigint - total));
    w.balance := w.balance - total;
    w.seq := coalesce(w.seq, 0) + jsonb_array_length(p_items);
    PERFORM ledger_save(w);
  END $$`;
