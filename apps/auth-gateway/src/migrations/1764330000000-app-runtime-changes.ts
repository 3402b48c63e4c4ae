import type { MigrationInterface, QueryRunner } from 'typeorm';

const REVISIONS_LOCK = '7340519268415530912';

/**
 * When what runs of an app last changed, also of apps that are gone, so that the host of extensions can follow. Creating the triggers
 * waits for the transactions that change apps, and is quick then; code that runs beside needs to know nothing of them.
 */
export class AppRuntimeChanges1764330000000 implements MigrationInterface {
  name = 'AppRuntimeChanges1764330000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SEQUENCE app_runtime_revisions;
      CREATE TABLE app_runtime_changes (
        app_id text PRIMARY KEY,
        revision bigint NOT NULL CONSTRAINT app_runtime_changes_revision_key UNIQUE
      );
      -- Revisions are not committed in their order. Whoever takes one holds this lock, shared, until the end of the transaction; whoever
      -- reads the changes takes it alone, so that by then each revision below the highest is committed or never will be.
      CREATE FUNCTION note_app_runtime_change() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE changed text := coalesce(NEW.app_id, OLD.app_id);
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(${REVISIONS_LOCK});
        INSERT INTO app_runtime_changes (app_id, revision) VALUES (changed, nextval('app_runtime_revisions'))
          ON CONFLICT (app_id) DO UPDATE SET revision = excluded.revision;
        RETURN NULL;
      END $$;
      CREATE TRIGGER apps_note_runtime AFTER INSERT ON apps FOR EACH ROW
        WHEN (NEW.served_version IS NOT NULL) EXECUTE FUNCTION note_app_runtime_change();
      CREATE TRIGGER apps_note_runtime_change AFTER UPDATE ON apps FOR EACH ROW
        WHEN ((OLD.served_version, OLD.status, OLD.developer_id) IS DISTINCT FROM (NEW.served_version, NEW.status, NEW.developer_id)
          AND coalesce(OLD.served_version, NEW.served_version) IS NOT NULL)
        EXECUTE FUNCTION note_app_runtime_change();
      CREATE TRIGGER apps_note_runtime_end AFTER DELETE ON apps FOR EACH ROW
        WHEN (OLD.served_version IS NOT NULL) EXECUTE FUNCTION note_app_runtime_change();
      INSERT INTO app_runtime_changes (app_id, revision)
        SELECT app_id, nextval('app_runtime_revisions') FROM apps WHERE served_version IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER apps_note_runtime ON apps;
      DROP TRIGGER apps_note_runtime_change ON apps;
      DROP TRIGGER apps_note_runtime_end ON apps;
      DROP FUNCTION note_app_runtime_change;
      DROP TABLE app_runtime_changes;
      DROP SEQUENCE app_runtime_revisions`);
  }
}
