import type { SchemaPart } from '@platform/persistence';

/** Plans, subscriptions and counters of usage. */
export const plansPart: SchemaPart = {
  before: [
    `
  -- Adds months to the anchor and not to the period before: Jan 31, Feb 28, Mar 31.
  CREATE FUNCTION billing_period_start(anchor timestamptz, n integer) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (anchor AT TIME ZONE 'UTC' + make_interval(months => n - 1)) AT TIME ZONE 'UTC' $$`,
  ],
  tables: `
  CREATE TABLE plans (
    id text,
    version integer CONSTRAINT plans_version_check CHECK (version >= 1),
    name text NOT NULL,
    price_cents integer CONSTRAINT plans_price_check CHECK (price_cents >= 0),
    interval text NOT NULL CONSTRAINT plans_interval_check CHECK ("interval" = 'month'),
    included_tokens bigint NOT NULL
      CONSTRAINT plans_included_tokens_check CHECK (included_tokens BETWEEN 0 AND 1000000000000),
    features jsonb NOT NULL,
    limits jsonb NOT NULL,
    rank integer NOT NULL,
    self_service boolean NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT plans_pkey PRIMARY KEY (id, version)
  );

  CREATE TABLE subscriptions (
    id text PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT subscriptions_tenant_fkey REFERENCES tenants,
    user_id text NOT NULL CONSTRAINT subscriptions_user_fkey REFERENCES users,
    plan_id text NOT NULL,
    plan_version integer NOT NULL,
    status text NOT NULL
      CONSTRAINT subscriptions_status_check CHECK (status IN ('incomplete', 'active', 'past_due', 'expired',
        'canceled')),
    started_at timestamptz NOT NULL,
    anchor_at timestamptz NOT NULL,
    period_number integer NOT NULL CONSTRAINT subscriptions_period_number_check CHECK (period_number >= 1),
    period_starts_at timestamptz NOT NULL,
    period_ends_at timestamptz NOT NULL,
    cancel_at_period_end boolean NOT NULL DEFAULT false,
    pending_plan_id text,
    pending_plan_version integer,
    next_attempt_at timestamptz,
    CONSTRAINT subscriptions_period_check CHECK (period_starts_at < period_ends_at),
    CONSTRAINT subscriptions_plan_fkey FOREIGN KEY (plan_id, plan_version) REFERENCES plans (id, version),
    CONSTRAINT subscriptions_pending_plan_check CHECK ((pending_plan_id IS NULL) = (pending_plan_version IS NULL)),
    CONSTRAINT subscriptions_pending_plan_fkey FOREIGN KEY (pending_plan_id, pending_plan_version) REFERENCES plans
      (id, version)
  );
  CREATE UNIQUE INDEX subscriptions_live_key ON subscriptions (user_id) WHERE status IN ('active', 'past_due');
  CREATE INDEX subscriptions_user_idx ON subscriptions (user_id);
  CREATE INDEX subscriptions_tenant_idx ON subscriptions (tenant_id);
  CREATE INDEX subscriptions_period_end_idx ON subscriptions (plan_id, period_ends_at) WHERE status = 'active';
  CREATE INDEX subscriptions_due_idx ON subscriptions (period_ends_at) WHERE status IN ('active', 'past_due') AND
    plan_id <> 'free';

  -- No foreign key to users: the statement that adds a counter locks its user and skips a user
  -- whom an account deletion has locked. The check of a foreign key would wait.
  CREATE TABLE usage_counters (
    user_id text,
    meter text CONSTRAINT usage_counters_meter_check CHECK (length(meter) BETWEEN 1 AND 200),
    period_starts_at timestamptz,
    used bigint NOT NULL DEFAULT 0 CONSTRAINT usage_counters_used_check CHECK (used BETWEEN 0 AND 9007199254740991),
    CONSTRAINT usage_counters_pkey PRIMARY KEY (user_id, meter, period_starts_at)
  ) WITH (fillfactor = 50);
  CREATE INDEX usage_counters_period_idx ON usage_counters (period_starts_at);`,
  functions: [
    `
  -- Number of the period that contains a moment. It depends on whether the start of the period in
  -- the calendar month of the moment has come.
  CREATE FUNCTION billing_period_at(anchor timestamptz, moment timestamptz) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT greatest(1, months + CASE WHEN billing_period_start(anchor, months + 1) <= moment THEN 1 ELSE 0 END)
  FROM (SELECT (12 * (extract(year FROM m) - extract(year FROM a)) + extract(month FROM m) - extract(month FROM a))::integer AS months
        FROM (SELECT anchor AT TIME ZONE 'UTC' AS a, moment AT TIME ZONE 'UTC' AS m) AS utc) AS apart $$`,
  ],
};
