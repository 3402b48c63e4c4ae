import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where a version asks to send requests, which the host of extensions holds it to when it runs. The list is beside the document, whose hash is the identity of
 * the version, and is made when the document is stored. Null, which every row begins with: anywhere, as what was deployed before could. A list
 * stays as it is as long as the content does, or a version that was reviewed would run with another.
 *
 * Safe on a live table: a column without a default, and a trigger that fires only where the list is written. A process of the release before
 * writes no list; where it gives a draft other content, that has the list of what was there, until another version is deployed.
 */
export class HostsOfVersions1764530000100 implements MigrationInterface {
  name = 'HostsOfVersions1764530000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE app_versions ADD COLUMN hosts text[];
      CREATE FUNCTION app_versions_keep_asked() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'What a version asks for never changes.'
          USING ERRCODE = 'check_violation', CONSTRAINT = 'app_versions_immutable_check';
      END
      $$;
      CREATE TRIGGER app_versions_keep_hosts BEFORE UPDATE OF hosts ON app_versions
        FOR EACH ROW WHEN (OLD.sha256 = NEW.sha256 AND OLD.hosts IS DISTINCT FROM NEW.hosts) EXECUTE FUNCTION app_versions_keep_asked();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER app_versions_keep_hosts ON app_versions;
      DROP FUNCTION app_versions_keep_asked;
      ALTER TABLE app_versions DROP COLUMN hosts;
    `);
  }
}
