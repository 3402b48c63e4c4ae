export const ledgerTakeBack = `
  CREATE FUNCTION ledger_take_back(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets;
    e wallets;
    earnings bigint;
    item jsonb;
    wanted bigint;
    paid bigint;
    earned bigint;
    known record;
    t record;
  BEGIN
    -- Both wallets of the user, in the order of their ids, like every function that locks several.
    PERFORM 1 FROM wallets o WHERE o.user_id = (SELECT user_id FROM wallets WHERE id = p_wallet) ORDER BY o.id FOR NO KEY UPDATE;
    w := ledger_open(p_wallet);
    IF w.kind <> 'user' THEN RAISE EXCEPTION 'nothing that was bought is in wallet %', p_wallet; END IF;
    SELECT id INTO earnings FROM wallets WHERE user_id = w.user_id AND kind = 'earnings';
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      item := p_items -> i;
      wanted := ledger_amount(item);
      SELECT * INTO known FROM ledger_taken_back(w.user_id, item ->> 'key');
      IF FOUND THEN
        IF known.is_theirs AND known.kind = item ->> 'kind' AND known.taken + known.earned + known.owed = wanted THEN
          RETURN NEXT ledger_answer(w, 'replayed', NULL, -(known.taken + known.earned));
        ELSE
          RETURN NEXT ledger_answer(w, 'key_reused');
        END IF;
        CONTINUE;
      ELSIF w.closed_at IS NOT NULL THEN
        RETURN NEXT ledger_answer(w, 'closed');
        CONTINUE;
      END IF;
      IF w.balance - w.held < wanted THEN w := ledger_unhold_expired(w); END IF;
      paid := least(wanted, w.balance - w.held);
      earned := 0;
      IF paid < wanted AND earnings IS NOT NULL THEN
        WHILE ledger_book_commissions(earnings, 1000) = 1000 LOOP END LOOP;
        e := ledger_open(earnings);
        earned := CASE WHEN e.closed_at IS NULL THEN least(wanted - paid, greatest(e.balance - e.held - e.debt, 0)) ELSE 0 END;
        IF earned > 0 THEN
          t := wallet_lots_take(e.lots, earned);
          e.lots := t.rest;
          e := ledger_enter(e, -earned, t.taken, item || jsonb_build_object('key', (item ->> 'key') || ':earnings'));
        END IF;
        PERFORM ledger_save(e);
      END IF;
      IF paid > 0 THEN
        t := wallet_lots_take_of(w.lots, paid, item ->> 'source');
        w.lots := t.rest;
        w := ledger_enter(w, -paid, t.taken, item);
      END IF;
      IF paid + earned < wanted THEN
        INSERT INTO ledger_debts (idem_key, wallet_id, amount, kind, ref, at)
        VALUES (item ->> 'key', w.id, wanted - paid - earned, item ->> 'kind', item ->> 'ref', w.updated_at);
        w.debt := w.debt + wanted - paid - earned;
      END IF;
      RETURN NEXT ledger_answer(w, 'done', CASE WHEN paid > 0 THEN w.seq END, -(paid + earned), w.balance);
    END LOOP;
    PERFORM ledger_save(w);
  END $$`;
