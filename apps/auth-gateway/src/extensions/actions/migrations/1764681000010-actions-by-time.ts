import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The job that sums up actions reads the newest ones of all users every few seconds. The BRIN index knows nothing of rows since the last VACUUM, and knows less
 * the more space of expired rows is used again. The index is of an expression, so that PostgreSQL does not take it for the order of a list of one user, and
 * reads the newer actions of all others. Safe on a live table: the index is built beside what is written.
 */
export class ActionsByTime1764681000010 implements MigrationInterface {
  name = 'ActionsByTime1764681000010';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS actions_time_idx');
    await runner.query("CREATE INDEX CONCURRENTLY actions_time_idx ON actions ((created_at AT TIME ZONE 'UTC'))");
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS actions_created_idx');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX CONCURRENTLY actions_created_idx ON actions USING brin (created_at)');
    await runner.query('DROP INDEX CONCURRENTLY actions_time_idx');
  }
}
