import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Nothing of a draft runs while an app that had it deployed may not act for its developer, so the host hears of whatever decides that: who has
 * the app and has not disabled it, the API keys that installed it, its state, and what the rule of a tenant denies. Creating the triggers waits for the transactions that change
 * these tables, and is quick then; code that runs beside needs to know nothing of them.
 *
 * Of what an app had deployed before this, nothing says which app it was. It goes on as narrow as it is, until it is deployed again.
 */
export class AppsOfDrafts1764418000100 implements MigrationInterface {
  name = 'AppsOfDrafts1764418000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION note_drafts_through(led text, developer text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts_of(ARRAY(SELECT DISTINCT a.developer_id
          FROM app_versions v JOIN apps a ON a.app_id = v.app_id AND a.served_version = v.version AND a.status <> 'active'
          WHERE v.narrowing -> 'apps' ? led AND (developer IS NULL OR a.developer_id = developer)));
      END $$;
      CREATE FUNCTION note_drafts_of_app_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts_through(coalesce(NEW.app_id, OLD.app_id), coalesce(NEW.user_id, OLD.user_id));
        RETURN NULL;
      END $$;
      CREATE FUNCTION note_drafts_of_app() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts_through(coalesce(NEW.app_id, OLD.app_id), NULL);
        RETURN NULL;
      END $$;
      CREATE FUNCTION note_drafts_of_apps_of(developer text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
          WHERE a.developer_id = developer AND a.status <> 'active' AND v.narrowing -> 'apps' IS NOT NULL) THEN
          PERFORM note_drafts_of(ARRAY[developer]);
        END IF;
      END $$;
      CREATE FUNCTION note_drafts_of_role() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts_of_apps_of(NEW.id);
        RETURN NULL;
      END $$;
      CREATE FUNCTION note_drafts_of_granting_key() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts_of_apps_of(OLD.user_id);
        RETURN NULL;
      END $$;
      CREATE TRIGGER installs_note_drafts AFTER INSERT OR DELETE OR UPDATE ON installs
        FOR EACH ROW EXECUTE FUNCTION note_drafts_of_app_of_user();
      CREATE TRIGGER disabled_extensions_note_drafts AFTER INSERT OR DELETE ON disabled_extensions
        FOR EACH ROW EXECUTE FUNCTION note_drafts_of_app_of_user();
      CREATE TRIGGER access_policies_note_drafts AFTER INSERT OR DELETE OR UPDATE ON access_policies
        FOR EACH ROW EXECUTE FUNCTION note_drafts_of_app();
      CREATE TRIGGER users_note_drafts_of_role AFTER UPDATE OF role ON users FOR EACH ROW
        WHEN (OLD.role IS DISTINCT FROM NEW.role) EXECUTE FUNCTION note_drafts_of_role();
      CREATE TRIGGER api_keys_note_drafts_of_grants AFTER DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION note_drafts_of_granting_key();
      CREATE TRIGGER apps_note_drafts AFTER UPDATE ON apps FOR EACH ROW
        WHEN ((OLD.status, OLD.stopped_by_platform, OLD.developer_id) IS DISTINCT FROM (NEW.status, NEW.stopped_by_platform, NEW.developer_id))
        EXECUTE FUNCTION note_drafts_of_app();
      CREATE TRIGGER apps_note_drafts_end AFTER DELETE ON apps FOR EACH ROW EXECUTE FUNCTION note_drafts_of_app();
      DROP TRIGGER app_versions_note_draft ON app_versions;
      CREATE TRIGGER app_versions_note_draft AFTER UPDATE OF narrowing ON app_versions FOR EACH ROW
        WHEN ((OLD.narrowing -> 'key', OLD.narrowing -> 'apps') IS DISTINCT FROM (NEW.narrowing -> 'key', NEW.narrowing -> 'apps'))
        EXECUTE FUNCTION note_draft_of_version()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER app_versions_note_draft ON app_versions;
      CREATE TRIGGER app_versions_note_draft AFTER UPDATE OF narrowing ON app_versions FOR EACH ROW
        WHEN (OLD.narrowing -> 'key' IS DISTINCT FROM NEW.narrowing -> 'key') EXECUTE FUNCTION note_draft_of_version();
      DROP TRIGGER apps_note_drafts_end ON apps;
      DROP TRIGGER apps_note_drafts ON apps;
      DROP TRIGGER api_keys_note_drafts_of_grants ON api_keys;
      DROP TRIGGER users_note_drafts_of_role ON users;
      DROP TRIGGER access_policies_note_drafts ON access_policies;
      DROP TRIGGER disabled_extensions_note_drafts ON disabled_extensions;
      DROP TRIGGER installs_note_drafts ON installs;
      DROP FUNCTION note_drafts_of_granting_key, note_drafts_of_role, note_drafts_of_apps_of, note_drafts_of_app, note_drafts_of_app_of_user, note_drafts_through`);
  }
}
