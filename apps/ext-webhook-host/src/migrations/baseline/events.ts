import type { SchemaPart } from '@platform/persistence';

/** Events of apps, subscriptions and deliveries. */
export const eventsPart: SchemaPart = {
  tables: `
  CREATE TABLE events (
    id uuid CONSTRAINT events_pkey PRIMARY KEY,
    type text NOT NULL,
    tenant_id text NOT NULL,
    user_id text,
    source text NOT NULL,
    data jsonb NOT NULL,
    hop smallint NOT NULL CONSTRAINT events_hop_check CHECK (hop BETWEEN 0 AND 8),
    at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    given_at timestamptz,
    sealed_grant text,
    dropped text
  );
  CREATE INDEX events_created_idx ON events USING brin (created_at);
  CREATE INDEX events_backlog_idx ON events (source) WHERE given_at IS NULL;

  CREATE TABLE event_subscriptions (
    app_id text,
    type text,
    version text NOT NULL,
    sha256 text NOT NULL,
    developer_id text NOT NULL,
    CONSTRAINT event_subscriptions_pkey PRIMARY KEY (app_id, type)
  );
  CREATE INDEX event_subscriptions_type_idx ON event_subscriptions (type);

  CREATE TABLE event_deliveries (
    event_id uuid CONSTRAINT event_deliveries_event_fkey REFERENCES events ON DELETE CASCADE,
    app_id text,
    status text NOT NULL DEFAULT 'pending'
      CONSTRAINT event_deliveries_status_check CHECK (status IN ('pending', 'running', 'succeeded', 'dead')),
    attempts integer NOT NULL DEFAULT 0,
    error text,
    job_id text NOT NULL,
    next_attempt_at timestamptz,
    finished_at timestamptz,
    source text,
    CONSTRAINT event_deliveries_finished_check CHECK ((finished_at IS NOT NULL) = (status IN ('succeeded', 'dead'))),
    CONSTRAINT event_deliveries_pkey PRIMARY KEY (event_id, app_id)
  );
  CREATE INDEX event_deliveries_app_idx ON event_deliveries (app_id, event_id);
  CREATE INDEX event_deliveries_app_status_idx ON event_deliveries (app_id, status, event_id);
  CREATE INDEX event_deliveries_finished_idx ON event_deliveries (finished_at);
  CREATE INDEX event_deliveries_backlog_idx ON event_deliveries (source) WHERE finished_at IS NULL;`,
};
