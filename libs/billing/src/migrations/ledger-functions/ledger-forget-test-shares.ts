/**
 * Takes shares in test payments out of the earnings, the newest first, up to the balance: of the
 * last share a part. Returns how many calls keep a share, because it was paid out.
 */
export const ledgerForgetTestShares = `
  CREATE FUNCTION ledger_forget_test_shares(p_wallet bigint) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    w wallets;
    forgotten jsonb;
    one record;
    t record;
    -- A rejected payout gives back the rest of a share, which is then complete.
    has_parts boolean;
  BEGIN
    PERFORM ledger_lock_wallets(p_wallet);
    WHILE ledger_book_commissions(p_wallet, 1000) = 1000 LOOP END LOOP;
    w := ledger_open(p_wallet);
    IF w.closed_at IS NOT NULL THEN RETURN 0; END IF;
    has_parts := NOT EXISTS (SELECT FROM payouts o WHERE o.developer_id = w.user_id AND o.status IN ('pending', 'approved'));
    WITH shares AS MATERIALIZED (
      SELECT s.*, sum(s.share) OVER (ORDER BY s.at DESC, s.wallet_id DESC, s.seq DESC) AS upto FROM ledger_test_shares(w.user_id) AS s
    ), there AS MATERIALIZED (
      SELECT s.*, least(s.share, w.balance - w.held - w.debt - (s.upto - s.share))::bigint AS part FROM shares s
      WHERE s.upto <= w.balance - w.held - w.debt OR has_parts AND s.upto - s.share < w.balance - w.held - w.debt
    ), made AS (
      INSERT INTO forgotten_shares AS f (wallet_id, seq, developer_id, calls, earned_base, share)
      SELECT piece.wallet_id, piece.seq, piece.developer_id, CASE WHEN piece.part = piece.share THEN piece.calls ELSE 0 END,
        CASE WHEN piece.part = piece.share THEN piece.earned_base ELSE div(piece.earned_base::numeric * piece.part + piece.share - 1, piece.share)::bigint END, piece.part
      FROM there AS piece RETURNING f.*
    )
    SELECT coalesce(jsonb_agg(to_jsonb(made) || jsonb_build_object('app_id', piece.app_id, 'function', piece.function, 'day', piece.day)), '[]') INTO forgotten
    FROM made JOIN there AS piece USING (wallet_id, seq);
    UPDATE earnings_by_day d SET calls = d.calls - x.calls, earned_base = d.earned_base - x.earned_base, share = d.share - x.share
    FROM (SELECT f.app_id, f.function, f.day, sum(f.calls)::int AS calls, sum(f.earned_base)::bigint AS earned_base, sum(f.share)::bigint AS share
      FROM jsonb_to_recordset(forgotten) AS f (app_id text, function text, day date, calls integer, earned_base bigint, share bigint) GROUP BY 1, 2, 3) AS x
    WHERE d.developer_id = w.user_id AND d.app_id = x.app_id AND d.function = x.function AND d.day = x.day;
    FOR one IN SELECT f ->> 'app_id' AS app_id, sum((f ->> 'share')::bigint)::bigint AS share FROM jsonb_array_elements(forgotten) AS f
      GROUP BY 1 HAVING sum((f ->> 'share')::bigint) > 0 ORDER BY 1 LOOP
      t := wallet_lots_take(w.lots, one.share);
      w.lots := t.rest;
      w := ledger_enter_own(w, -one.share, t.taken, 'commission', 'commission', one.app_id);
    END LOOP;
    PERFORM ledger_save(w);
    RETURN (SELECT count(*) FROM ledger_test_shares(w.user_id) AS s WHERE s.share > 0);
  END $$`;
