/** Takes expired holds and credits of a wallet. */
export const ledgerSweep = `
  CREATE FUNCTION ledger_sweep(p_wallet bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ledger_save(ledger_unhold_expired(ledger_open(p_wallet)));
  END $$`;
