import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What of its context (`ctx`) a version asks for, which the host of extensions holds it to when it runs. As the list of its hosts, it is beside the document,
 * is made when that is stored, and stays as it is as long as the content does. Null, which every row begins with: everything, as what was
 * deployed before could.
 *
 * Safe on a live table: a column without a default, and a trigger that fires only where the list is written. A process of the release before
 * writes no list; where it gives a draft other content, that has the list of what was there, until another version is deployed.
 */
export class MembersOfVersions1764560000100 implements MigrationInterface {
  name = 'MembersOfVersions1764560000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE app_versions ADD COLUMN members text[];
      CREATE TRIGGER app_versions_keep_members BEFORE UPDATE OF members ON app_versions
        FOR EACH ROW WHEN (OLD.sha256 = NEW.sha256 AND OLD.members IS DISTINCT FROM NEW.members) EXECUTE FUNCTION app_versions_keep_asked();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER app_versions_keep_members ON app_versions;
      ALTER TABLE app_versions DROP COLUMN members;
    `);
  }
}
