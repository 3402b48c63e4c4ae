import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Bounds what others can make the platform keep. Sessions that were registered are told apart from sign-ins, so that they have room of their
 * own and no sign-in makes way for them; those of before count as sign-ins. Denials of capabilities are counted, so that the audit log has one
 * entry a minute for each. Adds a column with a constant default and a table, so it is safe beside running code.
 */
export class WhatIsKept1764405000000 implements MigrationInterface {
  name = 'WhatIsKept1764405000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sessions ADD COLUMN registered boolean NOT NULL DEFAULT false;

      CREATE TABLE capability_denials (
        tenant_id text NOT NULL CONSTRAINT capability_denials_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        app_id text NOT NULL,
        version text NOT NULL,
        capability text NOT NULL,
        counted_since timestamptz NOT NULL DEFAULT now(),
        recorded_at timestamptz NOT NULL DEFAULT now(),
        unrecorded bigint NOT NULL DEFAULT 0 CONSTRAINT capability_denials_unrecorded_check CHECK (unrecorded >= 0),
        PRIMARY KEY (tenant_id, app_id, version, capability)
      );
      CREATE INDEX capability_denials_counted_idx ON capability_denials (counted_since);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE capability_denials; ALTER TABLE sessions DROP COLUMN registered');
  }
}
