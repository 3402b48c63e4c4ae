export const ledgerRelease = `
  CREATE FUNCTION ledger_release(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    h wallet_holds;
  BEGIN
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      SELECT * INTO h FROM wallet_holds WHERE id = p_items -> i ->> 'id' AND wallet_id = w.id;
      IF h.id IS NOT NULL THEN w := ledger_unhold(w, h, 0); END IF;
      RETURN NEXT ledger_answer(w, CASE WHEN h.id IS NULL THEN 'hold_gone' ELSE 'done' END, NULL, h.amount);
    END LOOP;
    PERFORM ledger_save(w);
  END $$`;
