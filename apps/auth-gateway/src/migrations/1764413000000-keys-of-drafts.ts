import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Nothing of a draft runs when an API key is gone that had it deployed, so the host hears of it when such a key is deleted, and again when
 * the draft is deployed by another one. Creating the triggers waits for the transactions that change keys and versions, and is quick then;
 * code that runs beside needs to know nothing of them. The host is told at once of the drafts of keys that are gone now.
 */
export class KeysOfDrafts1764413000000 implements MigrationInterface {
  name = 'KeysOfDrafts1764413000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION note_drafts_of_key() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
          WHERE a.developer_id = OLD.user_id AND a.status <> 'active'
            AND (v.narrowing -> 'key' ->> 'id' = OLD.id OR v.narrowing -> 'key' -> 'others' ? OLD.id)) THEN
          PERFORM note_drafts_of(ARRAY[OLD.user_id]);
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER api_keys_note_drafts AFTER DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION note_drafts_of_key();
      CREATE FUNCTION note_draft_of_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts_of(ARRAY(SELECT developer_id FROM apps WHERE app_id = NEW.app_id AND served_version = NEW.version));
        RETURN NULL;
      END $$;
      CREATE TRIGGER app_versions_note_draft AFTER UPDATE OF narrowing ON app_versions FOR EACH ROW
        WHEN (OLD.narrowing -> 'key' IS DISTINCT FROM NEW.narrowing -> 'key') EXECUTE FUNCTION note_draft_of_version();
      SELECT note_drafts_of(ARRAY(SELECT a.developer_id FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
        WHERE a.status <> 'active' AND v.narrowing -> 'key' ->> 'id' IS NOT NULL
          AND NOT EXISTS (SELECT FROM api_keys k WHERE k.id = v.narrowing -> 'key' ->> 'id')))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER app_versions_note_draft ON app_versions;
      DROP TRIGGER api_keys_note_drafts ON api_keys;
      DROP FUNCTION note_draft_of_version, note_drafts_of_key`);
  }
}
