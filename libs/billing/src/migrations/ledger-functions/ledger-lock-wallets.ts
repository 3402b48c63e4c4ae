/**
 * Locks all wallets of the owner of this wallet, in the order of their ids, like every function
 * that locks several.
 */
export const ledgerLockWallets = `
  CREATE FUNCTION ledger_lock_wallets(p_wallet bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM 1 FROM wallets o WHERE o.user_id = (SELECT user_id FROM wallets WHERE id = p_wallet) ORDER BY o.id FOR NO KEY UPDATE;
  END $$`;
