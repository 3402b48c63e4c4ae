import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Plans, which subscriptions pin, and the months of subscriptions. New tables and functions only, so it is safe on a live platform. By hand,
 * since TypeORM generates neither functions nor triggers.
 */
export class Plans1764600000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE plans (
        id text NOT NULL,
        version integer NOT NULL CONSTRAINT plans_version_check CHECK (version >= 1),
        name text NOT NULL,
        price_cents integer CONSTRAINT plans_price_check CHECK (price_cents >= 0),
        "interval" text NOT NULL CONSTRAINT plans_interval_check CHECK ("interval" = 'month'),
        included_tokens bigint NOT NULL CONSTRAINT plans_included_tokens_check CHECK (included_tokens BETWEEN 0 AND 1000000000000),
        features jsonb NOT NULL,
        limits jsonb NOT NULL,
        rank integer NOT NULL,
        self_service boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT plans_pkey PRIMARY KEY (id, version)
      );
      CREATE TRIGGER plans_refuse_change BEFORE UPDATE OR DELETE ON plans FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER plans_refuse_truncate BEFORE TRUNCATE ON plans EXECUTE FUNCTION refuse_change();

      CREATE TABLE subscriptions (
        id text PRIMARY KEY,
        tenant_id text NOT NULL CONSTRAINT subscriptions_tenant_fkey REFERENCES tenants,
        user_id text NOT NULL CONSTRAINT subscriptions_user_fkey REFERENCES users,
        plan_id text NOT NULL,
        plan_version integer NOT NULL,
        status text NOT NULL CONSTRAINT subscriptions_status_check
          CHECK (status IN ('incomplete', 'active', 'past_due', 'expired', 'canceled')),
        started_at timestamptz NOT NULL,
        anchor_at timestamptz NOT NULL,
        period_number integer NOT NULL CONSTRAINT subscriptions_period_number_check CHECK (period_number >= 1),
        period_starts_at timestamptz NOT NULL,
        period_ends_at timestamptz NOT NULL,
        cancel_at_period_end boolean NOT NULL DEFAULT false,
        CONSTRAINT subscriptions_plan_fkey FOREIGN KEY (plan_id, plan_version) REFERENCES plans (id, version),
        CONSTRAINT subscriptions_period_check CHECK (period_starts_at < period_ends_at)
      );
      CREATE UNIQUE INDEX subscriptions_live_key ON subscriptions (user_id) WHERE status IN ('active', 'past_due');
      CREATE INDEX subscriptions_user_idx ON subscriptions (user_id);
      CREATE INDEX subscriptions_tenant_idx ON subscriptions (tenant_id);
      CREATE INDEX subscriptions_period_end_idx ON subscriptions (plan_id, period_ends_at) WHERE status = 'active';

      -- Months are added to the anchor and not to the period before: Jan 31, Feb 28, Mar 31.
      CREATE FUNCTION billing_period_start(anchor timestamptz, n integer) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT (anchor AT TIME ZONE 'UTC' + make_interval(months => n - 1)) AT TIME ZONE 'UTC' $$;

      -- The number of the period that holds a moment: the start that is in its calendar month has come, or has not.
      CREATE FUNCTION billing_period_at(anchor timestamptz, moment timestamptz) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT greatest(1, months + CASE WHEN billing_period_start(anchor, months + 1) <= moment THEN 1 ELSE 0 END)
        FROM (SELECT (12 * (extract(year FROM m) - extract(year FROM a)) + extract(month FROM m) - extract(month FROM a))::integer AS months
              FROM (SELECT anchor AT TIME ZONE 'UTC' AS a, moment AT TIME ZONE 'UTC' AS m) AS utc) AS apart $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION billing_period_at(timestamptz, timestamptz);
      DROP FUNCTION billing_period_start(timestamptz, integer);
      DROP TABLE subscriptions;
      DROP TABLE plans;
    `);
  }
}
