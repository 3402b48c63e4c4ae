import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds what an app had deployed, for `1764418000100`. Safe on a live table: the index is built beside what is written, and no row of a release
 * before is in it.
 */
export class AppsOfDraftsIndex1764418000000 implements MigrationInterface {
  name = 'AppsOfDraftsIndex1764418000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS app_versions_apps_idx');
    await runner.query(`
      CREATE INDEX CONCURRENTLY app_versions_apps_idx ON app_versions USING gin ((narrowing -> 'apps')) WHERE narrowing -> 'apps' IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY app_versions_apps_idx');
  }
}
