import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keeps the row of `1764415000000` the only one of a user and an app. Safe on a live table: the index is built beside what is written, and
 * no row of a release before is in it.
 */
export class InstallNarrowingsUnique1764415000010 implements MigrationInterface {
  name = 'InstallNarrowingsUnique1764415000010';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS install_narrowings_changes_key');
    await runner.query(`
      CREATE UNIQUE INDEX CONCURRENTLY install_narrowings_changes_key ON install_narrowings (tenant_id, user_id, app_id)
        WHERE changes IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY install_narrowings_changes_key');
  }
}
