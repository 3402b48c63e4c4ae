/** For reads: the credits of holds that have not expired. */
export const walletHeld = `
  CREATE FUNCTION wallet_held(w wallets) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN w.held = 0 THEN 0 ELSE (
    SELECT coalesce(sum(amount), 0)::bigint FROM wallet_holds WHERE wallet_id = w.id AND expires_at > billing_now()) END $$`;
