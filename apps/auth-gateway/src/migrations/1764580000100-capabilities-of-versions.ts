import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One name for what a version asks for: `members` are `capabilities`, as the document has called them. No release has read or written the old name. */
export class CapabilitiesOfVersions1764580000100 implements MigrationInterface {
  name = 'CapabilitiesOfVersions1764580000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE app_versions RENAME COLUMN members TO capabilities;
      ALTER TRIGGER app_versions_keep_members ON app_versions RENAME TO app_versions_keep_capabilities;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TRIGGER app_versions_keep_capabilities ON app_versions RENAME TO app_versions_keep_members;
      ALTER TABLE app_versions RENAME COLUMN capabilities TO members;
    `);
  }
}
