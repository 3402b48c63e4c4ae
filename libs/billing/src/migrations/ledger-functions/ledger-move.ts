export const ledgerMove = `
  CREATE FUNCTION ledger_move(p_name text, p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  BEGIN
    CASE p_name
      WHEN 'ledger_credit' THEN RETURN QUERY SELECT * FROM ledger_credit(p_wallet, p_items);
      WHEN 'ledger_debit' THEN RETURN QUERY SELECT * FROM ledger_debit(p_wallet, p_items);
      WHEN 'ledger_hold' THEN RETURN QUERY SELECT * FROM ledger_hold(p_wallet, p_items);
      WHEN 'ledger_settle' THEN RETURN QUERY SELECT * FROM ledger_settle(p_wallet, p_items);
      WHEN 'ledger_release' THEN RETURN QUERY SELECT * FROM ledger_release(p_wallet, p_items);
      WHEN 'ledger_reverse' THEN RETURN QUERY SELECT * FROM ledger_reverse(p_wallet, p_items);
    END CASE;
  END $$`;
