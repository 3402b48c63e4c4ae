export const ledgerCredit = `
  CREATE FUNCTION ledger_credit(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    item jsonb;
    wanted bigint;
    lot jsonb;
    known ledger_outcome;
  BEGIN
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      item := p_items -> i;
      wanted := ledger_amount(item);
      known := ledger_known(w, item, wanted);
      IF known.outcome IS NOT NULL THEN
        RETURN NEXT known;
      ELSIF w.closed_at IS NOT NULL THEN
        RETURN NEXT ledger_answer(w, 'closed');
      ELSE
        lot := jsonb_build_array(jsonb_build_object('source', item ->> 'source', 'priority', (item ->> 'priority')::int,
          'expires_at', to_char((item ->> 'expires_at')::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
          'earns', (item ->> 'earns')::boolean, 'amount', wanted));
        w.lots := wallet_lots_add(w.lots, lot);
        w := ledger_enter(w, wanted, lot, item);
        w.next_expiry := least(w.next_expiry, (item ->> 'expires_at')::timestamptz);
        RETURN NEXT ledger_answer(w, 'done', w.seq, wanted, w.balance);
      END IF;
    END LOOP;
    PERFORM ledger_save(w);
  END $$`;
