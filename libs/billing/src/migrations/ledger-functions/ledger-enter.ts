export const ledgerEnter = `
  CREATE FUNCTION ledger_enter(INOUT w wallets, amount bigint, lots jsonb, item jsonb, reverses_seq bigint DEFAULT NULL,
    earned_base bigint DEFAULT 0, share bigint DEFAULT 0) LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ledger_entries (wallet_id, seq, prev_seq, kind, counter, amount, balance_before, balance_after, lots, idem_key, app_id,
      function, price_version, developer_id, earned_base, share, reverses_seq, ref, description, at)
    VALUES (w.id, coalesce(w.seq, 0) + 1, w.seq, item ->> 'kind', item ->> 'counter', amount, w.balance, w.balance + amount, lots,
      item ->> 'key', item ->> 'app_id', item ->> 'function', (item ->> 'price_version')::int, item ->> 'developer_id', earned_base, share,
      reverses_seq, item ->> 'ref', item ->> 'description', w.updated_at);
    w.seq := coalesce(w.seq, 0) + 1;
    w.balance := w.balance + amount;
  END $$`;
