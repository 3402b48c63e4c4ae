import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Top-ups that happen by themselves, and the mark of each wallet below which its user hears of it. Safe on a live platform: a column without a default, which no function
 * of the ledger writes (`ledger_save` names its columns), triggers that are off until a wallet has a mark, and new tables. Wallets of before get their marks by the
 * next migration. By hand, since TypeORM generates neither functions nor triggers.
 *
 * The mark is a number in the row of the wallet, so that a debit compares two numbers that it has at hand anyway and reads nothing more. What it is made of, the plan and
 * the settings, changes seldom, and whoever changes it pays for that.
 */
export class AutoTopups1764650000400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(MARKS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER wallets_watch_new ON wallets;
      DROP TRIGGER wallets_crossed ON wallets;
      DROP TRIGGER subscriptions_watch_new ON subscriptions;
      DROP TRIGGER subscriptions_watch ON subscriptions;
      DROP TABLE auto_topup_consents, auto_topups, wallet_crossings;
      DROP FUNCTION wallet_watch_new, wallet_crossed, wallet_watch_owner, wallet_watch, wallet_low_mark, consent_refuse_change;
      ALTER TABLE wallets DROP COLUMN low_mark`);
  }
}

const TABLES = `
  ALTER TABLE wallets ADD COLUMN low_mark bigint;

  CREATE TABLE wallet_crossings (
    wallet_id bigint NOT NULL CONSTRAINT wallet_crossings_wallet_fkey REFERENCES wallets,
    seq bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT billing_now(),
    look_at timestamptz NOT NULL DEFAULT billing_now(),
    CONSTRAINT wallet_crossings_pkey PRIMARY KEY (wallet_id, seq)
  );
  CREATE INDEX wallet_crossings_look_idx ON wallet_crossings (look_at);

  CREATE TABLE auto_topups (
    user_id text PRIMARY KEY CONSTRAINT auto_topups_user_fkey REFERENCES users,
    tenant_id text NOT NULL CONSTRAINT auto_topups_tenant_fkey REFERENCES tenants,
    enabled boolean NOT NULL,
    threshold_pct integer NOT NULL CONSTRAINT auto_topups_threshold_check CHECK (threshold_pct BETWEEN 1 AND 50),
    recharge_tokens bigint NOT NULL,
    recharge_cents integer NOT NULL CONSTRAINT auto_topups_recharge_check CHECK (recharge_cents BETWEEN 50 AND 99999999),
    payment_method_id text,
    daily_cap_cents integer NOT NULL,
    monthly_cap_cents integer NOT NULL,
    number integer NOT NULL DEFAULT 1 CONSTRAINT auto_topups_number_check CHECK (number >= 1),
    declines integer NOT NULL DEFAULT 0 CONSTRAINT auto_topups_declines_check CHECK (declines >= 0),
    paused_until timestamptz,
    paused_reason text CONSTRAINT auto_topups_paused_check CHECK (paused_reason IN ('declined', 'frequency', 'daily_cap', 'monthly_cap')),
    stopped_reason text CONSTRAINT auto_topups_stopped_check 
      CHECK (stopped_reason IN ('declined', 'authentication_required', 'card_removed', 'refunded', 'disputed')),
    consented_at timestamptz,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT auto_topups_price_check CHECK (recharge_tokens = recharge_cents::bigint * 10),
    CONSTRAINT auto_topups_caps_check CHECK (recharge_cents <= daily_cap_cents AND daily_cap_cents <= monthly_cap_cents),
    CONSTRAINT auto_topups_pause_check CHECK ((paused_until IS NULL) = (paused_reason IS NULL)),
    CONSTRAINT auto_topups_enabled_check CHECK (NOT enabled OR (consented_at IS NOT NULL AND stopped_reason IS NULL))
  );
  CREATE INDEX auto_topups_tenant_idx ON auto_topups (tenant_id);

  CREATE TABLE auto_topup_consents (
    id text PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT auto_topup_consents_tenant_fkey REFERENCES tenants,
    user_id text NOT NULL CONSTRAINT auto_topup_consents_user_fkey REFERENCES users,
    at timestamptz NOT NULL DEFAULT now(),
    text text NOT NULL,
    settings jsonb NOT NULL,
    given_by text NOT NULL CONSTRAINT auto_topup_consents_given_by_check CHECK (given_by IN ('session', 'service')),
    session_id text,
    card text
  );
  CREATE INDEX auto_topup_consents_user_idx ON auto_topup_consents (user_id, at);
  CREATE INDEX auto_topup_consents_tenant_idx ON auto_topup_consents (tenant_id);

  -- An erasure takes away what tells of the person. What was consented to, and when, stays.
  CREATE FUNCTION consent_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      IF NEW.session_id IS NULL AND NEW.card IS NULL
        AND to_jsonb(NEW) - '{session_id,card}'::text[] = to_jsonb(OLD) - '{session_id,card}'::text[] THEN RETURN NEW; END IF;
    END IF;
    RAISE EXCEPTION 'rows of % are never changed or removed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER auto_topup_consents_refuse_change BEFORE UPDATE OR DELETE ON auto_topup_consents
    FOR EACH ROW EXECUTE FUNCTION consent_refuse_change();
  CREATE TRIGGER auto_topup_consents_refuse_truncate BEFORE TRUNCATE ON auto_topup_consents EXECUTE FUNCTION refuse_change()`;

/**
 * Triggers find what they name also for who writes to a table with another `search_path`.
 *
 * Functions in PL/pgSQL take a snapshot for each of their statements: so what they read after they have locked the wallet is what others committed before.
 */
const MARKS = `
  -- Below what the user hears of it: the threshold of who lets be topped up, a tenth of what the plan brings for all others. Null where that is nothing.
  CREATE FUNCTION wallet_low_mark(p_user text) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT nullif(p.included_tokens * coalesce(a.threshold_pct, 10) / 100, 0)
    FROM (SELECT p_user AS user_id) AS u
      LEFT JOIN subscriptions s ON s.user_id = u.user_id AND s.status IN ('active', 'past_due')
      JOIN plans p ON p.id = coalesce(s.plan_id, 'free')
        AND p.version = coalesce(s.plan_version, (SELECT max(version) FROM plans WHERE id = 'free'))
      LEFT JOIN auto_topups a ON a.user_id = u.user_id AND a.enabled $$;

  -- Of two changes at once the second one waits for the wallet, and then sees the first.
  CREATE FUNCTION wallet_watch(p_user text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM wallets WHERE user_id = p_user AND kind = 'user' FOR NO KEY UPDATE;
    UPDATE wallets w SET low_mark = m.mark FROM (SELECT wallet_low_mark(p_user) AS mark) AS m
    WHERE w.user_id = p_user AND w.kind = 'user' AND w.low_mark IS DISTINCT FROM m.mark;
  END $$;

  CREATE FUNCTION wallet_watch_owner() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    PERFORM wallet_watch(coalesce(NEW.user_id, OLD.user_id));
    RETURN NULL;
  END $$;

  CREATE FUNCTION wallet_watch_new() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    NEW.low_mark := wallet_low_mark(NEW.user_id);
    RETURN NEW;
  END $$;

  CREATE FUNCTION wallet_crossed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    INSERT INTO wallet_crossings (wallet_id, seq) VALUES (NEW.id, coalesce(NEW.seq, 0)) ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$;

  CREATE TRIGGER wallets_watch_new BEFORE INSERT ON wallets FOR EACH ROW WHEN (NEW.kind = 'user') EXECUTE FUNCTION wallet_watch_new();
  -- A mark that rises above the balance is a crossing, too.
  CREATE TRIGGER wallets_crossed AFTER UPDATE ON wallets FOR EACH ROW
    WHEN (NEW.low_mark IS NOT NULL AND NEW.balance < NEW.low_mark AND OLD.balance >= OLD.low_mark) EXECUTE FUNCTION wallet_crossed();
  CREATE TRIGGER subscriptions_watch_new AFTER INSERT ON subscriptions FOR EACH ROW
    WHEN (NEW.status IN ('active', 'past_due')) EXECUTE FUNCTION wallet_watch_owner();
  CREATE TRIGGER subscriptions_watch AFTER UPDATE ON subscriptions FOR EACH ROW
    WHEN ((OLD.plan_id, OLD.plan_version, OLD.status IN ('active', 'past_due'))
      IS DISTINCT FROM (NEW.plan_id, NEW.plan_version, NEW.status IN ('active', 'past_due')))
    EXECUTE FUNCTION wallet_watch_owner();
  CREATE TRIGGER auto_topups_watch AFTER INSERT OR UPDATE OR DELETE ON auto_topups FOR EACH ROW EXECUTE FUNCTION wallet_watch_owner()`;
