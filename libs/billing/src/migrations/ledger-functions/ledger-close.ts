/**
 * Closes a wallet: it takes no credits and spends only held ones. The rest goes to the platform.
 */
export const ledgerClose = `
  CREATE FUNCTION ledger_close(p_wallet bigint) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
  BEGIN
    w.closed_at := coalesce(w.closed_at, w.updated_at);
    PERFORM ledger_save(w);
  END $$`;
