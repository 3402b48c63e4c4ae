/**
 * Pays the debt of the owner of this wallet from booked earnings. Returns the debt that is left.
 */
export const ledgerPayDebt = `
  CREATE FUNCTION ledger_pay_debt(p_wallet bigint) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    most CONSTANT bigint := 1000000000000;
    user_wallet bigint;
    earnings bigint;
    w wallets;
    e wallets;
    part bigint;
    t record;
  BEGIN
    PERFORM ledger_lock_wallets(p_wallet);
    SELECT o.id INTO user_wallet FROM wallets p JOIN wallets o ON o.user_id = p.user_id AND o.kind = 'user' WHERE p.id = p_wallet AND o.debt > 0;
    IF user_wallet IS NULL THEN RETURN 0; END IF;
    SELECT o.id INTO earnings FROM wallets p JOIN wallets o ON o.user_id = p.user_id AND o.kind = 'earnings' WHERE p.id = p_wallet;
    LOOP
      w := ledger_open(user_wallet);
      IF earnings IS NULL OR w.debt = 0 OR w.closed_at IS NOT NULL THEN RETURN w.debt; END IF;
      e := ledger_open(earnings);
      part := CASE WHEN e.closed_at IS NULL THEN least(w.debt, e.balance - e.held - e.debt, most) ELSE 0 END;
      IF part <= 0 THEN RETURN w.debt; END IF;
      t := wallet_lots_take(e.lots, part);
      e.lots := t.rest;
      PERFORM ledger_save(ledger_enter_own(e, -part, t.taken, 'earnings_to_debt', 'debt'));
      w.lots := wallet_lots_add(w.lots, t.taken);
      PERFORM ledger_save(ledger_enter_own(w, part, t.taken, 'earnings_to_debt', 'debt'));
    END LOOP;
  END $$`;
