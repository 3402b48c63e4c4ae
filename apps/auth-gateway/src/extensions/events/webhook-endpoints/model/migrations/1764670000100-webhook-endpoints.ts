import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Endpoints of outgoing webhooks, and what is on its way to them. What happened before is sent to nobody.
 *
 * Safe on a live table: all of them are new. Their foreign keys lock `users` and `tenants` against writes until it commits, which is soon; what it waits for them is bounded by `lock_timeout`.
 */
export class WebhookEndpoints1764670000100 implements MigrationInterface {
  name = 'WebhookEndpoints1764670000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_endpoints (
        id text PRIMARY KEY,
        tenant_id text NOT NULL CONSTRAINT webhook_endpoints_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        slot smallint NOT NULL CONSTRAINT webhook_endpoints_slot_check CHECK (slot BETWEEN 1 AND 20),
        all_tenants boolean NOT NULL DEFAULT false,
        url text NOT NULL,
        description text NOT NULL DEFAULT '',
        event_types text[] NOT NULL,
        status text NOT NULL DEFAULT 'enabled' CONSTRAINT webhook_endpoints_status_check CHECK (status IN ('enabled', 'disabled')),
        disabled_reason text CONSTRAINT webhook_endpoints_reason_check CHECK (disabled_reason IN ('by_hand', 'failures', 'gone')),
        sealed_secret text NOT NULL,
        sealed_previous_secret text,
        previous_secret_until timestamptz,
        failing_since timestamptz,
        told_at timestamptz,
        from_position bigint NOT NULL,
        created_by text CONSTRAINT webhook_endpoints_created_by_fkey REFERENCES users ON DELETE SET NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT webhook_endpoints_slot_key UNIQUE (tenant_id, slot),
        CONSTRAINT webhook_endpoints_all_tenants_check CHECK (NOT all_tenants OR tenant_id = 'default'),
        CONSTRAINT webhook_endpoints_disabled_check CHECK ((status = 'disabled') = (disabled_reason IS NOT NULL)),
        CONSTRAINT webhook_endpoints_previous_check CHECK ((sealed_previous_secret IS NULL) = (previous_secret_until IS NULL))
      );
      CREATE INDEX webhook_endpoints_created_by_idx ON webhook_endpoints (created_by);
      CREATE TABLE webhook_endpoint_deliveries (
        id text PRIMARY KEY,
        tenant_id text NOT NULL CONSTRAINT webhook_endpoint_deliveries_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        endpoint_id text NOT NULL CONSTRAINT webhook_endpoint_deliveries_endpoint_fkey REFERENCES webhook_endpoints ON DELETE CASCADE,
        event_id uuid,
        event_type text NOT NULL,
        event_tenant_id text NOT NULL,
        user_id text CONSTRAINT webhook_endpoint_deliveries_user_fkey REFERENCES users ON DELETE CASCADE,
        payload jsonb NOT NULL,
        event_at timestamptz NOT NULL,
        status text NOT NULL DEFAULT 'pending'
          CONSTRAINT webhook_endpoint_deliveries_status_check CHECK (status IN ('pending', 'delivered', 'failed')),
        round integer NOT NULL DEFAULT 1,
        attempts smallint NOT NULL DEFAULT 0,
        next_attempt_at timestamptz DEFAULT now(),
        leased_until timestamptz,
        last_status_code integer,
        last_error text,
        created_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz,
        CONSTRAINT webhook_endpoint_deliveries_event_key UNIQUE (endpoint_id, event_id),
        CONSTRAINT webhook_endpoint_deliveries_pending_check CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
        CONSTRAINT webhook_endpoint_deliveries_finished_check CHECK ((status = 'pending') = (finished_at IS NULL))
      );
      CREATE INDEX webhook_endpoint_deliveries_tenant_idx ON webhook_endpoint_deliveries (tenant_id, endpoint_id, id);
      CREATE INDEX webhook_endpoint_deliveries_status_idx ON webhook_endpoint_deliveries (endpoint_id, status, id);
      CREATE INDEX webhook_endpoint_deliveries_user_idx ON webhook_endpoint_deliveries (user_id);
      CREATE INDEX webhook_endpoint_deliveries_due_idx ON webhook_endpoint_deliveries (next_attempt_at) WHERE status = 'pending';
      CREATE INDEX webhook_endpoint_deliveries_finished_idx ON webhook_endpoint_deliveries (finished_at);
      CREATE TABLE webhook_endpoint_cursors (
        id smallint PRIMARY KEY CONSTRAINT webhook_endpoint_cursors_one_check CHECK (id = 1),
        position bigint NOT NULL
      );
      INSERT INTO webhook_endpoint_cursors SELECT 1, coalesce(max(position), 0) FROM platform_events WHERE position > 0;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_endpoint_cursors, webhook_endpoint_deliveries, webhook_endpoints');
  }
}
