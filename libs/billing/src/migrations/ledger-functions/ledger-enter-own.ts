/** Entry that the ledger makes by itself. Its key is made of its place in the wallet. */
export const ledgerEnterOwn = `
  CREATE FUNCTION ledger_enter_own(INOUT w wallets, amount bigint, lots jsonb, kind text, counter text, app_id text DEFAULT NULL)
  LANGUAGE plpgsql AS $$
  BEGIN
    w := ledger_enter(w, amount, lots, jsonb_build_object('key', format('%s:%s:%s', kind, w.id, coalesce(w.seq, 0) + 1), 'kind', kind,
      'counter', counter, 'app_id', app_id));
  END $$`;
