/**
 * Pays a debt as soon as there are credits that are not held. A closed wallet keeps only held
 * credits.
 */
export const ledgerSave = `
  CREATE FUNCTION ledger_save(w wallets) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    free bigint := w.balance - w.held;
    t record;
  BEGIN
    IF free > 0 AND w.closed_at IS NOT NULL THEN
      t := wallet_lots_take(w.lots, free);
      w.lots := t.rest;
      w := ledger_enter_own(w, -free, t.taken, 'closure', 'closure');
    ELSIF free > 0 AND w.debt > 0 THEN
      free := least(free, w.debt);
      t := wallet_lots_take(w.lots, free);
      w.lots := t.rest;
      w := ledger_enter_own(w, -free, t.taken, 'debt_payment', 'debt');
      w.debt := w.debt - free;
    END IF;
    UPDATE wallets SET balance = w.balance, held = w.held, debt = w.debt, seq = w.seq, lots = w.lots, next_expiry = w.next_expiry,
      closed_at = w.closed_at, updated_at = w.updated_at
    WHERE id = w.id AND (seq, held, debt, next_expiry, closed_at) IS DISTINCT FROM (w.seq, w.held, w.debt, w.next_expiry, w.closed_at);
  END $$`;
