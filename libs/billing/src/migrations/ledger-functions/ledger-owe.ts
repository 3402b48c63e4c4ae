/**
 * Like ledger_debit, for a debit that cannot be refused: earnings pay the debt that it leaves at
 * once.
 */
export const ledgerOwe = `
  CREATE FUNCTION ledger_owe(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ledger_lock_wallets(p_wallet);
    RETURN QUERY SELECT * FROM ledger_debit(p_wallet, p_items);
    PERFORM ledger_pay_debt(p_wallet);
  END $$`;
