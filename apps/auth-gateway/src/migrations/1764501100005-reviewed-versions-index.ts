import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Of an app one version waits. Safe on a live table: the index is built beside what is written, and no row is in it yet. */
export class ReviewedVersionsIndex1764501100005 implements MigrationInterface {
  name = 'ReviewedVersionsIndex1764501100005';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS deploys_one_waiting_idx');
    await runner.query("CREATE UNIQUE INDEX CONCURRENTLY deploys_one_waiting_idx ON deploys (app_id) WHERE status = 'waiting'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY deploys_one_waiting_idx');
  }
}
