import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What apps did for users and was counted already: a host that asks again counts it once. A new table only, so it is safe on a live platform. */
export class CountedUses1764600000600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE counted_uses (
        app_id text NOT NULL,
        key uuid NOT NULL,
        counted_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT counted_uses_pkey PRIMARY KEY (app_id, key)
      );
      CREATE INDEX counted_uses_counted_idx ON counted_uses (counted_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE counted_uses');
  }
}
