import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Credits of test payments, and shares of developers in them, can be booked out before real money moves. A new table, functions, and a column that is null for every payment,
 * so it is safe on a live platform.
 */
export class ForgottenTestCredits1764682000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(CREDITS);
    await runner.query(SHARES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION ledger_forget_test_shares, ledger_test_shares, ledger_forget_test_credits;
      DROP TABLE forgotten_shares;
      ALTER TABLE payments DROP COLUMN forgotten_at`);
  }
}

const TABLES = `
  ALTER TABLE payments ADD COLUMN forgotten_at timestamptz CONSTRAINT payments_forgotten_check CHECK (forgotten_at IS NULL OR NOT is_live);

  CREATE TABLE forgotten_shares (
    wallet_id bigint NOT NULL,
    seq bigint NOT NULL,
    developer_id text NOT NULL,
    calls integer NOT NULL CONSTRAINT forgotten_shares_calls_check CHECK (calls IN (0, 1)),
    earned_base bigint NOT NULL CONSTRAINT forgotten_shares_base_check CHECK (earned_base >= 0),
    share bigint NOT NULL CONSTRAINT forgotten_shares_share_check CHECK (share BETWEEN 0 AND earned_base),
    CONSTRAINT forgotten_shares_pkey PRIMARY KEY (wallet_id, seq),
    CONSTRAINT forgotten_shares_entry_fkey FOREIGN KEY (wallet_id, seq) REFERENCES ledger_entries (wallet_id, seq)
  );
  CREATE TRIGGER forgotten_shares_refuse_change BEFORE UPDATE OR DELETE ON forgotten_shares FOR EACH ROW EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER forgotten_shares_refuse_truncate BEFORE TRUNCATE ON forgotten_shares EXECUTE FUNCTION refuse_change()`;

/** Credits that were bought first are spent first: with real payments beside them, those of test payments are the ones that real payments have not brought. */
const CREDITS = `
  -- Takes what is left of test payments in a wallet. Returns how many credits stay, since calls hold them.
  CREATE FUNCTION ledger_forget_test_credits(p_wallet bigint) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    w wallets;
    one record;
    part bigint;
    stays bigint := 0;
    t record;
  BEGIN
    PERFORM ledger_sweep(p_wallet);
    w := ledger_open(p_wallet);
    IF w.kind <> 'user' THEN RAISE EXCEPTION 'nothing that was bought is in wallet %', p_wallet; END IF;
    FOR one IN
      SELECT s.source, greatest(0, least(p.of_tests, l.has - p.of_real))::bigint AS wanted
      FROM (VALUES ('topup'), ('plan')) AS s (source), LATERAL (
        SELECT coalesce(sum(g.brought) FILTER (WHERE NOT p.is_live AND p.forgotten_at IS NULL), 0) AS of_tests,
          coalesce(sum(g.brought - g.gone) FILTER (WHERE p.is_live AND (s.source = 'topup' OR p.completed_at > now() - interval '31 days')), 0) AS of_real
        FROM payments p, LATERAL (
          -- The payment of a renewal says no credits: the plan says how many it brings.
          SELECT CASE WHEN p.purpose = 'renewal' THEN (SELECT l.included_tokens FROM plans l WHERE l.id = p.plan_id AND l.version = p.plan_version) ELSE p.credits END AS brought,
            coalesce((SELECT sum(r.credits) FROM payment_refunds r WHERE r.payment_id = p.id), 0)
            + coalesce((SELECT sum(d.credits) FROM payment_disputes d WHERE d.payment_id = p.id), 0) AS gone
        ) AS g
        WHERE p.user_id = w.user_id AND p.status = 'succeeded' AND (p.subscription_id IS NULL) = (s.source = 'topup')
      ) AS p, LATERAL (
        SELECT coalesce(sum((lot ->> 'amount')::bigint), 0) AS has FROM jsonb_array_elements(w.lots) AS lot
        WHERE lot ->> 'source' = s.source AND (lot ->> 'earns')::boolean
      ) AS l
    LOOP
      part := least(one.wanted, w.balance - w.held);
      stays := stays + one.wanted - part;
      CONTINUE WHEN part <= 0;
      t := wallet_lots_take_of(w.lots, part, one.source);
      w.lots := t.rest;
      w := ledger_enter_own(w, -part, t.taken, 'test_credits', 'adjust');
    END LOOP;
    PERFORM ledger_save(w);
    RETURN stays;
  END $$`;

/** Two functions. A later migration replaces `ledger_forget_test_shares`, and its `down` brings this one back. */
export const SHARES = `
  -- Shares in calls that were paid with credits of test payments, as far as they are of those. A call after a real payment of the same user is not among them.
  CREATE OR REPLACE FUNCTION ledger_test_shares(p_developer text) RETURNS TABLE (wallet_id bigint, seq bigint, developer_id text, app_id text, function text, day date,
    at timestamptz, calls integer, earned_base bigint, share bigint) LANGUAGE sql STABLE AS $$
    SELECT e.wallet_id, e.seq, e.developer_id, e.app_id, coalesce(e.function, ''), (e.at AT TIME ZONE 'UTC')::date, e.at, CASE WHEN l.of_tests = l.earning THEN 1 ELSE 0 END,
      div(e.earned_base * l.of_tests + l.earning - 1, l.earning)::bigint, div(e.share * l.of_tests + l.earning - 1, l.earning)::bigint
    FROM (
      SELECT p.user_id, coalesce(min(p.completed_at) FILTER (WHERE p.is_live), 'infinity') AS real_since FROM payments p
      WHERE p.status = 'succeeded' GROUP BY 1 HAVING bool_or(NOT p.is_live AND p.forgotten_at IS NULL)
    ) AS payer JOIN wallets w ON w.user_id = payer.user_id AND w.kind = 'user'
      JOIN ledger_entries e ON e.wallet_id = w.id AND e.earned_base > 0 AND e.at < payer.real_since,
      LATERAL (
        SELECT sum((lot ->> 'amount')::numeric) AS earning,
          coalesce(sum((lot ->> 'amount')::numeric) FILTER (WHERE lot ->> 'source' IN ('topup', 'plan')), 0) AS of_tests
        FROM jsonb_array_elements(e.lots) AS lot WHERE (lot ->> 'earns')::boolean
      ) AS l
    WHERE l.of_tests > 0 AND (p_developer IS NULL OR e.developer_id = p_developer)
      AND NOT EXISTS (SELECT FROM forgotten_shares f WHERE f.wallet_id = e.wallet_id AND f.seq = e.seq) $$;

  -- Takes shares in test payments out of the earnings, the newest first, as far as they are there. Returns how many calls keep theirs, since they were paid out.
  CREATE OR REPLACE FUNCTION ledger_forget_test_shares(p_wallet bigint) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    w wallets;
    forgotten jsonb;
    one record;
    t record;
  BEGIN
    PERFORM ledger_lock_wallets(p_wallet);
    WHILE ledger_book_commissions(p_wallet, 1000) = 1000 LOOP END LOOP;
    w := ledger_open(p_wallet);
    IF w.closed_at IS NOT NULL THEN RETURN 0; END IF;
    WITH shares AS MATERIALIZED (
      SELECT s.*, sum(s.share) OVER (ORDER BY s.at DESC, s.wallet_id DESC, s.seq DESC) AS upto FROM ledger_test_shares(w.user_id) AS s
    ), made AS (
      INSERT INTO forgotten_shares AS f (wallet_id, seq, developer_id, calls, earned_base, share)
      SELECT s.wallet_id, s.seq, s.developer_id, s.calls, s.earned_base, s.share FROM shares s WHERE s.upto <= w.balance - w.held - w.debt
      RETURNING f.wallet_id, f.seq
    )
    SELECT coalesce(jsonb_agg(to_jsonb(s)), '[]') INTO forgotten FROM shares s JOIN made USING (wallet_id, seq);
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
