import type { SchemaPart } from '@platform/persistence';

/** Requests to webhooks that are answered at once and processed later. */
export const webhooksPart: SchemaPart = {
  tables: `
  CREATE TABLE webhook_deliveries (
    id text,
    app_id text NOT NULL,
    path text NOT NULL,
    method text NOT NULL,
    url text NOT NULL,
    headers jsonb NOT NULL,
    body bytea NOT NULL CONSTRAINT webhook_deliveries_size_check CHECK (octet_length(body) <= 10485760),
    bytes integer NOT NULL,
    status text NOT NULL DEFAULT 'pending'
      CONSTRAINT webhook_deliveries_status_check CHECK (status IN ('pending', 'running', 'succeeded', 'dead')),
    attempts integer NOT NULL DEFAULT 0,
    status_code integer,
    error text,
    job_id text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    next_attempt_at timestamptz,
    finished_at timestamptz,
    channel text NOT NULL
      CONSTRAINT webhook_deliveries_channel_check CHECK (channel IN ('live', 'draft')),
    CONSTRAINT webhook_deliveries_finished_check CHECK ((finished_at IS NOT NULL) = (status IN ('succeeded',
      'dead'))),
    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id)
  );
  CREATE INDEX webhook_deliveries_app_idx ON webhook_deliveries (app_id, id);
  CREATE INDEX webhook_deliveries_app_status_idx ON webhook_deliveries (app_id, status, id);
  CREATE INDEX webhook_deliveries_finished_idx ON webhook_deliveries (finished_at);

  CREATE TABLE webhook_inboxes (
    app_id text,
    deliveries integer NOT NULL,
    bytes bigint NOT NULL,
    CONSTRAINT webhook_inboxes_check CHECK (deliveries >= 0 AND bytes >= 0),
    CONSTRAINT webhook_inboxes_pkey PRIMARY KEY (app_id)
  ) WITH (fillfactor = 50);`,
};
