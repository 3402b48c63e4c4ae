import type { SchemaPart } from '@platform/persistence';

/** Payments, refunds, disputes, cards, events of the payment provider, and automatic top-ups. */
export const paymentsPart: SchemaPart = {
  tables: `
  CREATE TABLE billing_customers (
    user_id text CONSTRAINT billing_customers_user_fkey REFERENCES users,
    tenant_id text NOT NULL CONSTRAINT billing_customers_tenant_fkey REFERENCES tenants,
    provider_customer_id text NOT NULL CONSTRAINT billing_customers_provider_key UNIQUE,
    is_live boolean,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT billing_customers_pkey PRIMARY KEY (user_id, is_live)
  );
  CREATE INDEX billing_customers_tenant_idx ON billing_customers (tenant_id);

  CREATE TABLE payments (
    id text PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT payments_tenant_fkey REFERENCES tenants,
    user_id text NOT NULL CONSTRAINT payments_user_fkey REFERENCES users,
    purpose text NOT NULL
      CONSTRAINT payments_purpose_check CHECK (purpose IN ('topup', 'auto_topup', 'checkout', 'upgrade', 'renewal')),
    scope text NOT NULL,
    attempt integer NOT NULL DEFAULT 1 CONSTRAINT payments_attempt_check CHECK (attempt >= 1),
    status text NOT NULL
      CONSTRAINT payments_status_check CHECK (status IN ('created', 'open', 'processing', 'unknown', 'canceling',
        'succeeded', 'failed', 'canceled')),
    amount_cents integer NOT NULL CONSTRAINT payments_amount_check CHECK (amount_cents BETWEEN 50 AND 99999999),
    currency text NOT NULL,
    credits bigint NOT NULL DEFAULT 0 CONSTRAINT payments_credits_check CHECK (credits BETWEEN 0 AND 1000000000000),
    is_live boolean NOT NULL,
    is_off_session boolean NOT NULL DEFAULT false,
    keeps_card boolean NOT NULL DEFAULT false,
    payment_method_id text,
    provider_intent_id text CONSTRAINT payments_intent_key UNIQUE,
    request_id text CONSTRAINT payments_request_key UNIQUE,
    subscription_id text CONSTRAINT payments_subscription_fkey REFERENCES subscriptions,
    plan_id text,
    plan_version integer,
    period_number integer,
    failure_code text,
    failure_message text,
    receipt_url text,
    refunded_cents integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    completed_at timestamptz,
    checked_at timestamptz NOT NULL DEFAULT now(),
    returning_cents integer NOT NULL DEFAULT 0,
    from_plan_id text,
    from_plan_version integer,
    forgotten_at timestamptz,
    CONSTRAINT payments_refunded_check CHECK (refunded_cents BETWEEN 0 AND amount_cents),
    CONSTRAINT payments_succeeded_check CHECK (status <> 'succeeded' OR (provider_intent_id IS NOT NULL AND
      completed_at IS NOT NULL)),
    CONSTRAINT payments_scope_attempt_key UNIQUE (scope, attempt),
    CONSTRAINT payments_returning_check CHECK (returning_cents BETWEEN refunded_cents AND amount_cents),
    CONSTRAINT payments_plan_check CHECK (num_nonnulls(subscription_id, plan_id, plan_version, period_number) = CASE
      WHEN purpose IN ('topup', 'auto_topup') THEN 0 ELSE 4 END),
    CONSTRAINT payments_topup_check CHECK (purpose NOT IN ('topup', 'auto_topup') OR credits > 0),
    CONSTRAINT payments_card_check CHECK (NOT is_off_session OR payment_method_id IS NOT NULL),
    CONSTRAINT payments_completed_check CHECK ((completed_at IS NOT NULL) = (status IN ('succeeded', 'failed',
      'canceled'))),
    CONSTRAINT payments_plan_fkey FOREIGN KEY (plan_id, plan_version) REFERENCES plans (id, version),
    CONSTRAINT payments_from_plan_check CHECK (num_nonnulls(from_plan_id, from_plan_version) = CASE WHEN
      purpose = 'upgrade' THEN 2 ELSE 0 END),
    CONSTRAINT payments_forgotten_check CHECK (forgotten_at IS NULL OR NOT is_live)
  );
  CREATE UNIQUE INDEX payments_live_key ON payments (scope) WHERE status IN ('created', 'open', 'processing',
    'unknown', 'canceling', 'succeeded');
  CREATE UNIQUE INDEX payments_open_key ON payments (user_id, purpose) WHERE status IN ('created', 'open') AND NOT
    is_off_session;
  CREATE INDEX payments_user_idx ON payments (user_id, created_at, id);
  CREATE INDEX payments_tenant_idx ON payments (tenant_id);
  CREATE INDEX payments_unsettled_idx ON payments (checked_at) WHERE status IN ('created', 'open', 'processing',
    'unknown', 'canceling');
  CREATE INDEX payments_subscription_idx ON payments (subscription_id, period_number) WHERE subscription_id IS NOT
    NULL;
  CREATE INDEX payments_unpaid_idx ON payments (completed_at) WHERE status IN ('failed', 'canceled');

  CREATE TABLE payment_methods (
    id text PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT payment_methods_tenant_fkey REFERENCES tenants,
    user_id text NOT NULL CONSTRAINT payment_methods_user_fkey REFERENCES users,
    is_live boolean NOT NULL,
    type text NOT NULL,
    brand text NOT NULL,
    last4 text NOT NULL,
    exp_month integer NOT NULL,
    exp_year integer NOT NULL,
    is_default boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    expiry_told boolean NOT NULL DEFAULT false,
    removing_at timestamptz
  );
  CREATE UNIQUE INDEX payment_methods_default_key ON payment_methods (user_id, is_live) WHERE is_default;
  CREATE INDEX payment_methods_user_idx ON payment_methods (user_id, created_at, id);
  CREATE INDEX payment_methods_tenant_idx ON payment_methods (tenant_id);
  CREATE INDEX payment_methods_expiry_idx ON payment_methods (exp_year, exp_month) WHERE NOT expiry_told;

  CREATE TABLE payment_refunds (
    id text PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT payment_refunds_tenant_fkey REFERENCES tenants,
    payment_id text NOT NULL CONSTRAINT payment_refunds_payment_fkey REFERENCES payments,
    number integer NOT NULL CONSTRAINT payment_refunds_number_check CHECK (number >= 1),
    amount_cents integer NOT NULL CONSTRAINT payment_refunds_amount_check CHECK (amount_cents >= 1),
    reason text NOT NULL
      CONSTRAINT payment_refunds_reason_check CHECK (reason IN ('requested', 'not_deliverable', 'provider')),
    status text NOT NULL
      CONSTRAINT payment_refunds_status_check CHECK (status IN ('requested', 'pending', 'succeeded', 'failed')),
    note text,
    provider_refund_id text CONSTRAINT payment_refunds_provider_key UNIQUE,
    request_id text CONSTRAINT payment_refunds_request_key UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    completed_at timestamptz,
    credits bigint NOT NULL DEFAULT 0
      CONSTRAINT payment_refunds_credits_check CHECK (credits BETWEEN 0 AND 1000000000000),
    debt bigint NOT NULL DEFAULT 0,
    failure text,
    checked_at timestamptz NOT NULL DEFAULT now(),
    movements integer NOT NULL DEFAULT 0 CONSTRAINT payment_refunds_movements_check CHECK (movements >= 0),
    CONSTRAINT payment_refunds_payment_number_key UNIQUE (payment_id, number),
    CONSTRAINT payment_refunds_debt_check CHECK (debt BETWEEN 0 AND credits)
  );
  CREATE INDEX payment_refunds_tenant_idx ON payment_refunds (tenant_id);
  CREATE INDEX payment_refunds_open_idx ON payment_refunds (created_at) WHERE status IN ('requested', 'pending');

  CREATE TABLE inbound_events (
    provider text,
    event_id text,
    type text NOT NULL,
    object_id text NOT NULL,
    intent_id text,
    received_at timestamptz NOT NULL DEFAULT now(),
    handled_at timestamptz,
    checked_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT inbound_events_pkey PRIMARY KEY (provider, event_id)
  );
  CREATE INDEX inbound_events_received_idx ON inbound_events (received_at);
  CREATE INDEX inbound_events_open_idx ON inbound_events (received_at) WHERE handled_at IS NULL;

  CREATE TABLE payment_mails (
    payment_id text CONSTRAINT payment_mails_payment_fkey REFERENCES payments ON DELETE CASCADE,
    status text,
    CONSTRAINT payment_mails_pkey PRIMARY KEY (payment_id, status)
  );

  CREATE TABLE payment_disputes (
    id text PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT payment_disputes_tenant_fkey REFERENCES tenants,
    payment_id text NOT NULL CONSTRAINT payment_disputes_payment_fkey REFERENCES payments,
    provider_dispute_id text NOT NULL CONSTRAINT payment_disputes_provider_key UNIQUE,
    amount_cents integer NOT NULL CONSTRAINT payment_disputes_amount_check CHECK (amount_cents >= 1),
    status text NOT NULL
      CONSTRAINT payment_disputes_status_check CHECK (status IN ('warning_needs_response', 'warning_under_review',
        'warning_closed', 'needs_response', 'under_review', 'lost', 'won', 'prevented')),
    reason text NOT NULL,
    credits bigint NOT NULL DEFAULT 0
      CONSTRAINT payment_disputes_credits_check CHECK (credits BETWEEN 0 AND 1000000000000),
    debt bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    taken_at timestamptz,
    returned_at timestamptz,
    closed_at timestamptz,
    movements integer NOT NULL DEFAULT 0 CONSTRAINT payment_disputes_movements_check CHECK (movements >= 0),
    CONSTRAINT payment_disputes_debt_check CHECK (debt BETWEEN 0 AND credits),
    CONSTRAINT payment_disputes_taken_check CHECK (taken_at IS NOT NULL OR (credits = 0 AND returned_at IS NULL))
  );
  CREATE INDEX payment_disputes_tenant_idx ON payment_disputes (tenant_id);
  CREATE INDEX payment_disputes_payment_idx ON payment_disputes (payment_id);

  CREATE TABLE wallet_crossings (
    wallet_id bigint CONSTRAINT wallet_crossings_wallet_fkey REFERENCES wallets,
    seq bigint,
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
    recharge_cents integer NOT NULL
      CONSTRAINT auto_topups_recharge_check CHECK (recharge_cents BETWEEN 50 AND 99999999),
    payment_method_id text,
    daily_cap_cents integer NOT NULL,
    monthly_cap_cents integer NOT NULL,
    number integer NOT NULL DEFAULT 1 CONSTRAINT auto_topups_number_check CHECK (number >= 1),
    declines integer NOT NULL DEFAULT 0 CONSTRAINT auto_topups_declines_check CHECK (declines >= 0),
    paused_until timestamptz,
    paused_reason text
      CONSTRAINT auto_topups_paused_check CHECK (paused_reason IN ('declined', 'frequency', 'daily_cap',
        'monthly_cap')),
    stopped_reason text
      CONSTRAINT auto_topups_stopped_check CHECK (stopped_reason IN ('declined', 'authentication_required',
        'card_removed', 'refunded', 'disputed')),
    consented_at timestamptz,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT auto_topups_price_check CHECK (recharge_tokens = recharge_cents::bigint * 10),
    CONSTRAINT auto_topups_caps_check CHECK (recharge_cents <= daily_cap_cents AND daily_cap_cents <=
      monthly_cap_cents),
    CONSTRAINT auto_topups_pause_check CHECK ((paused_until IS NULL) = (paused_reason IS NULL)),
    CONSTRAINT auto_topups_enabled_check CHECK (NOT enabled OR (consented_at IS NOT NULL AND stopped_reason IS
      NULL))
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

  CREATE TABLE payment_balance_checks (
    singleton boolean
      CONSTRAINT payment_balance_checks_pkey PRIMARY KEY DEFAULT true
      CONSTRAINT payment_balance_checks_one_row_check CHECK (singleton),
    checked_at timestamptz NOT NULL,
    agrees_until timestamptz NOT NULL,
    movements integer NOT NULL,
    differences integer NOT NULL
  );

  CREATE TABLE payment_declines (
    attempt_id text CONSTRAINT payment_declines_pkey PRIMARY KEY,
    user_id text NOT NULL CONSTRAINT payment_declines_user_fkey REFERENCES users,
    intent_id text NOT NULL,
    declined_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX payment_declines_user_idx ON payment_declines (user_id, declined_at);
  CREATE INDEX payment_declines_intent_idx ON payment_declines (intent_id);
  CREATE INDEX payment_declines_expiry_idx ON payment_declines (declined_at);

  CREATE TABLE former_billing_customers (
    provider_customer_id text CONSTRAINT former_billing_customers_pkey PRIMARY KEY,
    user_id text NOT NULL CONSTRAINT former_billing_customers_user_fkey REFERENCES users,
    tenant_id text NOT NULL CONSTRAINT former_billing_customers_tenant_fkey REFERENCES tenants,
    is_live boolean NOT NULL,
    gone_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX former_billing_customers_user_idx ON former_billing_customers (user_id, is_live);
  CREATE INDEX former_billing_customers_tenant_idx ON former_billing_customers (tenant_id);`,
  functions: [
    `
  CREATE FUNCTION payment_refunds_count() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    steps text[] := '{requested,pending,succeeded,failed}';
    -- Of the old row.
    was_returning integer := 0;
    was_refunded integer := 0;
  BEGIN
    IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'refunds are never removed' USING ERRCODE = 'restrict_violation'; END IF;
    IF TG_OP = 'UPDATE' THEN
      IF (OLD.id, OLD.payment_id, OLD.number, OLD.amount_cents, OLD.reason) IS DISTINCT FROM (NEW.id, NEW.payment_id, NEW.number, NEW.amount_cents, NEW.reason)
        OR OLD.provider_refund_id <> NEW.provider_refund_id OR NEW.provider_refund_id IS NULL AND OLD.provider_refund_id IS NOT NULL
        OR array_position(steps, NEW.status) < array_position(steps, OLD.status) THEN
        RAISE EXCEPTION 'a refund stays what it is' USING ERRCODE = 'restrict_violation';
      END IF;
      was_returning := CASE WHEN OLD.status <> 'failed' THEN OLD.amount_cents ELSE 0 END;
      was_refunded := CASE WHEN OLD.status = 'succeeded' THEN OLD.amount_cents ELSE 0 END;
      IF OLD.status = NEW.status THEN RETURN NULL; END IF;
    END IF;
    UPDATE payments SET
      returning_cents = returning_cents - was_returning + CASE WHEN NEW.status <> 'failed' THEN NEW.amount_cents ELSE 0 END,
      refunded_cents = refunded_cents - was_refunded + CASE WHEN NEW.status = 'succeeded' THEN NEW.amount_cents ELSE 0 END
    WHERE id = NEW.payment_id;
    RETURN NULL;
  END $$`,
    `
  -- An account deletion removes personal data from a consent. Its text and its time stay.
  CREATE FUNCTION consent_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      IF NEW.session_id IS NULL AND NEW.card IS NULL
        AND to_jsonb(NEW) - '{session_id,card}'::text[] = to_jsonb(OLD) - '{session_id,card}'::text[] THEN RETURN NEW; END IF;
    END IF;
    RAISE EXCEPTION 'rows of % are never changed or removed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END $$`,
    `
  -- Balance below which the user is notified: the threshold of automatic top-ups if the user has
  -- them, else a tenth of the credits of the plan. Null if that is zero.
  CREATE FUNCTION wallet_low_mark(p_user text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT nullif(p.included_tokens * coalesce(a.threshold_pct, 10) / 100, 0)
  FROM (SELECT p_user AS user_id) AS u
    LEFT JOIN subscriptions s ON s.user_id = u.user_id AND s.status IN ('active', 'past_due')
    JOIN plans p ON p.id = coalesce(s.plan_id, 'free')
      AND p.version = coalesce(s.plan_version, (SELECT max(version) FROM plans WHERE id = 'free'))
    LEFT JOIN auto_topups a ON a.user_id = u.user_id AND a.enabled $$`,
    `
  -- If two changes come at once, the second one waits for the wallet, and then sees the first one.
  CREATE FUNCTION wallet_watch(p_user text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM wallets WHERE user_id = p_user AND kind = 'user' FOR NO KEY UPDATE;
    UPDATE wallets w SET low_mark = m.mark FROM (SELECT wallet_low_mark(p_user) AS mark) AS m
    WHERE w.user_id = p_user AND w.kind = 'user' AND w.low_mark IS DISTINCT FROM m.mark;
  END $$`,
    `
  CREATE FUNCTION wallet_watch_owner() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    PERFORM wallet_watch(coalesce(NEW.user_id, OLD.user_id));
    RETURN NULL;
  END $$`,
    `
  CREATE FUNCTION wallet_watch_new() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    NEW.low_mark := wallet_low_mark(NEW.user_id);
    RETURN NEW;
  END $$`,
    `
  CREATE FUNCTION wallet_crossed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    INSERT INTO wallet_crossings (wallet_id, seq) VALUES (NEW.id, coalesce(NEW.seq, 0)) ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$`,
    `
  CREATE FUNCTION payments_refuse_change() RETURNS trigger LANGUAGE plpgsql SET TimeZone TO 'UTC' AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      IF OLD.status NOT IN ('failed', 'canceled') OR OLD.completed_at > now() - interval '180 days' THEN RAISE EXCEPTION 'this payment may not be removed' USING ERRCODE = 'restrict_violation'; END IF;
      RETURN NULL;
    END IF;
    IF (OLD.id, OLD.tenant_id, OLD.user_id, OLD.purpose, OLD.attempt, OLD.amount_cents, OLD.currency, OLD.credits, OLD.is_live, OLD.is_off_session, OLD.plan_id, OLD.plan_version)
        IS DISTINCT FROM (NEW.id, NEW.tenant_id, NEW.user_id, NEW.purpose, NEW.attempt, NEW.amount_cents, NEW.currency, NEW.credits, NEW.is_live, NEW.is_off_session, NEW.plan_id,
          NEW.plan_version)
      OR NEW.scope NOT IN (OLD.scope, 'again:' || OLD.id)
      OR OLD.provider_intent_id IS NOT NULL AND NEW.provider_intent_id IS DISTINCT FROM OLD.provider_intent_id
      OR NEW.request_id IS NOT NULL AND NEW.request_id IS DISTINCT FROM OLD.request_id
      OR OLD.status = 'succeeded' AND NEW.status <> 'succeeded'
      OR OLD.status IN ('failed', 'canceled') AND NEW.status NOT IN (OLD.status, 'succeeded') THEN
      RAISE EXCEPTION 'a payment stays what it is' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
  END $$`,
  ],
  triggers: `
  CREATE TRIGGER subscriptions_watch_new AFTER INSERT ON subscriptions FOR EACH ROW WHEN (NEW.status IN ('active',
    'past_due')) EXECUTE FUNCTION wallet_watch_owner();
  CREATE TRIGGER subscriptions_watch AFTER UPDATE ON subscriptions FOR EACH ROW WHEN ((OLD.plan_id,
    OLD.plan_version, OLD.status IN ('active', 'past_due')) IS DISTINCT FROM (NEW.plan_id, NEW.plan_version,
    NEW.status IN ('active', 'past_due'))) EXECUTE FUNCTION wallet_watch_owner();
  CREATE TRIGGER wallets_watch_new BEFORE INSERT ON wallets FOR EACH ROW WHEN (NEW.kind = 'user') EXECUTE FUNCTION
    wallet_watch_new();
  -- A mark that rises above the balance is a crossing, too.
  CREATE TRIGGER wallets_crossed AFTER UPDATE ON wallets FOR EACH ROW WHEN (NEW.low_mark IS NOT NULL AND NEW.balance
    < NEW.low_mark AND OLD.balance >= OLD.low_mark) EXECUTE FUNCTION wallet_crossed();
  CREATE TRIGGER payments_refuse_change AFTER UPDATE OR DELETE ON payments FOR EACH ROW EXECUTE FUNCTION
    payments_refuse_change();
  CREATE TRIGGER payment_refunds_count AFTER INSERT OR UPDATE OR DELETE ON payment_refunds FOR EACH ROW EXECUTE
    FUNCTION payment_refunds_count();
  CREATE TRIGGER auto_topups_watch AFTER INSERT OR UPDATE OR DELETE ON auto_topups FOR EACH ROW EXECUTE FUNCTION
    wallet_watch_owner();
  CREATE TRIGGER auto_topup_consents_refuse_change BEFORE UPDATE OR DELETE ON auto_topup_consents FOR EACH ROW
    EXECUTE FUNCTION consent_refuse_change();`,
};
