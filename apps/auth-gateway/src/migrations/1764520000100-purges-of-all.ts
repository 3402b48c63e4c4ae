import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is to be deleted is noted by the database itself, so that a release that does not know of it cannot forget it: by each removal, and
 * each deletion of an app. Of an app or a user there may be no row any more, so a purge refers to none; `*` stands for all. Of a user and an
 * app there is one purge that ends when the user has the app again, and one that was asked for. Safe on a live table: `document_purges` is
 * read by a job alone, which waits for a moment; triggers on `installs` and `apps` take a lock that waits for what is written there and,
 * once it is waiting, is waited for until it is made, so no longer than one transaction.
 */
export class PurgesOfAll1764520000100 implements MigrationInterface {
  name = 'PurgesOfAll1764520000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM document_purges p USING document_purges newer
        WHERE newer.user_id = p.user_id AND newer.app_id = p.app_id AND newer.is_asked = p.is_asked AND newer.revision > p.revision;
      ALTER TABLE document_purges DROP CONSTRAINT document_purges_pkey, DROP CONSTRAINT document_purges_reinstalled_check,
        DROP CONSTRAINT document_purges_user_fkey, DROP COLUMN revision;
      ALTER TABLE document_purges RENAME COLUMN reinstalled_at TO kept_since;
      ALTER TABLE document_purges
        ADD COLUMN owner_id text,
        ALTER COLUMN tenant_id DROP NOT NULL,
        ADD CONSTRAINT document_purges_pkey PRIMARY KEY (user_id, app_id, is_asked),
        ADD CONSTRAINT document_purges_all_check CHECK ((user_id = '*') = (tenant_id IS NULL) AND (user_id <> '*' OR app_id <> '*')),
        ADD CONSTRAINT document_purges_kept_check CHECK (kept_since IS NULL OR is_asked);
      UPDATE document_purges SET owner_id = user_id;
      ALTER TABLE document_purges ALTER COLUMN owner_id SET NOT NULL;

      CREATE FUNCTION installs_note_purge() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.removed_at IS NULL THEN
          DELETE FROM gateway.document_purges WHERE user_id = NEW.user_id AND app_id = NEW.app_id AND NOT is_asked;
          UPDATE gateway.document_purges SET kept_since = NEW.installed_at, due_at = now()
            WHERE user_id = NEW.user_id AND app_id = NEW.app_id AND is_asked AND kept_since IS NULL;
        ELSE
          INSERT INTO gateway.document_purges (user_id, app_id, is_asked, owner_id, tenant_id, removed_at, due_at)
            VALUES (NEW.user_id, NEW.app_id, false, NEW.user_id, NEW.tenant_id, NEW.removed_at, NEW.removed_at + interval '30 days')
            ON CONFLICT (user_id, app_id, is_asked) DO UPDATE SET removed_at = excluded.removed_at, due_at = excluded.due_at;
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER installs_note_purge_of_new AFTER INSERT ON installs FOR EACH ROW EXECUTE FUNCTION installs_note_purge();
      CREATE TRIGGER installs_note_purge AFTER UPDATE OF removed_at ON installs
        FOR EACH ROW WHEN (OLD.removed_at IS DISTINCT FROM NEW.removed_at) EXECUTE FUNCTION installs_note_purge();

      -- A draft is deleted at once, with what nobody else ever had, unless an app of the same id was in the marketplace a while ago.
      CREATE FUNCTION apps_note_purge() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        is_own boolean := OLD.published_at IS NULL
          AND NOT EXISTS (SELECT FROM gateway.document_purges WHERE user_id = '*' AND app_id = OLD.app_id AND NOT is_asked);
      BEGIN
        INSERT INTO gateway.document_purges (user_id, app_id, is_asked, owner_id, removed_at, due_at)
          VALUES ('*', OLD.app_id, is_own, coalesce(OLD.developer_id, OLD.app_id), now(),
            CASE WHEN is_own THEN now() ELSE now() + interval '30 days' END)
          ON CONFLICT (user_id, app_id, is_asked) DO UPDATE SET removed_at = excluded.removed_at, due_at = excluded.due_at;
        RETURN NULL;
      END $$;
      CREATE TRIGGER apps_note_purge AFTER DELETE ON apps FOR EACH ROW EXECUTE FUNCTION apps_note_purge();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER apps_note_purge ON apps;
      DROP TRIGGER installs_note_purge ON installs;
      DROP TRIGGER installs_note_purge_of_new ON installs;
      DROP FUNCTION apps_note_purge, installs_note_purge;
      DELETE FROM document_purges WHERE user_id = '*' OR app_id = '*' OR NOT EXISTS (SELECT FROM users WHERE id = user_id);
      DELETE FROM document_purges p USING document_purges asked
        WHERE asked.user_id = p.user_id AND asked.app_id = p.app_id AND asked.is_asked AND NOT p.is_asked;
      ALTER TABLE document_purges DROP CONSTRAINT document_purges_pkey, DROP CONSTRAINT document_purges_all_check,
        DROP CONSTRAINT document_purges_kept_check, DROP COLUMN owner_id, ALTER COLUMN tenant_id SET NOT NULL,
        ADD COLUMN revision bigint NOT NULL DEFAULT 0;
      ALTER TABLE document_purges ALTER COLUMN revision DROP DEFAULT;
      ALTER TABLE document_purges RENAME COLUMN kept_since TO reinstalled_at;
      ALTER TABLE document_purges ADD CONSTRAINT document_purges_pkey PRIMARY KEY (user_id, app_id, revision),
        ADD CONSTRAINT document_purges_reinstalled_check CHECK (reinstalled_at IS NULL OR is_asked),
        ADD CONSTRAINT document_purges_user_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE;
    `);
  }
}
