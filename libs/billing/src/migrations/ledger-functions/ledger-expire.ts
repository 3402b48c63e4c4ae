/** Takes expired credits, except held ones. Holds count on the first credits. */
export const ledgerExpire = `
  CREATE FUNCTION ledger_expire(INOUT w wallets) LANGUAGE plpgsql AS $$
  DECLARE
    lot jsonb;
    has bigint;
    kept bigint;
    held bigint := w.held;
    expires_at timestamptz;
    gone jsonb := '[]';
    rest jsonb := '[]';
  BEGIN
    w.next_expiry := NULL;
    FOR i IN 0 .. jsonb_array_length(w.lots) - 1 LOOP
      lot := w.lots -> i;
      has := (lot ->> 'amount')::bigint;
      expires_at := (lot ->> 'expires_at')::timestamptz;
      kept := CASE WHEN expires_at <= w.updated_at THEN least(has, held) ELSE has END;
      held := greatest(held - has, 0);
      IF kept > 0 THEN
        rest := rest || jsonb_set(lot, '{amount}', to_jsonb(kept));
        w.next_expiry := least(w.next_expiry, expires_at);
      END IF;
      IF has > kept THEN gone := gone || jsonb_set(lot, '{amount}', to_jsonb(has - kept)); END IF;
    END LOOP;
    w.lots := rest;
    IF gone <> '[]' THEN w := ledger_enter_own(w, -wallet_lots_total(gone), gone, 'expiry', 'expiry'); END IF;
  END $$`;
