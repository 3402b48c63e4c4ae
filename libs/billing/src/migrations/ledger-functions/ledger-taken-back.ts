/**
 * Sum of the movements with this key: of the wallet, of the earnings, and as a debt. No row if
 * there is none.
 */
export const ledgerTakenBack = `
  CREATE FUNCTION ledger_taken_back(p_user text, p_key text, OUT kind text, OUT taken bigint, OUT earned bigint, OUT owed bigint, OUT is_theirs boolean)
  RETURNS SETOF record LANGUAGE sql STABLE AS $$
    SELECT min(one.kind), coalesce(sum(amount) FILTER (WHERE what = 'taken'), 0)::bigint, coalesce(sum(amount) FILTER (WHERE what = 'earned'), 0)::bigint,
      coalesce(sum(amount) FILTER (WHERE what = 'owed'), 0)::bigint, bool_and(w.user_id = p_user)
    FROM (
      SELECT 'taken' AS what, e.kind, -e.amount AS amount, e.wallet_id FROM ledger_entries e WHERE e.idem_key = p_key
      UNION ALL SELECT 'earned', e.kind, -e.amount, e.wallet_id FROM ledger_entries e WHERE e.idem_key = p_key || ':earnings'
      UNION ALL SELECT 'owed', d.kind, d.amount, d.wallet_id FROM ledger_debts d WHERE d.idem_key = p_key
    ) AS one JOIN wallets w ON w.id = one.wallet_id HAVING count(*) > 0 $$`;
