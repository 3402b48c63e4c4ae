/**
 * Gives back the credits of a debit, or a part of them. The lots that the debit took last come
 * back first, unchanged.
 */
export const ledgerReverse = `
  CREATE FUNCTION ledger_reverse(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    item jsonb;
    wanted bigint;
    e ledger_entries;
    given_back bigint;
    unreturned jsonb;
    lots jsonb;
    known ledger_outcome;
  BEGIN
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      item := p_items -> i;
      wanted := ledger_amount(item);
      SELECT * INTO e FROM ledger_entries WHERE wallet_id = w.id AND idem_key = item ->> 'reverses';
      known := ledger_known(w, item, wanted);
      IF known.outcome IS NOT NULL THEN
        IF known.outcome = 'replayed' AND NOT EXISTS (SELECT FROM ledger_entries r
          WHERE r.wallet_id = w.id AND r.seq = known.seq AND r.reverses_seq = e.seq) THEN known := ledger_answer(w, 'key_reused'); END IF;
        RETURN NEXT known;
        CONTINUE;
      END IF;
      SELECT coalesce(sum(r.amount), 0) INTO given_back FROM ledger_entries r WHERE r.wallet_id = w.id AND r.reverses_seq = e.seq;
      IF w.closed_at IS NOT NULL THEN
        RETURN NEXT ledger_answer(w, 'closed');
      ELSIF e.seq IS NULL OR e.amount > 0 OR e.earned_base > 0 OR given_back + wanted > -e.amount THEN
        RETURN NEXT ledger_answer(w, 'not_reversible');
      ELSE
        -- Part that is not given back yet: without its first credits, because the last ones come
        -- back first.
        unreturned := (wallet_lots_take(e.lots, -e.amount - given_back)).taken;
        lots := (wallet_lots_take(unreturned, -e.amount - given_back - wanted)).rest;
        w.lots := wallet_lots_add(w.lots, lots);
        w := ledger_enter(w, wanted, lots, item || jsonb_build_object('counter', e.counter), e.seq);
        w.next_expiry := least(w.next_expiry, (SELECT min((l ->> 'expires_at')::timestamptz) FROM jsonb_array_elements(lots) AS l));
        RETURN NEXT ledger_answer(w, 'done', w.seq, wanted, w.balance);
      END IF;
    END LOOP;
    PERFORM ledger_save(w);
  END $$`;
