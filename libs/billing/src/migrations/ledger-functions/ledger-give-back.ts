export const ledgerGiveBack = `
  CREATE FUNCTION ledger_give_back(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets;
    e wallets;
    item jsonb;
    key text;
    known record;
    entry ledger_entries;
    lot jsonb;
  BEGIN
    PERFORM 1 FROM wallets o WHERE o.user_id = (SELECT user_id FROM wallets WHERE id = p_wallet) ORDER BY o.id FOR NO KEY UPDATE;
    w := ledger_open(p_wallet);
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      item := p_items -> i;
      key := (item ->> 'reverses') || ':returned';
      SELECT * INTO known FROM ledger_taken_back(w.user_id, item ->> 'reverses');
      IF NOT FOUND OR NOT known.is_theirs OR known.kind <> item ->> 'kind' THEN
        RETURN NEXT ledger_answer(w, 'not_reversible');
        CONTINUE;
      ELSIF EXISTS (SELECT FROM ledger_entries WHERE idem_key IN (key, key || ':earnings', key || ':debt')) THEN
        RETURN NEXT ledger_answer(w, 'replayed', NULL, known.taken + known.earned + known.owed);
        CONTINUE;
      ELSIF w.closed_at IS NOT NULL THEN
        RETURN NEXT ledger_answer(w, 'closed');
        CONTINUE;
      END IF;
      IF known.earned > 0 THEN
        SELECT * INTO entry FROM ledger_entries WHERE idem_key = (item ->> 'reverses') || ':earnings';
        e := ledger_open(entry.wallet_id);
        IF e.closed_at IS NULL THEN
          e.lots := wallet_lots_add(e.lots, entry.lots);
          e := ledger_enter(e, known.earned, entry.lots, item || jsonb_build_object('key', key || ':earnings', 'counter', entry.counter),
            entry.seq);
        END IF;
        PERFORM ledger_save(e);
      END IF;
      IF known.taken > 0 THEN
        SELECT * INTO entry FROM ledger_entries WHERE idem_key = item ->> 'reverses';
        w.lots := wallet_lots_add(w.lots, entry.lots);
        w := ledger_enter(w, known.taken, entry.lots, item || jsonb_build_object('key', key, 'counter', entry.counter), entry.seq);
        w.next_expiry := least(w.next_expiry, (SELECT min((l ->> 'expires_at')::timestamptz) FROM jsonb_array_elements(entry.lots) AS l));
      END IF;
      IF known.owed > 0 THEN
        lot := jsonb_build_array(jsonb_build_object('source', 'refund', 'priority', (item ->> 'priority')::int, 'expires_at', NULL, 'earns', false,
          'amount', known.owed));
        w.lots := wallet_lots_add(w.lots, lot);
        w := ledger_enter(w, known.owed, lot, item || jsonb_build_object('key', key || ':debt'));
      END IF;
      RETURN NEXT ledger_answer(w, 'done', w.seq, known.taken + known.earned + known.owed, w.balance);
    END LOOP;
    PERFORM ledger_save(w);
  END $$`;
