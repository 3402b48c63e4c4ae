import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Until when each version was served, so that a run of the one before may go on for a while, and no other. The column has no default, which
 * takes no time; triggers fill it, also for a process of the release before. What was replaced earlier has no value, and nothing of it runs.
 */
export class ServedUntil1764409000000 implements MigrationInterface {
  name = 'ServedUntil1764409000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE app_versions ADD COLUMN served_until timestamptz;
      CREATE FUNCTION apps_note_served_until() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE app_versions SET served_until = now() WHERE app_id = OLD.app_id AND version = OLD.served_version;
        RETURN NULL;
      END
      $$;
      CREATE TRIGGER apps_note_served_until AFTER UPDATE OF served_version ON apps
        FOR EACH ROW WHEN (OLD.served_version IS NOT NULL AND OLD.served_version IS DISTINCT FROM NEW.served_version)
        EXECUTE FUNCTION apps_note_served_until();
      -- A version that gets content once was never served with it.
      CREATE FUNCTION app_versions_begin_anew() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.served_until := NULL;
        RETURN NEW;
      END
      $$;
      CREATE TRIGGER app_versions_begin_anew BEFORE UPDATE OF sha256 ON app_versions
        FOR EACH ROW WHEN (OLD.sha256 <> NEW.sha256) EXECUTE FUNCTION app_versions_begin_anew();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER app_versions_begin_anew ON app_versions;
      DROP TRIGGER apps_note_served_until ON apps;
      DROP FUNCTION app_versions_begin_anew, apps_note_served_until;
      ALTER TABLE app_versions DROP COLUMN served_until;
    `);
  }
}
