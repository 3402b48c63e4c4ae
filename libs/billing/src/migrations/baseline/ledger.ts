import type { SchemaPart } from '@platform/persistence';
import * as functions from '../ledger-functions/index.js';

/**
 * Wallets, their entries, holds and debts, and earnings. The database itself refuses:
 *
 * - a balance without the entry that made it: by the foreign key of `wallets` to the last entry,
 *   checked at commit;
 * - a gap, a fork or a wrong sum in the entries of a wallet: by the foreign key of each entry to the
 *   one before;
 * - a balance below zero, holds beyond the balance, lots whose sum is not the balance: by checks;
 * - a change or removal of an entry: by triggers.
 */
export const ledgerPart: SchemaPart = {
  before: [functions.walletLotsTotal],
  tables: `
  CREATE TYPE ledger_outcome AS (outcome text, seq bigint, amount bigint, balance_after bigint, available bigint, share bigint);

  -- Each movement of credits updates the row, so each page leaves room for the next version of it.
  CREATE TABLE wallets (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT wallets_tenant_fkey REFERENCES tenants,
    user_id text NOT NULL CONSTRAINT wallets_user_fkey REFERENCES users,
    kind text NOT NULL CONSTRAINT wallets_kind_check CHECK (kind IN ('user', 'earnings')),
    balance bigint NOT NULL DEFAULT 0
      CONSTRAINT wallets_balance_check CHECK (balance BETWEEN 0 AND 9007199254740991),
    held bigint NOT NULL DEFAULT 0,
    debt bigint NOT NULL DEFAULT 0 CONSTRAINT wallets_debt_check CHECK (debt BETWEEN 0 AND 9007199254740991),
    seq bigint,
    lots jsonb NOT NULL DEFAULT '[]',
    next_expiry timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    closed_at timestamptz,
    -- Balance below which the user is notified (wallet_low_mark). Stored here, so that a debit compares
    -- two numbers of the row and reads nothing else.
    low_mark bigint,
    CONSTRAINT wallets_held_check CHECK (held BETWEEN 0 AND balance),
    -- PostgreSQL does not check a foreign key with a null column.
    CONSTRAINT wallets_first_balance_check CHECK (seq IS NOT NULL OR balance = 0),
    CONSTRAINT wallets_lots_check CHECK (wallet_lots_total(lots) = balance),
    CONSTRAINT wallets_user_kind_key UNIQUE (user_id, kind)
  ) WITH (fillfactor = 50);
  CREATE INDEX wallets_expiry_idx ON wallets (next_expiry) WHERE next_expiry IS NOT NULL;
  CREATE INDEX wallets_tenant_idx ON wallets (tenant_id);

  CREATE TABLE ledger_entries (
    wallet_id bigint CONSTRAINT ledger_entries_wallet_fkey REFERENCES wallets,
    seq bigint CONSTRAINT ledger_entries_seq_check CHECK (seq >= 1),
    prev_seq bigint,
    kind text NOT NULL,
    counter text NOT NULL
      CONSTRAINT ledger_entries_counter_check CHECK (counter IN ('provider', 'plan_grant', 'usage', 'promo',
        'refund', 'dispute', 'expiry', 'adjust', 'commission', 'payout', 'fee', 'closure', 'debt')),
    -- Entries that the ledger makes by itself can be the sum of many movements.
    amount bigint NOT NULL,
    balance_before bigint NOT NULL,
    balance_after bigint NOT NULL,
    lots jsonb NOT NULL,
    idem_key text NOT NULL
      CONSTRAINT ledger_entries_idem_key_check CHECK (length(idem_key) BETWEEN 1 AND 300)
      CONSTRAINT ledger_entries_idem_key_key UNIQUE,
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
    CONSTRAINT ledger_entries_prev_seq_check CHECK (prev_seq IS NOT DISTINCT FROM nullif(seq - 1, 0)),
    CONSTRAINT ledger_entries_amount_check CHECK (amount <> 0 AND abs(amount) <= CASE WHEN kind IN ('expiry',
      'closure', 'debt_payment', 'commission') THEN 9007199254740991 ELSE 1000000000000 END),
    CONSTRAINT ledger_entries_balance_check CHECK (balance_after >= 0 AND balance_after = balance_before + amount),
    CONSTRAINT ledger_entries_lots_check CHECK (wallet_lots_total(lots) = abs(amount)),
    CONSTRAINT ledger_entries_first_check CHECK (seq > 1 OR balance_before = 0),
    CONSTRAINT ledger_entries_share_check CHECK (share BETWEEN 0 AND earned_base AND earned_base <=
      greatest(-amount, 0)),
    CONSTRAINT ledger_entries_developer_check CHECK (earned_base = 0 OR (developer_id IS NOT NULL AND app_id IS NOT
      NULL)),
    CONSTRAINT ledger_entries_pkey PRIMARY KEY (wallet_id, seq),
    CONSTRAINT ledger_entries_balance_key UNIQUE (wallet_id, seq, balance_after),
    CONSTRAINT ledger_entries_chain_fkey FOREIGN KEY (wallet_id, prev_seq, balance_before) REFERENCES ledger_entries
      (wallet_id, seq, balance_after),
    CONSTRAINT ledger_entries_reverses_fkey FOREIGN KEY (wallet_id, reverses_seq) REFERENCES ledger_entries
      (wallet_id, seq)
  );
  CREATE INDEX ledger_entries_reverses_idx ON ledger_entries (wallet_id, reverses_seq) WHERE reverses_seq IS NOT
    NULL;
  CREATE INDEX ledger_entries_app_months_idx ON ledger_entries (wallet_id, app_id) WHERE kind = 'app_subscription';
  CREATE INDEX ledger_entries_recorded_idx ON ledger_entries (recorded_at);
  CREATE INDEX ledger_entries_grants_idx ON ledger_entries (wallet_id, kind, seq) WHERE kind IN
    ('subscription_grant', 'expiry');

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

  CREATE TABLE commission_due (
    wallet_id bigint,
    seq bigint,
    developer_id text NOT NULL,
    CONSTRAINT commission_due_pkey PRIMARY KEY (wallet_id, seq),
    CONSTRAINT commission_due_entry_fkey FOREIGN KEY (wallet_id, seq) REFERENCES ledger_entries (wallet_id, seq)
  );
  CREATE INDEX commission_due_developer_idx ON commission_due (developer_id, wallet_id, seq);

  CREATE TABLE earnings_by_day (
    developer_id text,
    app_id text,
    function text,
    day date,
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
    wallet_id bigint CONSTRAINT spending_wallet_fkey REFERENCES wallets,
    month date,
    class text CONSTRAINT spending_class_check CHECK (class IN ('unattended', 'other_apps')),
    spent bigint NOT NULL CONSTRAINT spending_spent_check CHECK (spent >= 0),
    CONSTRAINT spending_pkey PRIMARY KEY (wallet_id, month, class)
  ) WITH (fillfactor = 70);

  CREATE TABLE app_earnings (
    developer_id text,
    app_id text,
    calls bigint NOT NULL,
    earned_base bigint NOT NULL,
    share bigint NOT NULL,
    CONSTRAINT app_earnings_pkey PRIMARY KEY (developer_id, app_id)
  ) WITH (fillfactor = 70);

  CREATE TABLE forgotten_shares (
    wallet_id bigint,
    seq bigint,
    developer_id text NOT NULL,
    calls integer NOT NULL CONSTRAINT forgotten_shares_calls_check CHECK (calls IN (0, 1)),
    earned_base bigint NOT NULL CONSTRAINT forgotten_shares_base_check CHECK (earned_base >= 0),
    share bigint NOT NULL,
    CONSTRAINT forgotten_shares_share_check CHECK (share BETWEEN 0 AND earned_base),
    CONSTRAINT forgotten_shares_pkey PRIMARY KEY (wallet_id, seq),
    CONSTRAINT forgotten_shares_entry_fkey FOREIGN KEY (wallet_id, seq) REFERENCES ledger_entries (wallet_id, seq)
  );

  ALTER TABLE wallets ADD CONSTRAINT wallets_last_entry_fkey FOREIGN KEY (id, seq, balance)
    REFERENCES ledger_entries (wallet_id, seq, balance_after) DEFERRABLE INITIALLY DEFERRED;`,
  functions: [
    functions.refuseChange,
    functions.walletLotsAdd,
    functions.walletLotsTake,
    functions.ledgerEnter,
    functions.ledgerEnterOwn,
    functions.ledgerTake,
    functions.ledgerExpire,
    functions.ledgerOpen,
    functions.ledgerSave,
    functions.ledgerUnhold,
    functions.ledgerUnholdExpired,
    functions.walletHeld,
    functions.walletAvailable,
    functions.ledgerAmount,
    functions.ledgerAnswer,
    functions.ledgerKnown,
    functions.ledgerCredit,
    functions.ledgerDebit,
    functions.ledgerHold,
    functions.ledgerSettle,
    functions.ledgerRelease,
    functions.ledgerSweep,
    functions.ledgerReverse,
    functions.ledgerClose,
    functions.ledgerBookCommissions,
    functions.appEarningsAdd,
    functions.ledgerDebitPlain,
    functions.ledgerMove,
    functions.walletLotsTakeOf,
    functions.ledgerTakenBack,
    functions.ledgerTakeBack,
    functions.ledgerGiveBack,
    functions.ledgerLockWallets,
    functions.ledgerPayDebt,
    functions.ledgerBookEarnings,
    functions.ledgerOwe,
    functions.ledgerForgetTestCredits,
    functions.ledgerTestShares,
    functions.ledgerForgetTestShares,
  ],
  triggers: `
  CREATE TRIGGER app_prices_refuse_change BEFORE UPDATE OR DELETE ON app_prices FOR EACH ROW EXECUTE FUNCTION
    refuse_change();
  CREATE TRIGGER app_prices_refuse_truncate BEFORE TRUNCATE ON app_prices EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER plans_refuse_change BEFORE UPDATE OR DELETE ON plans FOR EACH ROW EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER plans_refuse_truncate BEFORE TRUNCATE ON plans EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER ledger_entries_refuse_change BEFORE UPDATE OR DELETE ON ledger_entries FOR EACH ROW EXECUTE
    FUNCTION refuse_change();
  CREATE TRIGGER ledger_entries_refuse_truncate BEFORE TRUNCATE ON ledger_entries EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER ledger_debts_refuse_change BEFORE UPDATE OR DELETE ON ledger_debts FOR EACH ROW EXECUTE FUNCTION
    refuse_change();
  CREATE TRIGGER ledger_debts_refuse_truncate BEFORE TRUNCATE ON ledger_debts EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER earnings_by_day_add AFTER INSERT OR UPDATE ON earnings_by_day FOR EACH ROW EXECUTE FUNCTION
    app_earnings_add();
  CREATE TRIGGER forgotten_shares_refuse_change BEFORE UPDATE OR DELETE ON forgotten_shares FOR EACH ROW EXECUTE
    FUNCTION refuse_change();
  CREATE TRIGGER forgotten_shares_refuse_truncate BEFORE TRUNCATE ON forgotten_shares EXECUTE FUNCTION
    refuse_change();
  CREATE TRIGGER ledger_roots_refuse_update BEFORE UPDATE ON ledger_roots FOR EACH ROW WHEN (OLD.mac IS NOT NULL)
    EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER ledger_roots_refuse_delete BEFORE DELETE ON ledger_roots FOR EACH ROW EXECUTE FUNCTION
    refuse_change();
  CREATE TRIGGER ledger_roots_refuse_truncate BEFORE TRUNCATE ON ledger_roots EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER wallet_seals_refuse_change BEFORE UPDATE OR DELETE ON wallet_seals FOR EACH ROW EXECUTE FUNCTION
    refuse_change();
  CREATE TRIGGER wallet_seals_refuse_truncate BEFORE TRUNCATE ON wallet_seals EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER payments_refuse_truncate BEFORE TRUNCATE ON payments EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER payments_from_plan_stays AFTER UPDATE ON payments FOR EACH ROW WHEN ((OLD.from_plan_id,
    OLD.from_plan_version) IS DISTINCT FROM (NEW.from_plan_id, NEW.from_plan_version)) EXECUTE FUNCTION
    refuse_change();
  CREATE TRIGGER payment_refunds_refuse_truncate BEFORE TRUNCATE ON payment_refunds EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER payment_disputes_refuse_delete BEFORE DELETE ON payment_disputes FOR EACH ROW EXECUTE FUNCTION
    refuse_change();
  CREATE TRIGGER payment_disputes_refuse_truncate BEFORE TRUNCATE ON payment_disputes EXECUTE FUNCTION
    refuse_change();
  CREATE TRIGGER auto_topup_consents_refuse_truncate BEFORE TRUNCATE ON auto_topup_consents EXECUTE FUNCTION
    refuse_change();
  CREATE TRIGGER invoices_refuse_change BEFORE UPDATE OR DELETE ON invoices FOR EACH ROW EXECUTE FUNCTION
    refuse_change();
  CREATE TRIGGER invoices_refuse_truncate BEFORE TRUNCATE ON invoices EXECUTE FUNCTION refuse_change();`,
};
