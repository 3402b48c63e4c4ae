/**
 * Spends held credits, or less; the rest is free again. Also works if the wallet was closed or
 * got a debt meanwhile, because the credits were promised before.
 */
export const ledgerSettle = `
  CREATE FUNCTION ledger_settle(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    item jsonb;
    wanted bigint;
    h wallet_holds;
    known ledger_outcome;
    t record;
    entered wallets;
  BEGIN
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      item := p_items -> i;
      wanted := ledger_amount(item);
      SELECT * INTO h FROM wallet_holds WHERE id = item ->> 'id' AND wallet_id = w.id;
      known := ledger_known(w, item, -wanted);
      IF known.outcome IS NOT NULL THEN
        IF h.id IS NOT NULL THEN w := ledger_unhold(w, h, 0); END IF;
        RETURN NEXT ledger_answer(w, known.outcome, known.seq, known.amount, known.balance_after, known.share);
      ELSIF h.id IS NULL OR h.expires_at <= w.updated_at THEN
        IF h.id IS NOT NULL THEN w := ledger_unhold(w, h, 0); END IF;
        RETURN NEXT ledger_answer(w, 'hold_gone');
      ELSIF wanted > h.amount THEN
        RAISE EXCEPTION 'hold % is of % credits, not of %', h.id, h.amount, wanted USING ERRCODE = 'numeric_value_out_of_range';
      ELSE
        t := ledger_take(w, wanted, wanted, item);
        entered := t.w;
        w := ledger_unhold(entered, h, wanted);
        RETURN NEXT ledger_answer(w, 'done', entered.seq, -wanted, entered.balance, t.share);
      END IF;
    END LOOP;
    PERFORM ledger_save(w);
  END $$`;
