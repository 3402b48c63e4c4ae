import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A version of a draft may be deployed with other content: only its developer runs it. Of an app that others use, or that is under review, a version
 * stays as it is. A version that got other content says so, since the Registry may still hold what it had before, and what its last
 * document said of the app. Two columns without a default and a function of a trigger: safe beside running code, which changes no version that has
 * content.
 */
export class ReplacedVersions1764501000000 implements MigrationInterface {
  name = 'ReplacedVersions1764501000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE app_versions ADD COLUMN replaced_at timestamptz, ADD COLUMN replaced_app jsonb;
      CREATE OR REPLACE FUNCTION app_versions_keep() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        had_content boolean := OLD.document IS NOT NULL OR OLD.manifest -> 'tools' <> '[]' OR OLD.manifest -> 'skeleton_sections' <> '[]';
      BEGIN
        IF had_content THEN
          -- Locked, so that it stays a draft as long as this is under way.
          PERFORM FROM apps WHERE app_id = NEW.app_id AND status = 'draft' FOR SHARE;
        END IF;
        IF (OLD.app_id, OLD.version) <> (NEW.app_id, NEW.version) OR had_content AND NOT FOUND THEN
          RAISE EXCEPTION 'A version of an app never changes.' USING ERRCODE = 'check_violation', CONSTRAINT = 'app_versions_immutable_check';
        END IF;
        IF NEW.registry_held_at IS NOT NULL OR EXISTS (SELECT FROM apps WHERE app_id = NEW.app_id AND served_version = NEW.version) THEN
          RAISE EXCEPTION 'Version % of % is served.', NEW.version, NEW.app_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'apps_served_held_check';
        END IF;
        IF had_content THEN
          NEW.replaced_at := now();
          NEW.replaced_app := CASE WHEN OLD.registry_held_at IS NOT NULL THEN OLD.document -> 'app' ELSE OLD.replaced_app END;
        END IF;
        RETURN NEW;
      END
      $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
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
      $$;
      ALTER TABLE app_versions DROP COLUMN replaced_at, DROP COLUMN replaced_app`);
  }
}
