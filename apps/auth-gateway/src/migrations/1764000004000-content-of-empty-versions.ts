import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A version that was deployed without content may get it, once; then the Registry has to be seen to hold that before it is served.
 * Replaces a function of a trigger, which is safe beside running code: the old code never changes a version.
 */
export class ContentOfEmptyVersions1764000004000 implements MigrationInterface {
  name = 'ContentOfEmptyVersions1764000004000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION app_versions_keep() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (OLD.app_id, OLD.version) <> (NEW.app_id, NEW.version) OR OLD.document IS NOT NULL
            OR OLD.manifest -> 'tools' <> '[]' OR OLD.manifest -> 'skeleton_sections' <> '[]' THEN
          RAISE EXCEPTION 'A version of an app never changes.' USING ERRCODE = 'check_violation', CONSTRAINT = 'app_versions_immutable_check';
        END IF;
        IF NEW.registry_held_at IS NOT NULL OR EXISTS (SELECT FROM apps WHERE app_id = NEW.app_id AND served_version = NEW.version) THEN
          RAISE EXCEPTION 'Version % of % is served.', NEW.version, NEW.app_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'apps_served_held_check';
        END IF;
        RETURN NEW;
      END
      $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION app_versions_keep() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'A version of an app never changes.' USING ERRCODE = 'check_violation', CONSTRAINT = 'app_versions_immutable_check';
      END
      $$`);
  }
}
