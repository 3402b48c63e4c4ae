/** Like ledger_book_commissions; the booked credits then pay the developer's debt. */
export const ledgerBookEarnings = `
  CREATE FUNCTION ledger_book_earnings(p_wallet bigint, p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    booked integer;
  BEGIN
    PERFORM ledger_lock_wallets(p_wallet);
    booked := ledger_book_commissions(p_wallet, p_limit);
    PERFORM ledger_pay_debt(p_wallet);
    RETURN booked;
  END $$`;
