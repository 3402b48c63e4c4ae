export const ledgerAnswer = `
  CREATE FUNCTION ledger_answer(w wallets, outcome text, seq bigint DEFAULT NULL, amount bigint DEFAULT NULL, balance_after bigint DEFAULT NULL,
  share bigint DEFAULT NULL) RETURNS ledger_outcome LANGUAGE sql IMMUTABLE AS $$
  SELECT ROW(outcome, seq, amount, balance_after, CASE WHEN w.closed_at IS NULL THEN greatest(w.balance - w.held - w.debt, 0) ELSE 0 END,
    share)::ledger_outcome $$`;
