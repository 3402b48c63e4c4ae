import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payments, refunds, cards, whom the provider knows, and its events. New tables only, so it is safe on a live platform. */
export class Payments1764650000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE billing_customers (
        user_id text NOT NULL CONSTRAINT billing_customers_user_fkey REFERENCES users,
        tenant_id text NOT NULL CONSTRAINT billing_customers_tenant_fkey REFERENCES tenants,
        provider_customer_id text NOT NULL CONSTRAINT billing_customers_provider_key UNIQUE,
        is_live boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT billing_customers_pkey PRIMARY KEY (user_id, is_live)
      );
      CREATE INDEX billing_customers_tenant_idx ON billing_customers (tenant_id);

      CREATE TABLE payments (
        id text PRIMARY KEY,
        tenant_id text NOT NULL CONSTRAINT payments_tenant_fkey REFERENCES tenants,
        user_id text NOT NULL CONSTRAINT payments_user_fkey REFERENCES users,
        purpose text NOT NULL CONSTRAINT payments_purpose_check CHECK (purpose IN ('topup', 'auto_topup', 'checkout', 'upgrade', 'renewal')),
        scope text NOT NULL,
        attempt integer NOT NULL DEFAULT 1 CONSTRAINT payments_attempt_check CHECK (attempt >= 1),
        status text NOT NULL CONSTRAINT payments_status_check
          CHECK (status IN ('created', 'open', 'processing', 'unknown', 'canceling', 'succeeded', 'failed', 'canceled')),
        amount_cents integer NOT NULL CONSTRAINT payments_amount_check CHECK (amount_cents BETWEEN 50 AND 99999999),
        currency text NOT NULL,
        credits bigint NOT NULL DEFAULT 0 CONSTRAINT payments_credits_check CHECK (credits BETWEEN 0 AND 1000000000000),
        is_live boolean NOT NULL,
        is_off_session boolean NOT NULL DEFAULT false,
        keeps_card boolean NOT NULL DEFAULT false,
        payment_method_id text,
        provider_intent_id text CONSTRAINT payments_intent_key UNIQUE,
        request_id text CONSTRAINT payments_request_key UNIQUE,
        subscription_id text,
        plan_id text,
        plan_version integer,
        period_number integer,
        failure_code text,
        failure_message text,
        receipt_url text,
        refunded_cents integer NOT NULL DEFAULT 0 CONSTRAINT payments_refunded_check CHECK (refunded_cents BETWEEN 0 AND amount_cents),
        created_at timestamptz NOT NULL DEFAULT now(),
        completed_at timestamptz,
        checked_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT payments_scope_attempt_key UNIQUE (scope, attempt),
        CONSTRAINT payments_succeeded_check CHECK (status <> 'succeeded' OR (provider_intent_id IS NOT NULL AND completed_at IS NOT NULL))
      );
      CREATE UNIQUE INDEX payments_live_key ON payments (scope)
        WHERE status IN ('created', 'open', 'processing', 'unknown', 'canceling', 'succeeded');
      CREATE UNIQUE INDEX payments_open_key ON payments (user_id, purpose) WHERE status IN ('created', 'open') AND NOT is_off_session;
      CREATE INDEX payments_user_idx ON payments (user_id, created_at, id);
      CREATE INDEX payments_tenant_idx ON payments (tenant_id);
      CREATE INDEX payments_unsettled_idx ON payments (checked_at)
        WHERE status IN ('created', 'open', 'processing', 'unknown', 'canceling');

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
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX payment_methods_default_key ON payment_methods (user_id, is_live) WHERE is_default;
      CREATE INDEX payment_methods_user_idx ON payment_methods (user_id, created_at, id);
      CREATE INDEX payment_methods_tenant_idx ON payment_methods (tenant_id);

      CREATE TABLE payment_refunds (
        id text PRIMARY KEY,
        tenant_id text NOT NULL CONSTRAINT payment_refunds_tenant_fkey REFERENCES tenants,
        payment_id text NOT NULL CONSTRAINT payment_refunds_payment_fkey REFERENCES payments,
        number integer NOT NULL CONSTRAINT payment_refunds_number_check CHECK (number >= 1),
        amount_cents integer NOT NULL CONSTRAINT payment_refunds_amount_check CHECK (amount_cents >= 1),
        reason text NOT NULL CONSTRAINT payment_refunds_reason_check CHECK (reason IN ('requested', 'not_deliverable', 'provider')),
        status text NOT NULL CONSTRAINT payment_refunds_status_check CHECK (status IN ('requested', 'pending', 'succeeded', 'failed')),
        note text,
        provider_refund_id text CONSTRAINT payment_refunds_provider_key UNIQUE,
        request_id text CONSTRAINT payment_refunds_request_key UNIQUE,
        created_at timestamptz NOT NULL DEFAULT now(),
        completed_at timestamptz,
        CONSTRAINT payment_refunds_payment_number_key UNIQUE (payment_id, number)
      );
      CREATE INDEX payment_refunds_tenant_idx ON payment_refunds (tenant_id);
      CREATE INDEX payment_refunds_open_idx ON payment_refunds (created_at) WHERE status IN ('requested', 'pending');

      CREATE TABLE inbound_events (
        provider text NOT NULL,
        event_id text NOT NULL,
        type text NOT NULL,
        object_id text NOT NULL,
        intent_id text,
        received_at timestamptz NOT NULL DEFAULT now(),
        handled_at timestamptz,
        CONSTRAINT inbound_events_pkey PRIMARY KEY (provider, event_id)
      );
      CREATE INDEX inbound_events_received_idx ON inbound_events (received_at);
      CREATE INDEX inbound_events_open_idx ON inbound_events (received_at) WHERE handled_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE inbound_events, payment_refunds, payment_methods, payments, billing_customers');
  }
}
