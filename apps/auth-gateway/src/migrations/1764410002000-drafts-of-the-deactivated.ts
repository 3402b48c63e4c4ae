import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As in `1764330000000`. */
const REVISIONS_LOCK = '7340519268415530912';

/**
 * What a developer has not published runs only while they may sign in, so the host hears of it when that changes, by their own deactivation
 * or their tenant's. Creating the triggers waits for the transactions that change users and tenants, and is quick then; code that runs beside
 * needs to know nothing of them. The host is told at once of the drafts of those who may not sign in now.
 */
export class DraftsOfTheDeactivated1764410002000 implements MigrationInterface {
  name = 'DraftsOfTheDeactivated1764410002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION note_drafts_of(developers text[]) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM apps WHERE developer_id = ANY (developers) AND status <> 'active' AND served_version IS NOT NULL) THEN
          PERFORM pg_advisory_xact_lock_shared(${REVISIONS_LOCK});
          INSERT INTO app_runtime_changes (app_id, revision)
            SELECT app_id, nextval('app_runtime_revisions') FROM (
              SELECT app_id FROM apps WHERE developer_id = ANY (developers) AND status <> 'active' AND served_version IS NOT NULL ORDER BY app_id) drafts
            ON CONFLICT (app_id) DO UPDATE SET revision = excluded.revision;
        END IF;
      END $$;
      CREATE FUNCTION note_drafts_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts_of(ARRAY[NEW.id]);
        RETURN NULL;
      END $$;
      CREATE FUNCTION note_drafts_of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts_of(ARRAY(SELECT d.user_id FROM developers d JOIN users u ON u.id = d.user_id WHERE u.tenant_id = NEW.id));
        RETURN NULL;
      END $$;
      CREATE TRIGGER users_note_drafts AFTER UPDATE OF is_active, email_verified_at ON users FOR EACH ROW
        WHEN ((OLD.is_active, OLD.email_verified_at IS NULL) IS DISTINCT FROM (NEW.is_active, NEW.email_verified_at IS NULL))
        EXECUTE FUNCTION note_drafts_of_user();
      CREATE TRIGGER tenants_note_drafts AFTER UPDATE OF is_active ON tenants FOR EACH ROW
        WHEN (OLD.is_active IS DISTINCT FROM NEW.is_active) EXECUTE FUNCTION note_drafts_of_tenant();
      SELECT note_drafts_of(ARRAY(SELECT u.id FROM users u JOIN tenants t ON t.id = u.tenant_id JOIN developers d ON d.user_id = u.id
        WHERE NOT (u.is_active AND t.is_active AND u.email_verified_at IS NOT NULL)))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER tenants_note_drafts ON tenants;
      DROP TRIGGER users_note_drafts ON users;
      DROP FUNCTION note_drafts_of_tenant, note_drafts_of_user, note_drafts_of(text[])`);
  }
}
