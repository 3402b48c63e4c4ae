/**
 * Ends a hold: its credits are free again, or were spent a moment ago. The part that was not
 * spent no longer counts as spending. Credits that have expired are taken.
 */
export const ledgerUnhold = `
  CREATE FUNCTION ledger_unhold(INOUT w wallets, hold wallet_holds, spent bigint) LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM wallet_holds WHERE id = hold.id;
    w.held := w.held - hold.amount;
    IF hold.spending_class IS NOT NULL AND spent < hold.amount THEN
      UPDATE spending AS s SET spent = s.spent - (hold.amount - ledger_unhold.spent)
      WHERE s.wallet_id = w.id AND s.month = hold.spending_month AND s.class = hold.spending_class;
    END IF;
    IF w.next_expiry <= w.updated_at THEN w := ledger_expire(w); END IF;
  END $$`;
