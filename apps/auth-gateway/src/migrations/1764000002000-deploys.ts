import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How far a deploy is, which deploy is newer, and where the Registry differs from the gateway. Nothing wrote `deploys` before, so that
 * it is empty and the new columns need no values.
 */
export class Deploys1764000002000 implements MigrationInterface {
  name = 'Deploys1764000002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE deploys
        ADD COLUMN number integer NOT NULL,
        ADD COLUMN failed_attempts integer NOT NULL DEFAULT 0,
        ADD COLUMN validated_at timestamptz,
        ADD COLUMN held_at timestamptz,
        ADD COLUMN released_at timestamptz,
        ADD CONSTRAINT deploys_number_key UNIQUE (app_id, number);
      DROP INDEX deploys_app_idx;
      CREATE INDEX deploys_unreleased_idx ON deploys (app_id) WHERE status = 'success' AND released_at IS NULL;

      CREATE TABLE app_mismatches (
        app_id text PRIMARY KEY CONSTRAINT app_mismatches_app_fkey REFERENCES apps ON DELETE CASCADE,
        kind text NOT NULL CONSTRAINT app_mismatches_kind_check CHECK (kind IN ('foreign_version', 'other_content')),
        registry_version text,
        since timestamptz NOT NULL DEFAULT now()
      );

      CREATE FUNCTION apps_serve_held_only() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT EXISTS (SELECT FROM app_versions
            WHERE app_id = NEW.app_id AND version = NEW.served_version AND registry_held_at IS NOT NULL) THEN
          RAISE EXCEPTION 'The Registry does not hold version % of %.', NEW.served_version, NEW.app_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'apps_served_held_check';
        END IF;
        RETURN NEW;
      END
      $$;
      CREATE TRIGGER apps_serve_held_only BEFORE INSERT OR UPDATE OF served_version ON apps
        FOR EACH ROW WHEN (NEW.served_version IS NOT NULL) EXECUTE FUNCTION apps_serve_held_only();

      CREATE FUNCTION app_versions_keep() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'A version of an app never changes.' USING ERRCODE = 'check_violation', CONSTRAINT = 'app_versions_immutable_check';
      END
      $$;
      CREATE TRIGGER app_versions_keep BEFORE UPDATE ON app_versions FOR EACH ROW
        WHEN ((OLD.app_id, OLD.version, OLD.sha256, OLD.document::text, OLD.manifest::text)
          IS DISTINCT FROM (NEW.app_id, NEW.version, NEW.sha256, NEW.document::text, NEW.manifest::text))
        EXECUTE FUNCTION app_versions_keep();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER app_versions_keep ON app_versions;
      DROP TRIGGER apps_serve_held_only ON apps;
      DROP FUNCTION app_versions_keep, apps_serve_held_only;
      DROP TABLE app_mismatches;
      DROP INDEX deploys_unreleased_idx;
      CREATE INDEX deploys_app_idx ON deploys (app_id, created_at, deploy_id);
      ALTER TABLE deploys DROP COLUMN number, DROP COLUMN failed_attempts, DROP COLUMN validated_at, DROP COLUMN held_at, DROP COLUMN released_at;
    `);
  }
}
