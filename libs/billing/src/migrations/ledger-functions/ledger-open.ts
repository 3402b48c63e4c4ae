export const ledgerOpen = `
  CREATE FUNCTION ledger_open(p_wallet bigint) RETURNS wallets LANGUAGE plpgsql AS $$
  DECLARE
    opened record;
    w wallets;
  BEGIN
    -- billing_now(), without a function call
    SELECT wallets AS w, now() + billing_clock.ahead AS at INTO opened FROM wallets, billing_clock
    WHERE wallets.id = p_wallet FOR NO KEY UPDATE OF wallets;
    IF NOT FOUND THEN RAISE EXCEPTION 'there is no wallet %', p_wallet USING ERRCODE = 'no_data_found'; END IF;
    w := opened.w;
    w.updated_at := opened.at;
    IF w.next_expiry <= w.updated_at THEN w := ledger_expire(w); END IF;
    RETURN w;
  END $$`;
