import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests to webhooks that are answered at once and worked on afterwards. Creates what was not there, so it is safe beside running code. */
export class WebhookInbox1764210000000 implements MigrationInterface {
  name = 'WebhookInbox1764210000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_deliveries (
        id text NOT NULL,
        app_id text NOT NULL,
        path text NOT NULL,
        method text NOT NULL,
        url text NOT NULL,
        headers jsonb NOT NULL,
        body bytea NOT NULL,
        bytes integer NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        attempts integer NOT NULL DEFAULT 0,
        status_code integer,
        error text,
        job_id text NOT NULL,
        received_at timestamptz NOT NULL DEFAULT now(),
        next_attempt_at timestamptz,
        finished_at timestamptz,
        CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
        CONSTRAINT webhook_deliveries_status_check CHECK (status IN ('pending', 'running', 'succeeded', 'dead')),
        CONSTRAINT webhook_deliveries_finished_check CHECK ((finished_at IS NOT NULL) = (status IN ('succeeded', 'dead'))),
        CONSTRAINT webhook_deliveries_size_check CHECK (octet_length(body) <= 10485760)
      );
      -- Bodies are mostly signed and often compressed already; to compress them again costs more than it saves.
      ALTER TABLE webhook_deliveries ALTER COLUMN body SET STORAGE EXTERNAL;
      CREATE INDEX webhook_deliveries_app_idx ON webhook_deliveries (app_id, id);
      CREATE INDEX webhook_deliveries_app_status_idx ON webhook_deliveries (app_id, status, id);
      CREATE INDEX webhook_deliveries_finished_idx ON webhook_deliveries (finished_at);

      CREATE TABLE webhook_inboxes (
        app_id text NOT NULL,
        deliveries integer NOT NULL,
        bytes bigint NOT NULL,
        CONSTRAINT webhook_inboxes_pkey PRIMARY KEY (app_id),
        CONSTRAINT webhook_inboxes_check CHECK (deliveries >= 0 AND bytes >= 0)
      ) WITH (fillfactor = 50);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_deliveries, webhook_inboxes');
  }
}
