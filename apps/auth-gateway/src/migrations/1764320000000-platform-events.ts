import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events of the bus, which are kept for two days. Creates what was not there, so it is safe beside running code. */
export class PlatformEvents1764320000000 implements MigrationInterface {
  name = 'PlatformEvents1764320000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE platform_events (
        id uuid PRIMARY KEY,
        tenant_id text NOT NULL CONSTRAINT platform_events_tenant_fkey REFERENCES tenants,
        user_id text CONSTRAINT platform_events_user_fkey REFERENCES users ON DELETE CASCADE,
        source_type text NOT NULL,
        source text NOT NULL,
        type text NOT NULL,
        payload jsonb NOT NULL,
        hop smallint NOT NULL CONSTRAINT platform_events_hop_check CHECK (hop BETWEEN 0 AND 8),
        at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX platform_events_user_idx ON platform_events (user_id);
      -- For what is deleted after a time: rows lie in the order in which they came, so that this costs a write next to nothing.
      CREATE INDEX platform_events_created_idx ON platform_events USING brin (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE platform_events');
  }
}
