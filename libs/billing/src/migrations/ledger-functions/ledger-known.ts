/** Answer of an earlier movement with this key; null if there is none. */
export const ledgerKnown = `
  CREATE FUNCTION ledger_known(w wallets, item jsonb, wanted bigint) RETURNS ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    known record;
  BEGIN
    SELECT e.seq, e.amount, e.balance_after, e.share, coalesce(e.wallet_id, d.wallet_id) AS wallet_id, coalesce(e.kind, d.kind) AS kind,
      coalesce(e.amount, 0) - coalesce(d.amount, 0) AS wanted
    INTO known FROM (SELECT item ->> 'key' AS key) AS k LEFT JOIN ledger_entries e ON e.idem_key = k.key
      LEFT JOIN ledger_debts d ON d.idem_key = k.key;
    IF known.wallet_id IS NULL THEN RETURN NULL; END IF;
    IF known.wallet_id = w.id AND known.kind = item ->> 'kind' AND known.wanted = wanted THEN
      RETURN ledger_answer(w, 'replayed', known.seq, known.amount, known.balance_after, known.share);
    END IF;
    RETURN ledger_answer(w, 'key_reused');
  END $$`;
