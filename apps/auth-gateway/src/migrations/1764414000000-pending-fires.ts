import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds the firings that have not ended, which are counted before each further one. Safe on a live table: the index is built beside what
 * is written.
 */
export class PendingFires1764414000000 implements MigrationInterface {
  name = 'PendingFires1764414000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS automation_fires_pending_idx');
    await runner.query("CREATE INDEX CONCURRENTLY automation_fires_pending_idx ON automation_fires (rule_id) WHERE status = 'pending'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY automation_fires_pending_idx');
  }
}
