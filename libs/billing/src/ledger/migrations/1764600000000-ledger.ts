import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The ledger: wallets, their entries, holds and debts, and one function for each movement of credits. New tables only, so it is safe on a live
 * platform. Written by hand: the guards of the ledger are foreign keys, checks and triggers that TypeORM does not generate.
 *
 * What the database itself refuses:
 * - a balance without the entry that made it, by the foreign key of `wallets` to the last entry, checked at commit;
 * - a gap, a fork or another sum in the entries of a wallet, by the foreign key of each entry to the one before;
 * - a balance below zero, holds beyond the balance, lots that are not the balance, by checks;
 * - an entry that is changed or removed, by triggers.
 */
export class Ledger1764600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(LOTS);
    await runner.query(INTERNALS);
    await runner.query(MOVEMENTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE commission_due, earnings_by_day, spending, spending_limits, ledger_debts, wallet_holds CASCADE;
      DROP TABLE wallets, ledger_entries, billing_clock CASCADE;
      DO $$ DECLARE name regprocedure; BEGIN
        FOR name IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
          AND (proname LIKE 'ledger\\_%' OR proname LIKE 'wallet\\_%' OR proname IN ('billing_now', 'refuse_change')) LOOP
          EXECUTE format('DROP FUNCTION %s CASCADE', name);
        END LOOP;
      END $$;
      DROP TYPE ledger_outcome`);
  }
}

const TABLES = `
  CREATE TABLE billing_clock (
    singleton boolean PRIMARY KEY DEFAULT true CONSTRAINT billing_clock_one_row_check CHECK (singleton),
    ahead interval NOT NULL DEFAULT '0'
  );
  INSERT INTO billing_clock DEFAULT VALUES;

  CREATE FUNCTION billing_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT now() + ahead FROM billing_clock $$;

  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'rows of % are never changed or removed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END $$;

  CREATE FUNCTION wallet_lots_total(lots jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(sum((lot ->> 'amount')::bigint), 0)::bigint FROM jsonb_array_elements(lots) AS lot $$;

  -- A wallet is written again with each movement, so each page leaves room for the next row.
  CREATE TABLE wallets (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT wallets_tenant_fkey REFERENCES tenants,
    user_id text NOT NULL CONSTRAINT wallets_user_fkey REFERENCES users,
    kind text NOT NULL CONSTRAINT wallets_kind_check CHECK (kind IN ('user', 'earnings')),
    balance bigint NOT NULL DEFAULT 0 CONSTRAINT wallets_balance_check CHECK (balance BETWEEN 0 AND 9007199254740991),
    held bigint NOT NULL DEFAULT 0 CONSTRAINT wallets_held_check CHECK (held BETWEEN 0 AND balance),
    debt bigint NOT NULL DEFAULT 0 CONSTRAINT wallets_debt_check CHECK (debt BETWEEN 0 AND 9007199254740991),
    seq bigint,
    lots jsonb NOT NULL DEFAULT '[]',
    next_expiry timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    closed_at timestamptz,
    CONSTRAINT wallets_user_kind_key UNIQUE (user_id, kind),
    -- A foreign key with a null column is not checked.
    CONSTRAINT wallets_first_balance_check CHECK (seq IS NOT NULL OR balance = 0),
    CONSTRAINT wallets_lots_check CHECK (wallet_lots_total(lots) = balance)
  ) WITH (fillfactor = 50);
  CREATE INDEX wallets_expiry_idx ON wallets (next_expiry) WHERE next_expiry IS NOT NULL;
  CREATE INDEX wallets_tenant_idx ON wallets (tenant_id);

  CREATE TABLE ledger_entries (
    wallet_id bigint NOT NULL CONSTRAINT ledger_entries_wallet_fkey REFERENCES wallets,
    seq bigint NOT NULL CONSTRAINT ledger_entries_seq_check CHECK (seq >= 1),
    prev_seq bigint CONSTRAINT ledger_entries_prev_seq_check CHECK (prev_seq IS NOT DISTINCT FROM nullif(seq - 1, 0)),
    kind text NOT NULL,
    counter text NOT NULL CONSTRAINT ledger_entries_counter_check CHECK (counter IN ('provider', 'plan_grant', 'usage', 'promo', 'refund',
      'dispute', 'expiry', 'adjust', 'commission', 'payout', 'fee', 'closure', 'debt')),
    amount bigint NOT NULL CONSTRAINT ledger_entries_amount_check CHECK (amount <> 0 AND abs(amount) <= 1000000000000),
    balance_before bigint NOT NULL,
    balance_after bigint NOT NULL CONSTRAINT ledger_entries_balance_check CHECK (balance_after >= 0 AND balance_after = balance_before + amount),
    lots jsonb NOT NULL CONSTRAINT ledger_entries_lots_check CHECK (wallet_lots_total(lots) = abs(amount)),
    idem_key text NOT NULL CONSTRAINT ledger_entries_idem_key_key UNIQUE
      CONSTRAINT ledger_entries_idem_key_check CHECK (length(idem_key) BETWEEN 1 AND 300),
    app_id text,
    function text,
    price_version integer,
    developer_id text,
    earned_base bigint NOT NULL DEFAULT 0,
    share bigint NOT NULL DEFAULT 0,
    reverses_seq bigint,
    ref text,
    description text,
    at timestamptz NOT NULL DEFAULT billing_now(),
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT ledger_entries_pkey PRIMARY KEY (wallet_id, seq),
    CONSTRAINT ledger_entries_balance_key UNIQUE (wallet_id, seq, balance_after),
    CONSTRAINT ledger_entries_first_check CHECK (seq > 1 OR balance_before = 0),
    CONSTRAINT ledger_entries_share_check CHECK (share BETWEEN 0 AND earned_base AND earned_base <= greatest(-amount, 0)),
    CONSTRAINT ledger_entries_chain_fkey FOREIGN KEY (wallet_id, prev_seq, balance_before)
      REFERENCES ledger_entries (wallet_id, seq, balance_after),
    CONSTRAINT ledger_entries_reverses_fkey FOREIGN KEY (wallet_id, reverses_seq) REFERENCES ledger_entries (wallet_id, seq)
  );
  CREATE INDEX ledger_entries_reverses_idx ON ledger_entries (wallet_id, reverses_seq) WHERE reverses_seq IS NOT NULL;
  CREATE TRIGGER ledger_entries_refuse_change BEFORE UPDATE OR DELETE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER ledger_entries_refuse_truncate BEFORE TRUNCATE ON ledger_entries EXECUTE FUNCTION refuse_change();

  ALTER TABLE wallets ADD CONSTRAINT wallets_last_entry_fkey FOREIGN KEY (id, seq, balance)
    REFERENCES ledger_entries (wallet_id, seq, balance_after) DEFERRABLE INITIALLY DEFERRED;

  CREATE TABLE wallet_holds (
    id text PRIMARY KEY CONSTRAINT wallet_holds_id_check CHECK (length(id) BETWEEN 1 AND 300),
    wallet_id bigint NOT NULL CONSTRAINT wallet_holds_wallet_fkey REFERENCES wallets,
    amount bigint NOT NULL CONSTRAINT wallet_holds_amount_check CHECK (amount BETWEEN 1 AND 1000000000000),
    spending_class text CONSTRAINT wallet_holds_class_check CHECK (spending_class IN ('unattended', 'other_apps')),
    spending_month date,
    created_at timestamptz NOT NULL DEFAULT billing_now(),
    expires_at timestamptz NOT NULL,
    CONSTRAINT wallet_holds_spending_check CHECK ((spending_class IS NULL) = (spending_month IS NULL))
  );
  CREATE INDEX wallet_holds_expiry_idx ON wallet_holds (expires_at);
  CREATE INDEX wallet_holds_wallet_idx ON wallet_holds (wallet_id);

  CREATE TABLE ledger_debts (
    idem_key text PRIMARY KEY CONSTRAINT ledger_debts_idem_key_check CHECK (length(idem_key) BETWEEN 1 AND 300),
    wallet_id bigint NOT NULL CONSTRAINT ledger_debts_wallet_fkey REFERENCES wallets,
    amount bigint NOT NULL CONSTRAINT ledger_debts_amount_check CHECK (amount BETWEEN 1 AND 1000000000000),
    kind text NOT NULL,
    app_id text,
    ref text,
    at timestamptz NOT NULL DEFAULT billing_now()
  );
  CREATE INDEX ledger_debts_wallet_idx ON ledger_debts (wallet_id);
  CREATE TRIGGER ledger_debts_refuse_change BEFORE UPDATE OR DELETE ON ledger_debts FOR EACH ROW EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER ledger_debts_refuse_truncate BEFORE TRUNCATE ON ledger_debts EXECUTE FUNCTION refuse_change();

  CREATE TABLE commission_due (
    wallet_id bigint NOT NULL,
    seq bigint NOT NULL,
    developer_id text NOT NULL,
    CONSTRAINT commission_due_pkey PRIMARY KEY (wallet_id, seq),
    CONSTRAINT commission_due_entry_fkey FOREIGN KEY (wallet_id, seq) REFERENCES ledger_entries (wallet_id, seq)
  );
  CREATE INDEX commission_due_developer_idx ON commission_due (developer_id, wallet_id, seq);

  CREATE TABLE earnings_by_day (
    developer_id text NOT NULL,
    app_id text NOT NULL,
    function text NOT NULL,
    day date NOT NULL,
    calls integer NOT NULL,
    earned_base bigint NOT NULL,
    share bigint NOT NULL,
    CONSTRAINT earnings_by_day_pkey PRIMARY KEY (developer_id, app_id, day, function)
  );

  CREATE TABLE spending_limits (
    user_id text PRIMARY KEY CONSTRAINT spending_limits_user_fkey REFERENCES users,
    unattended bigint CONSTRAINT spending_limits_unattended_check CHECK (unattended BETWEEN 0 AND 1000000000000),
    other_apps bigint CONSTRAINT spending_limits_other_apps_check CHECK (other_apps BETWEEN 0 AND 1000000000000),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE spending (
    wallet_id bigint NOT NULL CONSTRAINT spending_wallet_fkey REFERENCES wallets,
    month date NOT NULL,
    class text NOT NULL CONSTRAINT spending_class_check CHECK (class IN ('unattended', 'other_apps')),
    spent bigint NOT NULL CONSTRAINT spending_spent_check CHECK (spent >= 0),
    CONSTRAINT spending_pkey PRIMARY KEY (wallet_id, month, class)
  ) WITH (fillfactor = 70)`;

/**
 * A lot: `{"source", "priority", "expires_at", "earns", "amount"}`, `expires_at` in UTC or null. Those with the lower priority are taken first,
 * then those that expire first; what differs in nothing but the amount is one lot.
 */
const LOTS = `
  CREATE FUNCTION wallet_lots_add(lots jsonb, more jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(jsonb_agg(lot || jsonb_build_object('amount', amount)
      ORDER BY (lot ->> 'priority')::int, lot ->> 'expires_at' NULLS LAST, lot ->> 'source', lot ->> 'earns'), '[]')
    FROM (SELECT lot - 'amount' AS lot, sum((lot ->> 'amount')::bigint) AS amount
          FROM jsonb_array_elements(lots || more) AS lot GROUP BY 1) AS merged $$;

  CREATE FUNCTION wallet_lots_take(lots jsonb, wanted bigint, OUT taken jsonb, OUT rest jsonb) LANGUAGE plpgsql IMMUTABLE AS $$
  DECLARE
    lot jsonb;
    has bigint;
    part bigint;
    missing bigint := wanted;
  BEGIN
    taken := '[]';
    rest := '[]';
    FOR lot IN SELECT jsonb_array_elements(lots) LOOP
      has := (lot ->> 'amount')::bigint;
      part := least(has, missing);
      missing := missing - part;
      IF part > 0 THEN taken := taken || jsonb_set(lot, '{amount}', to_jsonb(part)); END IF;
      IF has > part THEN rest := rest || jsonb_set(lot, '{amount}', to_jsonb(has - part)); END IF;
    END LOOP;
    IF missing > 0 THEN
      RAISE EXCEPTION 'the lots of a wallet have % credits less than are taken', missing USING ERRCODE = 'data_corrupted';
    END IF;
  END $$`;

/** What the movements are made of. They change `w`, a copy of the wallet that the transaction has locked; `ledger_save` writes it. */
const INTERNALS = `
  CREATE FUNCTION ledger_enter(INOUT w wallets, amount bigint, lots jsonb, item jsonb, reverses_seq bigint DEFAULT NULL,
    earned_base bigint DEFAULT 0, share bigint DEFAULT 0) LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ledger_entries (wallet_id, seq, prev_seq, kind, counter, amount, balance_before, balance_after, lots, idem_key, app_id,
      function, price_version, developer_id, earned_base, share, reverses_seq, ref, description)
    VALUES (w.id, coalesce(w.seq, 0) + 1, w.seq, item ->> 'kind', item ->> 'counter', amount, w.balance, w.balance + amount, lots,
      item ->> 'key', item ->> 'app_id', item ->> 'function', (item ->> 'price_version')::int, item ->> 'developer_id', earned_base, share,
      reverses_seq, item ->> 'ref', item ->> 'description');
    w.seq := coalesce(w.seq, 0) + 1;
    w.balance := w.balance + amount;
  END $$;

  -- Takes credits, whether or not some are held.
  CREATE FUNCTION ledger_take(INOUT w wallets, amount bigint, item jsonb, OUT earned_base bigint, OUT share bigint) LANGUAGE plpgsql AS $$
  DECLARE
    taken jsonb;
    earning bigint;
    base bigint := coalesce((item ->> 'base')::bigint, amount);
  BEGIN
    SELECT t.taken, t.rest INTO taken, w.lots FROM wallet_lots_take(w.lots, amount) AS t;
    earned_base := 0;
    share := 0;
    IF item ? 'developer_id' THEN
      SELECT coalesce(sum((lot ->> 'amount')::bigint), 0) INTO earning FROM jsonb_array_elements(taken) AS lot WHERE (lot ->> 'earns')::boolean;
      earned_base := div(earning::numeric * base, amount);
      share := div(earning::numeric * base * (item ->> 'split')::int, amount::numeric * 100);
    END IF;
    w := ledger_enter(w, -amount, taken, item, NULL, earned_base, share);
    IF earned_base > 0 THEN
      INSERT INTO commission_due (wallet_id, seq, developer_id) VALUES (w.id, w.seq, item ->> 'developer_id');
    END IF;
  END $$;

  -- What has expired goes, as far as it is not held: a hold was made when it had not.
  CREATE FUNCTION ledger_expire(INOUT w wallets) LANGUAGE plpgsql AS $$
  DECLARE
    lot jsonb;
    has bigint;
    part bigint;
    gone jsonb := '[]';
    rest jsonb := '[]';
    due bigint;
  BEGIN
    SELECT greatest(0, coalesce(sum((l ->> 'amount')::bigint), 0) - w.held) INTO due FROM jsonb_array_elements(w.lots) AS l
    WHERE (l ->> 'expires_at')::timestamptz <= billing_now();
    IF due > 0 THEN
      FOR lot IN SELECT jsonb_array_elements(w.lots) LOOP
        has := (lot ->> 'amount')::bigint;
        part := CASE WHEN (lot ->> 'expires_at')::timestamptz <= billing_now() THEN least(has, due) ELSE 0 END;
        due := due - part;
        IF part > 0 THEN gone := gone || jsonb_set(lot, '{amount}', to_jsonb(part)); END IF;
        IF has > part THEN rest := rest || jsonb_set(lot, '{amount}', to_jsonb(has - part)); END IF;
      END LOOP;
      w.lots := rest;
      w := ledger_enter(w, -wallet_lots_total(gone), gone,
        jsonb_build_object('key', format('expiry:%s:%s', w.id, coalesce(w.seq, 0) + 1), 'kind', 'expiry', 'counter', 'expiry'));
    END IF;
    SELECT min((l ->> 'expires_at')::timestamptz) INTO w.next_expiry FROM jsonb_array_elements(w.lots) AS l;
  END $$;

  CREATE FUNCTION ledger_open(p_wallet bigint) RETURNS wallets LANGUAGE plpgsql AS $$
  DECLARE
    w wallets;
  BEGIN
    SELECT * INTO w FROM wallets WHERE id = p_wallet FOR NO KEY UPDATE;
    IF NOT FOUND THEN RAISE EXCEPTION 'there is no wallet %', p_wallet USING ERRCODE = 'no_data_found'; END IF;
    IF w.next_expiry <= billing_now() THEN w := ledger_expire(w); END IF;
    RETURN w;
  END $$;

  -- A closed wallet keeps nothing but what is held.
  CREATE FUNCTION ledger_save(w wallets) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    taken jsonb;
  BEGIN
    IF w.closed_at IS NOT NULL AND w.balance > w.held THEN
      SELECT t.taken, t.rest INTO taken, w.lots FROM wallet_lots_take(w.lots, w.balance - w.held) AS t;
      w := ledger_enter(w, w.held - w.balance, taken,
        jsonb_build_object('key', format('closure:%s:%s', w.id, coalesce(w.seq, 0) + 1), 'kind', 'closure', 'counter', 'closure'));
    END IF;
    UPDATE wallets SET balance = w.balance, held = w.held, debt = w.debt, seq = w.seq, lots = w.lots, next_expiry = w.next_expiry,
      closed_at = w.closed_at, updated_at = billing_now() WHERE id = w.id;
  END $$;

  -- The credits of a hold are free again, and what is not spent does not count as spent.
  CREATE FUNCTION ledger_unhold(INOUT w wallets, hold wallet_holds, spent bigint) LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM wallet_holds WHERE id = hold.id;
    w.held := w.held - hold.amount;
    IF hold.spending_class IS NOT NULL AND spent < hold.amount THEN
      UPDATE spending AS s SET spent = s.spent - (hold.amount - ledger_unhold.spent)
      WHERE s.wallet_id = w.id AND s.month = hold.spending_month AND s.class = hold.spending_class;
    END IF;
  END $$;

  -- For reading: what has expired does not count, also before a movement or the sweep takes it away.
  CREATE FUNCTION wallet_available(w wallets) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT w.balance - w.held - CASE WHEN w.next_expiry > billing_now() IS NOT FALSE THEN 0 ELSE greatest(0, (
      SELECT coalesce(sum((lot ->> 'amount')::bigint), 0) FROM jsonb_array_elements(w.lots) AS lot
      WHERE (lot ->> 'expires_at')::timestamptz <= billing_now()) - w.held) END $$;

  CREATE FUNCTION ledger_assert_amount(amount bigint) RETURNS void LANGUAGE plpgsql IMMUTABLE AS $$
  BEGIN
    IF amount IS NULL OR amount NOT BETWEEN 1 AND 1000000000000 THEN
      RAISE EXCEPTION 'an amount of % credits', amount USING ERRCODE = 'numeric_value_out_of_range';
    END IF;
  END $$`;

/**
 * Each takes a wallet and an array of movements, makes them one after the other under one lock, and returns a row for each, in their order. What is
 * refused is an outcome and changes nothing; the others of the array are made all the same. A key that there is already changes nothing:
 * `replayed`, or `key_reused` where it was another movement.
 */
const MOVEMENTS = `
  CREATE TYPE ledger_outcome AS (outcome text, seq bigint, amount bigint, balance_after bigint, available bigint, share bigint);

  CREATE FUNCTION ledger_known(w wallets, item jsonb, wanted bigint, OUT is_known boolean, OUT result ledger_outcome) LANGUAGE plpgsql AS $$
  DECLARE
    e ledger_entries;
    owed bigint;
    of_wallet bigint;
  BEGIN
    SELECT * INTO e FROM ledger_entries WHERE idem_key = item ->> 'key';
    is_known := e.seq IS NOT NULL;
    IF item ->> 'shortfall' = 'debt' THEN
      SELECT d.amount, d.wallet_id INTO owed, of_wallet FROM ledger_debts d WHERE d.idem_key = item ->> 'key';
      is_known := is_known OR owed IS NOT NULL;
    END IF;
    IF NOT is_known THEN RETURN; END IF;
    result := (
      CASE WHEN coalesce(e.wallet_id, of_wallet) = w.id AND coalesce(e.kind, item ->> 'kind') = item ->> 'kind'
        AND coalesce(e.amount, 0) - coalesce(owed, 0) = wanted THEN 'replayed' ELSE 'key_reused' END,
      e.seq, e.amount, e.balance_after, w.balance - w.held, e.share);
  END $$;

  CREATE FUNCTION ledger_credit(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    item jsonb;
    wanted bigint;
    paid bigint;
    lot jsonb;
    taken jsonb;
    known record;
  BEGIN
    FOR item IN SELECT jsonb_array_elements(p_items) LOOP
      wanted := (item ->> 'amount')::bigint;
      PERFORM ledger_assert_amount(wanted);
      known := ledger_known(w, item, wanted);
      IF known.is_known THEN
        RETURN NEXT known.result;
      ELSIF w.closed_at IS NOT NULL THEN
        RETURN NEXT ('closed', NULL, NULL, NULL, 0, NULL)::ledger_outcome;
      ELSE
        lot := jsonb_build_array(jsonb_build_object('source', item ->> 'source', 'priority', (item ->> 'priority')::int,
          'expires_at', to_char((item ->> 'expires_at')::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
          'earns', (item ->> 'earns')::boolean, 'amount', wanted));
        w.lots := wallet_lots_add(w.lots, lot);
        w := ledger_enter(w, wanted, lot, item);
        w.next_expiry := least(w.next_expiry, (item ->> 'expires_at')::timestamptz);
        RETURN NEXT ('done', w.seq, wanted, w.balance, w.balance - w.held, NULL)::ledger_outcome;
        -- A debt is paid from whatever comes first.
        paid := least(w.debt, w.balance - w.held);
        IF paid > 0 THEN
          SELECT t.taken, t.rest INTO taken, w.lots FROM wallet_lots_take(w.lots, paid) AS t;
          w := ledger_enter(w, -paid, taken, jsonb_build_object('key', format('debt:%s:%s', w.id, w.seq + 1), 'kind', 'debt_payment', 'counter', 'debt'));
          w.debt := w.debt - paid;
        END IF;
      END IF;
    END LOOP;
    PERFORM ledger_save(w);
  END $$;

  CREATE FUNCTION ledger_debit(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    item jsonb;
    wanted bigint;
    paid bigint;
    share bigint;
    known record;
    t record;
  BEGIN
    FOR item IN SELECT jsonb_array_elements(p_items) LOOP
      wanted := (item ->> 'amount')::bigint;
      PERFORM ledger_assert_amount(wanted);
      known := ledger_known(w, item, -wanted);
      paid := least(wanted, w.balance - w.held);
      IF known.is_known THEN
        RETURN NEXT known.result;
      ELSIF w.closed_at IS NOT NULL THEN
        RETURN NEXT ('closed', NULL, NULL, NULL, 0, NULL)::ledger_outcome;
      ELSIF item ->> 'shortfall' = 'debt' THEN
        share := NULL;
        IF paid > 0 THEN
          t := ledger_take(w, paid, item);
          w := t.w;
          share := t.share;
        END IF;
        IF paid < wanted THEN
          INSERT INTO ledger_debts (idem_key, wallet_id, amount, kind, app_id, ref)
          VALUES (item ->> 'key', w.id, wanted - paid, item ->> 'kind', item ->> 'app_id', item ->> 'ref');
          w.debt := w.debt + wanted - paid;
        END IF;
        RETURN NEXT ('done', CASE WHEN paid > 0 THEN w.seq END, -paid, w.balance, w.balance - w.held, share)::ledger_outcome;
      ELSIF w.debt > 0 OR paid < wanted THEN
        RETURN NEXT (CASE WHEN w.debt > 0 THEN 'in_debt' ELSE 'insufficient' END, NULL, NULL, NULL, w.balance - w.held, NULL)::ledger_outcome;
      ELSE
        t := ledger_take(w, wanted, item);
        w := t.w;
        RETURN NEXT ('done', w.seq, -wanted, w.balance, w.balance - w.held, t.share)::ledger_outcome;
      END IF;
    END LOOP;
    PERFORM ledger_save(w);
  END $$;

  -- Credits that nothing else can spend until they are settled or released, or the hold expires.
  CREATE FUNCTION ledger_hold(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    item jsonb;
    wanted bigint;
    h wallet_holds;
    limits spending_limits;
    this_month date := date_trunc('month', billing_now() AT TIME ZONE 'UTC');
    spending_class text;
    may_spend bigint;
    has_spent bigint;
  BEGIN
    FOR item IN SELECT jsonb_array_elements(p_items) LOOP
      wanted := (item ->> 'amount')::bigint;
      PERFORM ledger_assert_amount(wanted);
      spending_class := item ->> 'spending_class';
      IF EXISTS (SELECT FROM ledger_entries WHERE idem_key = coalesce(item ->> 'paid_by', item ->> 'id')) THEN
        RETURN NEXT ('paid', NULL, NULL, NULL, w.balance - w.held, NULL)::ledger_outcome;
        CONTINUE;
      END IF;
      SELECT * INTO h FROM wallet_holds WHERE id = item ->> 'id';
      IF h.id IS NOT NULL THEN
        IF h.wallet_id = w.id AND h.amount = wanted AND h.expires_at > billing_now() THEN
          UPDATE wallet_holds SET expires_at = billing_now() + (item ->> 'seconds')::int * interval '1 second' WHERE id = h.id;
          RETURN NEXT ('done', NULL, wanted, NULL, w.balance - w.held, NULL)::ledger_outcome;
          CONTINUE;
        ELSIF h.wallet_id <> w.id OR h.expires_at > billing_now() THEN
          RETURN NEXT ('key_reused', NULL, NULL, NULL, w.balance - w.held, NULL)::ledger_outcome;
          CONTINUE;
        END IF;
        w := ledger_unhold(w, h, 0);
      END IF;
      IF w.closed_at IS NOT NULL OR w.debt > 0 OR w.balance - w.held < wanted THEN
        RETURN NEXT (CASE WHEN w.closed_at IS NOT NULL THEN 'closed' WHEN w.debt > 0 THEN 'in_debt' ELSE 'insufficient' END,
          NULL, NULL, NULL, w.balance - w.held, NULL)::ledger_outcome;
        CONTINUE;
      END IF;
      IF spending_class IS NOT NULL THEN
        SELECT * INTO limits FROM spending_limits WHERE user_id = w.user_id;
        may_spend := CASE WHEN limits.user_id IS NOT NULL
          THEN CASE spending_class WHEN 'unattended' THEN limits.unattended ELSE limits.other_apps END
          ELSE (item ->> 'default_limit')::bigint END;
        SELECT s.spent INTO has_spent FROM spending s WHERE s.wallet_id = w.id AND s.month = this_month AND s.class = spending_class;
        IF coalesce(has_spent, 0) + wanted > may_spend THEN
          RETURN NEXT ('spending_limit', NULL, NULL, NULL, greatest(may_spend - coalesce(has_spent, 0), 0), NULL)::ledger_outcome;
          CONTINUE;
        END IF;
        INSERT INTO spending AS s (wallet_id, month, class, spent) VALUES (w.id, this_month, spending_class, wanted)
        ON CONFLICT (wallet_id, month, class) DO UPDATE SET spent = s.spent + EXCLUDED.spent;
      END IF;
      INSERT INTO wallet_holds (id, wallet_id, amount, spending_class, spending_month, expires_at) VALUES (item ->> 'id', w.id, wanted,
        spending_class, CASE WHEN spending_class IS NOT NULL THEN this_month END, billing_now() + (item ->> 'seconds')::int * interval '1 second');
      w.held := w.held + wanted;
      RETURN NEXT ('done', NULL, wanted, NULL, w.balance - w.held, NULL)::ledger_outcome;
    END LOOP;
    PERFORM ledger_save(w);
  END $$;

  -- Spends what is held, or less; the rest is free again. Also of a wallet that is closed or in debt by now: it was promised before.
  CREATE FUNCTION ledger_settle(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    item jsonb;
    wanted bigint;
    h wallet_holds;
    known record;
    t record;
  BEGIN
    FOR item IN SELECT jsonb_array_elements(p_items) LOOP
      wanted := (item ->> 'amount')::bigint;
      PERFORM ledger_assert_amount(wanted);
      SELECT * INTO h FROM wallet_holds WHERE id = item ->> 'id' AND wallet_id = w.id;
      known := ledger_known(w, item, -wanted);
      IF known.is_known THEN
        IF h.id IS NOT NULL THEN w := ledger_unhold(w, h, 0); END IF;
        RETURN NEXT known.result;
      ELSIF h.id IS NULL OR h.expires_at <= billing_now() THEN
        IF h.id IS NOT NULL THEN w := ledger_unhold(w, h, 0); END IF;
        RETURN NEXT ('hold_gone', NULL, NULL, NULL, w.balance - w.held, NULL)::ledger_outcome;
      ELSIF wanted > h.amount THEN
        RAISE EXCEPTION 'hold % is of % credits, not of %', h.id, h.amount, wanted USING ERRCODE = 'numeric_value_out_of_range';
      ELSE
        w := ledger_unhold(w, h, wanted);
        t := ledger_take(w, wanted, item);
        w := t.w;
        RETURN NEXT ('done', w.seq, -wanted, w.balance, w.balance - w.held, t.share)::ledger_outcome;
      END IF;
    END LOOP;
    PERFORM ledger_save(w);
  END $$;

  CREATE FUNCTION ledger_release(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    item jsonb;
    h wallet_holds;
  BEGIN
    FOR item IN SELECT jsonb_array_elements(p_items) LOOP
      SELECT * INTO h FROM wallet_holds WHERE id = item ->> 'id' AND wallet_id = w.id;
      IF h.id IS NOT NULL THEN w := ledger_unhold(w, h, 0); END IF;
      RETURN NEXT (CASE WHEN h.id IS NULL THEN 'hold_gone' ELSE 'done' END, NULL, h.amount, NULL, w.balance - w.held, NULL)::ledger_outcome;
    END LOOP;
    PERFORM ledger_save(w);
  END $$;

  -- Gives back what a debit took, or a part of it: the lots that it took last come back first, as they were.
  CREATE FUNCTION ledger_reverse(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    item jsonb;
    wanted bigint;
    e ledger_entries;
    given_back bigint;
    lots jsonb;
    known record;
  BEGIN
    FOR item IN SELECT jsonb_array_elements(p_items) LOOP
      wanted := (item ->> 'amount')::bigint;
      PERFORM ledger_assert_amount(wanted);
      known := ledger_known(w, item, wanted);
      SELECT * INTO e FROM ledger_entries WHERE wallet_id = w.id AND idem_key = item ->> 'reverses';
      SELECT coalesce(sum(r.amount), 0) INTO given_back FROM ledger_entries r WHERE r.wallet_id = w.id AND r.reverses_seq = e.seq;
      IF known.is_known THEN
        RETURN NEXT known.result;
      ELSIF w.closed_at IS NOT NULL THEN
        RETURN NEXT ('closed', NULL, NULL, NULL, 0, NULL)::ledger_outcome;
      ELSIF e.seq IS NULL OR e.amount > 0 OR e.earned_base > 0 OR given_back + wanted > -e.amount THEN
        RETURN NEXT ('not_reversible', NULL, NULL, NULL, w.balance - w.held, NULL)::ledger_outcome;
      ELSE
        -- Of what is not given back yet, all but the first is what was taken last.
        SELECT l.taken INTO lots FROM wallet_lots_take(e.lots, -e.amount - given_back) AS l;
        SELECT l.rest INTO lots FROM wallet_lots_take(lots, -e.amount - given_back - wanted) AS l;
        w.lots := wallet_lots_add(w.lots, lots);
        w := ledger_enter(w, wanted, lots, item || jsonb_build_object('counter', e.counter), e.seq);
        w.next_expiry := least(w.next_expiry, (SELECT min((l ->> 'expires_at')::timestamptz) FROM jsonb_array_elements(lots) AS l));
        RETURN NEXT ('done', w.seq, wanted, w.balance, w.balance - w.held, NULL)::ledger_outcome;
      END IF;
    END LOOP;
    PERFORM ledger_save(w);
  END $$;

  -- Nothing comes in or is spent any more, but what is held already. What is left is the platform's.
  CREATE FUNCTION ledger_close(p_wallet bigint) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
  BEGIN
    w.closed_at := coalesce(w.closed_at, billing_now());
    PERFORM ledger_save(w);
  END $$;

  -- Books shares of calls as commissions, an entry for each app, and returns how many calls it booked. Each share is booked once: its row is deleted.
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
      w := ledger_enter(w, one.share, lot, jsonb_build_object('key', format('commission:%s:%s', w.id, coalesce(w.seq, 0) + 1),
        'kind', 'commission', 'counter', 'commission', 'app_id', one.app_id));
    END LOOP;
    PERFORM ledger_save(w);
    RETURN (SELECT coalesce(sum((b ->> 'calls')::integer), 0) FROM jsonb_array_elements(booked) AS b);
  END $$`;
