export const ledgerDebit = `
  CREATE FUNCTION ledger_debit(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    item jsonb;
    wanted bigint;
    paid bigint;
    known ledger_outcome;
    t record;
  BEGIN
    IF jsonb_array_length(p_items) > 1 THEN
      RETURN QUERY SELECT * FROM ledger_debit_plain(w, p_items);
      IF FOUND THEN RETURN; END IF;
    END IF;
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      item := p_items -> i;
      wanted := ledger_amount(item);
      known := ledger_known(w, item, -wanted);
      IF known.outcome IS NOT NULL THEN
        RETURN NEXT known;
        CONTINUE;
      ELSIF w.closed_at IS NOT NULL THEN
        RETURN NEXT ledger_answer(w, 'closed');
        CONTINUE;
      END IF;
      IF w.balance - w.held < wanted THEN w := ledger_unhold_expired(w); END IF;
      paid := least(wanted, w.balance - w.held);
      IF item ->> 'shortfall' = 'debt' THEN
        IF paid < wanted THEN
          INSERT INTO ledger_debts (idem_key, wallet_id, amount, kind, app_id, ref, at)
          VALUES (item ->> 'key', w.id, wanted - paid, item ->> 'kind', item ->> 'app_id', item ->> 'ref', w.updated_at);
          w.debt := w.debt + wanted - paid;
        END IF;
      ELSIF w.debt > 0 OR paid < wanted THEN
        RETURN NEXT ledger_answer(w, CASE WHEN w.debt > 0 THEN 'in_debt' ELSE 'insufficient' END);
        CONTINUE;
      END IF;
      IF paid > 0 THEN
        t := ledger_take(w, paid, wanted, item);
        w := t.w;
        RETURN NEXT ledger_answer(w, 'done', w.seq, -paid, w.balance, t.share);
      ELSE
        RETURN NEXT ledger_answer(w, 'done', NULL, 0, w.balance);
      END IF;
    END LOOP;
    PERFORM ledger_save(w);
  END $$`;
