import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a review looks at is a version that exists, and ids of deployed apps are not given to somebody else. The constraint reads the
 * whole of `apps`, which is new and small, so it is safe beside running code.
 */
export class DeveloperPortal1764000003000 implements MigrationInterface {
  name = 'DeveloperPortal1764000003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE apps ADD CONSTRAINT apps_submitted_version_fkey
        FOREIGN KEY (app_id, submitted_version) REFERENCES app_versions (app_id, version);
      CREATE TABLE retired_app_ids (
        app_id text PRIMARY KEY,
        developer_id text NOT NULL CONSTRAINT retired_app_ids_developer_fkey REFERENCES developers,
        retired_at timestamptz NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE retired_app_ids; ALTER TABLE apps DROP CONSTRAINT apps_submitted_version_fkey');
  }
}
