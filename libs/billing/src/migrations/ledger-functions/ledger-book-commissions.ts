/**
 * Books shares of calls as commissions, an entry for each app, and returns the number of calls.
 * Each share is booked once, because its row is deleted.
 */
export const ledgerBookCommissions = `
  CREATE FUNCTION ledger_book_commissions(p_wallet bigint, p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    booked jsonb;
    one record;
    lot jsonb;
  BEGIN
    IF w.kind <> 'earnings' THEN RAISE EXCEPTION 'wallet % takes no commissions', p_wallet; END IF;
    WITH due AS (
      DELETE FROM commission_due d USING (
        SELECT c.wallet_id, c.seq FROM commission_due c WHERE c.developer_id = w.user_id
        ORDER BY c.wallet_id, c.seq LIMIT p_limit FOR UPDATE SKIP LOCKED
      ) AS batch WHERE d.wallet_id = batch.wallet_id AND d.seq = batch.seq RETURNING d.wallet_id, d.seq
    ), by_day AS (
      SELECT e.app_id, coalesce(e.function, '') AS function, (e.at AT TIME ZONE 'UTC')::date AS day, count(*) AS calls,
        sum(e.earned_base) AS earned_base, sum(e.share) AS share
      FROM due JOIN ledger_entries e ON e.wallet_id = due.wallet_id AND e.seq = due.seq GROUP BY 1, 2, 3
    )
    SELECT coalesce(jsonb_agg(to_jsonb(by_day)), '[]') INTO booked FROM by_day;
    INSERT INTO earnings_by_day AS d (developer_id, app_id, function, day, calls, earned_base, share)
    SELECT w.user_id, b.app_id, b.function, b.day, b.calls, b.earned_base, b.share
    FROM jsonb_to_recordset(booked) AS b (app_id text, function text, day date, calls integer, earned_base bigint, share bigint)
    ON CONFLICT ON CONSTRAINT earnings_by_day_pkey DO UPDATE SET calls = d.calls + EXCLUDED.calls,
      earned_base = d.earned_base + EXCLUDED.earned_base, share = d.share + EXCLUDED.share;
    FOR one IN SELECT b ->> 'app_id' AS app_id, sum((b ->> 'share')::bigint)::bigint AS share FROM jsonb_array_elements(booked) AS b
      GROUP BY 1 HAVING sum((b ->> 'share')::bigint) > 0 ORDER BY 1 LOOP
      lot := jsonb_build_array(jsonb_build_object('source', 'commission', 'priority', 50, 'expires_at', NULL, 'earns', false, 'amount', one.share));
      w.lots := wallet_lots_add(w.lots, lot);
      w := ledger_enter_own(w, one.share, lot, 'commission', 'commission', one.app_id);
    END LOOP;
    PERFORM ledger_save(w);
    RETURN (SELECT coalesce(sum((b ->> 'calls')::integer), 0) FROM jsonb_array_elements(booked) AS b);
  END $$`;
