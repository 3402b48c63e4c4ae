/** Ends expired holds, whose owner did not settle or release them. */
export const ledgerUnholdExpired = `
  CREATE FUNCTION ledger_unhold_expired(INOUT w wallets) LANGUAGE plpgsql AS $$
  DECLARE
    h wallet_holds;
  BEGIN
    IF w.held = 0 THEN RETURN; END IF;
    FOR h IN SELECT * FROM wallet_holds WHERE wallet_id = w.id AND expires_at <= w.updated_at LOOP
      w := ledger_unhold(w, h, 0);
    END LOOP;
  END $$`;
