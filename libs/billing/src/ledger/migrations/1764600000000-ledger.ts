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

  -- PL/pgSQL, since PostgreSQL parses a function in SQL again each time that it checks a row.
  CREATE FUNCTION wallet_lots_total(lots jsonb) RETURNS bigint LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    total bigint := 0;
  BEGIN
    FOR i IN 0 .. jsonb_array_length(lots) - 1 LOOP total := total + coalesce((lots -> i ->> 'amount')::bigint, 0); END LOOP;
    RETURN total;
  END $$;

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
    -- What the ledger makes by itself may be the sum of many movements.
    amount bigint NOT NULL CONSTRAINT ledger_entries_amount_check CHECK (amount <> 0 AND abs(amount) <= CASE
      WHEN kind IN ('expiry', 'closure', 'debt_payment', 'commission') THEN 9007199254740991 ELSE 1000000000000 END),
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
    CONSTRAINT ledger_entries_developer_check CHECK (earned_base = 0 OR (developer_id IS NOT NULL AND app_id IS NOT NULL)),
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
 * then those that expire first; what differs in nothing but the amount is one lot. What is held are the first credits of a wallet: so a hold is
 * paid with what would have been spent when it was made, also after that has expired.
 */
const LOTS = `
  CREATE FUNCTION wallet_lots_add(lots jsonb, more jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(jsonb_agg(lot || jsonb_build_object('amount', amount)
      ORDER BY (lot ->> 'priority')::int, lot ->> 'expires_at' NULLS LAST, lot ->> 'source', lot ->> 'earns'), '[]')
    FROM (SELECT lot - 'amount' AS lot, sum((lot ->> 'amount')::bigint) AS amount
          FROM jsonb_array_elements(lots || more) AS lot GROUP BY 1) AS merged $$;

  CREATE FUNCTION wallet_lots_take(lots jsonb, wanted bigint, OUT taken jsonb, OUT rest jsonb) LANGUAGE plpgsql IMMUTABLE AS $$
  DECLARE
    lot jsonb := lots -> 0;
    has bigint := (lot ->> 'amount')::bigint;
    part bigint;
    missing bigint := wanted;
  BEGIN
    IF has > wanted THEN
      taken := jsonb_build_array(jsonb_set(lot, '{amount}', to_jsonb(wanted)));
      rest := jsonb_set(lots, '{0,amount}', to_jsonb(has - wanted));
      RETURN;
    END IF;
    taken := '[]';
    rest := '[]';
    FOR i IN 0 .. jsonb_array_length(lots) - 1 LOOP
      lot := lots -> i;
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

/**
 * What the movements are made of. They change `w`, a copy of the wallet that the transaction has locked, with the time of the movement in `updated_at`;
 * `ledger_save` writes it.
 */
const INTERNALS = `
  CREATE FUNCTION ledger_enter(INOUT w wallets, amount bigint, lots jsonb, item jsonb, reverses_seq bigint DEFAULT NULL,
    earned_base bigint DEFAULT 0, share bigint DEFAULT 0) LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ledger_entries (wallet_id, seq, prev_seq, kind, counter, amount, balance_before, balance_after, lots, idem_key, app_id,
      function, price_version, developer_id, earned_base, share, reverses_seq, ref, description, at)
    VALUES (w.id, coalesce(w.seq, 0) + 1, w.seq, item ->> 'kind', item ->> 'counter', amount, w.balance, w.balance + amount, lots,
      item ->> 'key', item ->> 'app_id', item ->> 'function', (item ->> 'price_version')::int, item ->> 'developer_id', earned_base, share,
      reverses_seq, item ->> 'ref', item ->> 'description', w.updated_at);
    w.seq := coalesce(w.seq, 0) + 1;
    w.balance := w.balance + amount;
  END $$;

  -- What the ledger does by itself has a key made of its place in the wallet.
  CREATE FUNCTION ledger_enter_own(INOUT w wallets, amount bigint, lots jsonb, kind text, counter text, app_id text DEFAULT NULL)
  LANGUAGE plpgsql AS $$
  BEGIN
    w := ledger_enter(w, amount, lots, jsonb_build_object('key', format('%s:%s:%s', kind, w.id, coalesce(w.seq, 0) + 1), 'kind', kind,
      'counter', counter, 'app_id', app_id));
  END $$;

  -- Takes credits, whether or not some are held. The developer has a share of the part that is paid, where it is less than the price.
  CREATE FUNCTION ledger_take(INOUT w wallets, amount bigint, price bigint, item jsonb, OUT share bigint) LANGUAGE plpgsql AS $$
  DECLARE
    t record := wallet_lots_take(w.lots, amount);
    base bigint := coalesce((item ->> 'base')::bigint, price);
    earning bigint;
    earned_base bigint := 0;
  BEGIN
    w.lots := t.rest;
    share := 0;
    IF item ? 'developer_id' THEN
      SELECT coalesce(sum((lot ->> 'amount')::bigint), 0) INTO earning FROM jsonb_array_elements(t.taken) AS lot WHERE (lot ->> 'earns')::boolean;
      earned_base := div(earning::numeric * base, price);
      share := div(earning::numeric * base * (item ->> 'split')::int, price::numeric * 100);
    END IF;
    w := ledger_enter(w, -amount, t.taken, item, NULL, earned_base, share);
    IF earned_base > 0 THEN
      INSERT INTO commission_due (wallet_id, seq, developer_id) VALUES (w.id, w.seq, item ->> 'developer_id');
    END IF;
  END $$;

  -- What has expired goes, but what is held: the first credits.
  CREATE FUNCTION ledger_expire(INOUT w wallets) LANGUAGE plpgsql AS $$
  DECLARE
    lot jsonb;
    has bigint;
    kept bigint;
    held bigint := w.held;
    expires_at timestamptz;
    gone jsonb := '[]';
    rest jsonb := '[]';
  BEGIN
    w.next_expiry := NULL;
    FOR i IN 0 .. jsonb_array_length(w.lots) - 1 LOOP
      lot := w.lots -> i;
      has := (lot ->> 'amount')::bigint;
      expires_at := (lot ->> 'expires_at')::timestamptz;
      kept := CASE WHEN expires_at <= w.updated_at THEN least(has, held) ELSE has END;
      held := greatest(held - has, 0);
      IF kept > 0 THEN
        rest := rest || jsonb_set(lot, '{amount}', to_jsonb(kept));
        w.next_expiry := least(w.next_expiry, expires_at);
      END IF;
      IF has > kept THEN gone := gone || jsonb_set(lot, '{amount}', to_jsonb(has - kept)); END IF;
    END LOOP;
    w.lots := rest;
    IF gone <> '[]' THEN w := ledger_enter_own(w, -wallet_lots_total(gone), gone, 'expiry', 'expiry'); END IF;
  END $$;

  CREATE FUNCTION ledger_open(p_wallet bigint) RETURNS wallets LANGUAGE plpgsql AS $$
  DECLARE
    opened record;
    w wallets;
  BEGIN
    -- billing_now(), without a call of its own
    SELECT wallets AS w, now() + billing_clock.ahead AS at INTO opened FROM wallets, billing_clock
    WHERE wallets.id = p_wallet FOR NO KEY UPDATE OF wallets;
    IF NOT FOUND THEN RAISE EXCEPTION 'there is no wallet %', p_wallet USING ERRCODE = 'no_data_found'; END IF;
    w := opened.w;
    w.updated_at := opened.at;
    IF w.next_expiry <= w.updated_at THEN w := ledger_expire(w); END IF;
    RETURN w;
  END $$;

  -- A debt is paid as soon as there is something that is not held, and a closed wallet keeps nothing but what is.
  CREATE FUNCTION ledger_save(w wallets) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    free bigint := w.balance - w.held;
    t record;
  BEGIN
    IF free > 0 AND w.closed_at IS NOT NULL THEN
      t := wallet_lots_take(w.lots, free);
      w.lots := t.rest;
      w := ledger_enter_own(w, -free, t.taken, 'closure', 'closure');
    ELSIF free > 0 AND w.debt > 0 THEN
      free := least(free, w.debt);
      t := wallet_lots_take(w.lots, free);
      w.lots := t.rest;
      w := ledger_enter_own(w, -free, t.taken, 'debt_payment', 'debt');
      w.debt := w.debt - free;
    END IF;
    UPDATE wallets SET balance = w.balance, held = w.held, debt = w.debt, seq = w.seq, lots = w.lots, next_expiry = w.next_expiry,
      closed_at = w.closed_at, updated_at = w.updated_at
    WHERE id = w.id AND (seq, held, debt, next_expiry, closed_at) IS DISTINCT FROM (w.seq, w.held, w.debt, w.next_expiry, w.closed_at);
  END $$;

  -- The credits of a hold are free again, or were spent a moment ago, and what was not spent does not count as spent. Those that have expired go.
  CREATE FUNCTION ledger_unhold(INOUT w wallets, hold wallet_holds, spent bigint) LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM wallet_holds WHERE id = hold.id;
    w.held := w.held - hold.amount;
    IF hold.spending_class IS NOT NULL AND spent < hold.amount THEN
      UPDATE spending AS s SET spent = s.spent - (hold.amount - ledger_unhold.spent)
      WHERE s.wallet_id = w.id AND s.month = hold.spending_month AND s.class = hold.spending_class;
    END IF;
    IF w.next_expiry <= w.updated_at THEN w := ledger_expire(w); END IF;
  END $$;

  -- Whoever held credits and never came back holds nothing any more.
  CREATE FUNCTION ledger_unhold_expired(INOUT w wallets) LANGUAGE plpgsql AS $$
  DECLARE
    h wallet_holds;
  BEGIN
    IF w.held = 0 THEN RETURN; END IF;
    FOR h IN SELECT * FROM wallet_holds WHERE wallet_id = w.id AND expires_at <= w.updated_at LOOP
      w := ledger_unhold(w, h, 0);
    END LOOP;
  END $$;

  -- For reading: what holds it that has not expired.
  CREATE FUNCTION wallet_held(w wallets) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN w.held = 0 THEN 0 ELSE (
      SELECT coalesce(sum(amount), 0)::bigint FROM wallet_holds WHERE wallet_id = w.id AND expires_at > billing_now()) END $$;

  -- For reading: what has expired does not count, also before a movement or the sweep takes it away.
  CREATE FUNCTION wallet_available(w wallets) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT w.balance - wallet_held(w) - CASE WHEN w.next_expiry > billing_now() IS NOT FALSE THEN 0 ELSE (
      SELECT coalesce(sum(greatest(0, least(amount, upto - wallet_held(w)))) FILTER (WHERE expires_at <= billing_now()), 0)::bigint
      FROM (SELECT (lot ->> 'amount')::bigint AS amount, (lot ->> 'expires_at')::timestamptz AS expires_at,
              sum((lot ->> 'amount')::bigint) OVER (ORDER BY n) AS upto
            FROM jsonb_array_elements(w.lots) WITH ORDINALITY AS l (lot, n)) AS lots) END $$;

  CREATE FUNCTION ledger_amount(item jsonb) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
  DECLARE
    amount bigint := item ->> 'amount';
  BEGIN
    IF amount BETWEEN 1 AND 1000000000000 THEN RETURN amount; END IF;
    RAISE EXCEPTION 'an amount of % credits', amount USING ERRCODE = 'numeric_value_out_of_range';
  END $$`;

/**
 * Each takes a wallet and an array of movements, makes them one after the other under one lock, and returns a row for each, in their order. What is
 * refused is an outcome and changes nothing; the others of the array are made all the same. A key that there is already changes nothing:
 * `replayed`, or `key_reused` where it was another movement.
 */
const MOVEMENTS = `
  CREATE TYPE ledger_outcome AS (outcome text, seq bigint, amount bigint, balance_after bigint, available bigint, share bigint);

  CREATE FUNCTION ledger_answer(w wallets, outcome text, seq bigint DEFAULT NULL, amount bigint DEFAULT NULL, balance_after bigint DEFAULT NULL,
    share bigint DEFAULT NULL) RETURNS ledger_outcome LANGUAGE sql IMMUTABLE AS $$
    SELECT ROW(outcome, seq, amount, balance_after, CASE WHEN w.closed_at IS NULL THEN greatest(w.balance - w.held - w.debt, 0) ELSE 0 END,
      share)::ledger_outcome $$;

  -- The answer for a key that there is already, else null.
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
  END $$;

  CREATE FUNCTION ledger_credit(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    item jsonb;
    wanted bigint;
    lot jsonb;
    known ledger_outcome;
  BEGIN
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      item := p_items -> i;
      wanted := ledger_amount(item);
      known := ledger_known(w, item, wanted);
      IF known.outcome IS NOT NULL THEN
        RETURN NEXT known;
      ELSIF w.closed_at IS NOT NULL THEN
        RETURN NEXT ledger_answer(w, 'closed');
      ELSE
        lot := jsonb_build_array(jsonb_build_object('source', item ->> 'source', 'priority', (item ->> 'priority')::int,
          'expires_at', to_char((item ->> 'expires_at')::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
          'earns', (item ->> 'earns')::boolean, 'amount', wanted));
        w.lots := wallet_lots_add(w.lots, lot);
        w := ledger_enter(w, wanted, lot, item);
        w.next_expiry := least(w.next_expiry, (item ->> 'expires_at')::timestamptz);
        RETURN NEXT ledger_answer(w, 'done', w.seq, wanted, w.balance);
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
    known ledger_outcome;
    t record;
  BEGIN
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      item := p_items -> i;
      wanted := ledger_amount(item);
      known := ledger_known(w, item, -wanted);
      IF known.outcome IS NOT NULL THEN
        RETURN NEXT known;
        CONTINUE;
      ELSIF w.closed_at IS NOT NULL THEN
        RETURN NEXT ledger_answer(w, 'closed');
        CONTINUE;
      END IF;
      IF w.balance - w.held < wanted THEN w := ledger_unhold_expired(w); END IF;
      paid := least(wanted, w.balance - w.held);
      IF item ->> 'shortfall' = 'debt' THEN
        IF paid < wanted THEN
          INSERT INTO ledger_debts (idem_key, wallet_id, amount, kind, app_id, ref, at)
          VALUES (item ->> 'key', w.id, wanted - paid, item ->> 'kind', item ->> 'app_id', item ->> 'ref', w.updated_at);
          w.debt := w.debt + wanted - paid;
        END IF;
      ELSIF w.debt > 0 OR paid < wanted THEN
        RETURN NEXT ledger_answer(w, CASE WHEN w.debt > 0 THEN 'in_debt' ELSE 'insufficient' END);
        CONTINUE;
      END IF;
      IF paid > 0 THEN
        t := ledger_take(w, paid, wanted, item);
        w := t.w;
        RETURN NEXT ledger_answer(w, 'done', w.seq, -paid, w.balance, t.share);
      ELSE
        RETURN NEXT ledger_answer(w, 'done', NULL, 0, w.balance);
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
    held_until timestamptz;
    there record;
    h wallet_holds;
    limits spending_limits;
    this_month date := date_trunc('month', w.updated_at AT TIME ZONE 'UTC');
    spending_class text;
    may_spend bigint;
    has_spent bigint;
  BEGIN
    IF w.kind <> 'user' THEN RAISE EXCEPTION 'wallet % pays for no calls', p_wallet; END IF;
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      item := p_items -> i;
      wanted := ledger_amount(item);
      held_until := w.updated_at + (item ->> 'seconds')::int * interval '1 second';
      spending_class := item ->> 'spending_class';
      SELECT (SELECT wallet_holds FROM wallet_holds WHERE id = item ->> 'id') AS hold,
        EXISTS (SELECT FROM ledger_entries WHERE idem_key = coalesce(item ->> 'paid_by', item ->> 'id')) AS is_paid INTO there;
      h := there.hold;
      IF there.is_paid THEN
        RETURN NEXT ledger_answer(w, 'paid');
        CONTINUE;
      ELSIF h.wallet_id <> w.id THEN
        RETURN NEXT ledger_answer(w, 'key_reused');
        CONTINUE;
      ELSIF h.expires_at > w.updated_at THEN
        IF h.amount = wanted THEN
          UPDATE wallet_holds SET expires_at = held_until WHERE id = h.id;
          RETURN NEXT ledger_answer(w, 'done', NULL, wanted);
        ELSE
          RETURN NEXT ledger_answer(w, 'key_reused');
        END IF;
        CONTINUE;
      ELSIF h.id IS NOT NULL THEN
        w := ledger_unhold(w, h, 0);
      END IF;
      IF w.balance - w.held < wanted THEN w := ledger_unhold_expired(w); END IF;
      IF w.closed_at IS NOT NULL OR w.debt > 0 OR w.balance - w.held < wanted THEN
        RETURN NEXT ledger_answer(w, CASE WHEN w.closed_at IS NOT NULL THEN 'closed' WHEN w.debt > 0 THEN 'in_debt' ELSE 'insufficient' END);
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
      INSERT INTO wallet_holds (id, wallet_id, amount, spending_class, spending_month, created_at, expires_at) VALUES (item ->> 'id', w.id, wanted,
        spending_class, CASE WHEN spending_class IS NOT NULL THEN this_month END, w.updated_at, held_until);
      w.held := w.held + wanted;
      RETURN NEXT ledger_answer(w, 'done', NULL, wanted);
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
    known ledger_outcome;
    t record;
    entered wallets;
  BEGIN
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      item := p_items -> i;
      wanted := ledger_amount(item);
      SELECT * INTO h FROM wallet_holds WHERE id = item ->> 'id' AND wallet_id = w.id;
      known := ledger_known(w, item, -wanted);
      IF known.outcome IS NOT NULL THEN
        IF h.id IS NOT NULL THEN w := ledger_unhold(w, h, 0); END IF;
        RETURN NEXT ledger_answer(w, known.outcome, known.seq, known.amount, known.balance_after, known.share);
      ELSIF h.id IS NULL OR h.expires_at <= w.updated_at THEN
        IF h.id IS NOT NULL THEN w := ledger_unhold(w, h, 0); END IF;
        RETURN NEXT ledger_answer(w, 'hold_gone');
      ELSIF wanted > h.amount THEN
        RAISE EXCEPTION 'hold % is of % credits, not of %', h.id, h.amount, wanted USING ERRCODE = 'numeric_value_out_of_range';
      ELSE
        t := ledger_take(w, wanted, wanted, item);
        entered := t.w;
        w := ledger_unhold(entered, h, wanted);
        RETURN NEXT ledger_answer(w, 'done', entered.seq, -wanted, entered.balance, t.share);
      END IF;
    END LOOP;
    PERFORM ledger_save(w);
  END $$;

  CREATE FUNCTION ledger_release(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    h wallet_holds;
  BEGIN
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      SELECT * INTO h FROM wallet_holds WHERE id = p_items -> i ->> 'id' AND wallet_id = w.id;
      IF h.id IS NOT NULL THEN w := ledger_unhold(w, h, 0); END IF;
      RETURN NEXT ledger_answer(w, CASE WHEN h.id IS NULL THEN 'hold_gone' ELSE 'done' END, NULL, h.amount);
    END LOOP;
    PERFORM ledger_save(w);
  END $$;

  -- Takes away what has expired of a wallet, holds and credits.
  CREATE FUNCTION ledger_sweep(p_wallet bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ledger_save(ledger_unhold_expired(ledger_open(p_wallet)));
  END $$;

  -- Gives back what a debit took, or a part of it: the lots that it took last come back first, as they were.
  CREATE FUNCTION ledger_reverse(p_wallet bigint, p_items jsonb) RETURNS SETOF ledger_outcome LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
    item jsonb;
    wanted bigint;
    e ledger_entries;
    given_back bigint;
    unreturned jsonb;
    lots jsonb;
    known ledger_outcome;
  BEGIN
    FOR i IN 0 .. jsonb_array_length(p_items) - 1 LOOP
      item := p_items -> i;
      wanted := ledger_amount(item);
      SELECT * INTO e FROM ledger_entries WHERE wallet_id = w.id AND idem_key = item ->> 'reverses';
      known := ledger_known(w, item, wanted);
      IF known.outcome IS NOT NULL THEN
        IF known.outcome = 'replayed' AND NOT EXISTS (SELECT FROM ledger_entries r
          WHERE r.wallet_id = w.id AND r.seq = known.seq AND r.reverses_seq = e.seq) THEN known := ledger_answer(w, 'key_reused'); END IF;
        RETURN NEXT known;
        CONTINUE;
      END IF;
      SELECT coalesce(sum(r.amount), 0) INTO given_back FROM ledger_entries r WHERE r.wallet_id = w.id AND r.reverses_seq = e.seq;
      IF w.closed_at IS NOT NULL THEN
        RETURN NEXT ledger_answer(w, 'closed');
      ELSIF e.seq IS NULL OR e.amount > 0 OR e.earned_base > 0 OR given_back + wanted > -e.amount THEN
        RETURN NEXT ledger_answer(w, 'not_reversible');
      ELSE
        -- Of what is not given back yet, all but the first is what was taken last.
        unreturned := (wallet_lots_take(e.lots, -e.amount - given_back)).taken;
        lots := (wallet_lots_take(unreturned, -e.amount - given_back - wanted)).rest;
        w.lots := wallet_lots_add(w.lots, lots);
        w := ledger_enter(w, wanted, lots, item || jsonb_build_object('counter', e.counter), e.seq);
        w.next_expiry := least(w.next_expiry, (SELECT min((l ->> 'expires_at')::timestamptz) FROM jsonb_array_elements(lots) AS l));
        RETURN NEXT ledger_answer(w, 'done', w.seq, wanted, w.balance);
      END IF;
    END LOOP;
    PERFORM ledger_save(w);
  END $$;

  -- Nothing comes in or is spent any more, but what is held already. What is left is the platform's.
  CREATE FUNCTION ledger_close(p_wallet bigint) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    w wallets := ledger_open(p_wallet);
  BEGIN
    w.closed_at := coalesce(w.closed_at, w.updated_at);
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
      w := ledger_enter_own(w, one.share, lot, 'commission', 'commission', one.app_id);
    END LOOP;
    PERFORM ledger_save(w);
    RETURN (SELECT coalesce(sum((b ->> 'calls')::integer), 0) FROM jsonb_array_elements(booked) AS b);
  END $$`;
