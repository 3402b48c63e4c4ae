import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each job that brings an app in line with the Registry asks whether a former app of its id is still to be removed there, and read the whole
 * outbox for it. Safe on a live table: the index is built beside what is written.
 */
export class RemovalsOfApps1764532000100 implements MigrationInterface {
  name = 'RemovalsOfApps1764532000100';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS outbox_removals_idx');
    await runner.query(
      `CREATE INDEX CONCURRENTLY outbox_removals_idx ON outbox ((payload ->> 'app_id')) WHERE queue = 'app-sync' AND payload @> '{"removed": true}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY outbox_removals_idx');
  }
}
