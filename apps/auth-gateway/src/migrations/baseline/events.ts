import type { SchemaPart } from '@platform/persistence';

/** Events of the platform, their stream, and outgoing webhooks. */
export const eventsPart: SchemaPart = {
  tables: `
  CREATE SEQUENCE platform_events_insert_seq;
  CREATE SEQUENCE platform_events_position_seq;
  CREATE TABLE platform_events (
    id uuid PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT platform_events_tenant_fkey REFERENCES tenants,
    user_id text CONSTRAINT platform_events_user_fkey REFERENCES users ON DELETE CASCADE,
    source_type text NOT NULL,
    source text NOT NULL,
    type text NOT NULL,
    payload jsonb NOT NULL CONSTRAINT platform_events_payload_check CHECK (octet_length(payload::text) <= 131072),
    hop smallint NOT NULL CONSTRAINT platform_events_hop_check CHECK (hop BETWEEN 0 AND 8),
    at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    scopes text[],
    key jsonb,
    apps text[],
    insert_number bigint NOT NULL DEFAULT nextval('platform_events_insert_seq'::regclass),
    position bigint,
    payload_length integer NOT NULL
  );
  -- For the deletion of old events. Rows are stored in the order of their time, so a write costs
  -- almost nothing.
  CREATE INDEX platform_events_created_idx ON platform_events USING brin (created_at);
  CREATE INDEX platform_events_waiting_idx ON platform_events (insert_number) WHERE position IS NULL;
  CREATE UNIQUE INDEX platform_events_position_idx ON platform_events (position) WHERE position > 0;
  CREATE INDEX platform_events_user_position_idx ON platform_events (user_id, position);

  CREATE TABLE event_stream_processes (
    id text PRIMARY KEY,
    channels integer NOT NULL,
    clients integer NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT event_stream_processes_check CHECK (channels >= 0 AND clients >= 0)
  );

  CREATE TABLE webhook_endpoints (
    id text PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT webhook_endpoints_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
    slot smallint NOT NULL CONSTRAINT webhook_endpoints_slot_check CHECK (slot BETWEEN 1 AND 20),
    all_tenants boolean NOT NULL DEFAULT false,
    url text NOT NULL,
    description text NOT NULL DEFAULT '',
    event_types text[] NOT NULL,
    status text NOT NULL DEFAULT 'enabled'
      CONSTRAINT webhook_endpoints_status_check CHECK (status IN ('enabled', 'disabled')),
    disabled_reason text
      CONSTRAINT webhook_endpoints_reason_check CHECK (disabled_reason IN ('by_hand', 'failures', 'gone')),
    sealed_secret text NOT NULL,
    sealed_previous_secret text,
    previous_secret_until timestamptz,
    failing_since timestamptz,
    told_at timestamptz,
    from_position bigint NOT NULL,
    created_by text CONSTRAINT webhook_endpoints_created_by_fkey REFERENCES users ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT webhook_endpoints_all_tenants_check CHECK (NOT all_tenants OR tenant_id = 'default'),
    CONSTRAINT webhook_endpoints_disabled_check CHECK ((status = 'disabled') = (disabled_reason IS NOT NULL)),
    CONSTRAINT webhook_endpoints_previous_check CHECK ((sealed_previous_secret IS NULL) = (previous_secret_until IS
      NULL)),
    CONSTRAINT webhook_endpoints_slot_key UNIQUE (tenant_id, slot)
  );
  CREATE INDEX webhook_endpoints_created_by_idx ON webhook_endpoints (created_by);

  CREATE TABLE webhook_endpoint_deliveries (
    id text PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT webhook_endpoint_deliveries_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
    endpoint_id text NOT NULL
      CONSTRAINT webhook_endpoint_deliveries_endpoint_fkey REFERENCES webhook_endpoints ON DELETE CASCADE,
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
    CONSTRAINT webhook_endpoint_deliveries_pending_check CHECK ((status = 'pending') = (next_attempt_at IS NOT
      NULL)),
    CONSTRAINT webhook_endpoint_deliveries_finished_check CHECK ((status = 'pending') = (finished_at IS NULL)),
    CONSTRAINT webhook_endpoint_deliveries_event_key UNIQUE (endpoint_id, event_id)
  );
  CREATE INDEX webhook_endpoint_deliveries_tenant_idx ON webhook_endpoint_deliveries (tenant_id, endpoint_id, id);
  CREATE INDEX webhook_endpoint_deliveries_status_idx ON webhook_endpoint_deliveries (endpoint_id, status, id);
  CREATE INDEX webhook_endpoint_deliveries_user_idx ON webhook_endpoint_deliveries (user_id);
  CREATE INDEX webhook_endpoint_deliveries_due_idx ON webhook_endpoint_deliveries (next_attempt_at) WHERE status =
    'pending';
  CREATE INDEX webhook_endpoint_deliveries_finished_idx ON webhook_endpoint_deliveries (finished_at);

  CREATE TABLE webhook_endpoint_cursors (
    id smallint PRIMARY KEY CONSTRAINT webhook_endpoint_cursors_one_check CHECK (id = 1),
    position bigint NOT NULL
  );`,
  functions: [
    `
  CREATE FUNCTION platform_events_place(most integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    placed integer;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('platform_events_place', 0));
    -- A statement of its own, so that it sees the commit of the caller before.
    UPDATE platform_events e SET position = next.position
    FROM (
      SELECT id, nextval('platform_events_position_seq') AS position
      FROM (SELECT id FROM platform_events WHERE position IS NULL ORDER BY insert_number LIMIT most FOR UPDATE SKIP LOCKED) AS waiting
    ) AS next
    WHERE e.id = next.id;
    GET DIAGNOSTICS placed = ROW_COUNT;
    RETURN placed;
  END $$`,
  ],
  rows: 'INSERT INTO webhook_endpoint_cursors VALUES (1, 0)',
};
