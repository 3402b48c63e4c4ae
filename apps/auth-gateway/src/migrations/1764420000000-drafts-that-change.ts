import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As in `1764330000000`. */
const REVISIONS_LOCK = '7340519268415530912';

/**
 * The host heard anew of every draft of a developer when one of them may have stopped, and of those of every tenant when one tenant set a
 * rule for its own people, also to what it was. Now only those drafts are noted of which `MAY_RUN` may answer otherwise than before: those that
 * the app, the key or the rule is about.
 *
 * Whether something has changed say the functions, which are replaced without a lock on what they are the triggers of. The rules have a
 * trigger of their own: replacing it waits for the transactions that change rules, and keeps nobody from reading them.
 */
export class DraftsThatChange1764420000000 implements MigrationInterface {
  name = 'DraftsThatChange1764420000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION note_drafts(drafts text[]) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        IF cardinality(drafts) > 0 THEN
          PERFORM pg_advisory_xact_lock_shared(${REVISIONS_LOCK});
          INSERT INTO app_runtime_changes (app_id, revision)
            SELECT app_id, nextval('app_runtime_revisions') FROM (SELECT DISTINCT unnest(drafts) AS app_id ORDER BY app_id) noted
            ON CONFLICT (app_id) DO UPDATE SET revision = excluded.revision;
        END IF;
      END $$;
      -- Of everybody, where no developer is named.
      CREATE OR REPLACE FUNCTION note_drafts_through(led text, developer text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        IF developer IS NULL THEN
          PERFORM note_drafts(ARRAY(SELECT a.app_id
            FROM app_versions v JOIN apps a ON a.app_id = v.app_id AND a.served_version = v.version AND a.status <> 'active'
            WHERE v.narrowing -> 'apps' ? led));
        ELSE
          PERFORM note_drafts(ARRAY(SELECT a.app_id FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
            WHERE a.developer_id = developer AND a.status <> 'active' AND v.narrowing -> 'apps' ? led));
        END IF;
      END $$;
      -- Whether the user has the app and agreed to it decides, not for which scopes.
      CREATE OR REPLACE FUNCTION note_drafts_of_app_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_TABLE_NAME = 'installs' AND TG_OP = 'UPDATE' THEN
          IF (OLD.removed_at IS NULL, CASE WHEN OLD.removed_at IS NULL AND OLD.granted_in_person IS NULL THEN OLD.granted_by END)
            IS NOT DISTINCT FROM
            (NEW.removed_at IS NULL, CASE WHEN NEW.removed_at IS NULL AND NEW.granted_in_person IS NULL THEN NEW.granted_by END) THEN
            RETURN NULL;
          END IF;
        END IF;
        PERFORM note_drafts_through(coalesce(NEW.app_id, OLD.app_id), coalesce(NEW.user_id, OLD.user_id));
        RETURN NULL;
      END $$;
      -- What is published is for everybody; what is not may act for its developer alone.
      CREATE OR REPLACE FUNCTION note_drafts_of_app() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        was_public boolean := OLD.status = 'active';
        is_public boolean := coalesce(NEW.status = 'active', false);
        was_for text := CASE WHEN OLD.status NOT IN ('active', 'suspended') AND NOT OLD.stopped_by_platform THEN OLD.developer_id END;
        is_for text := CASE WHEN NEW.status NOT IN ('active', 'suspended') AND NOT NEW.stopped_by_platform THEN NEW.developer_id END;
      BEGIN
        IF was_public <> is_public THEN
          PERFORM note_drafts_through(OLD.app_id, NULL);
        ELSIF was_for IS DISTINCT FROM is_for THEN
          IF was_for IS NOT NULL THEN
            PERFORM note_drafts_through(OLD.app_id, was_for);
          END IF;
          IF is_for IS NOT NULL THEN
            PERFORM note_drafts_through(OLD.app_id, is_for);
          END IF;
        END IF;
        RETURN NULL;
      END $$;
      -- Whom the rule denies decides; for which scopes it asks is looked at when the draft acts. The role of a user may change beside, so
      -- denied roles are about all of the tenant.
      CREATE FUNCTION note_drafts_of_rule() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
      DECLARE
        led text := coalesce(NEW.app_id, OLD.app_id);
        tenant text := coalesce(NEW.tenant_id, OLD.tenant_id);
        old_roles text[] := coalesce(OLD.denied_roles, '{}');
        new_roles text[] := coalesce(NEW.denied_roles, '{}');
        old_users text[] := coalesce(OLD.denied_users, '{}');
        new_users text[] := coalesce(NEW.denied_users, '{}');
      BEGIN
        IF NOT (old_roles @> new_roles AND old_roles <@ new_roles) THEN
          PERFORM note_drafts(ARRAY(SELECT a.app_id
            FROM users u JOIN apps a ON a.developer_id = u.id AND a.status <> 'active'
              JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
            WHERE u.tenant_id = tenant AND v.narrowing -> 'apps' ? led));
        ELSIF NOT (old_users @> new_users AND old_users <@ new_users) THEN
          PERFORM note_drafts(ARRAY(SELECT a.app_id
            FROM users u JOIN apps a ON a.developer_id = u.id AND a.status <> 'active'
              JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
            WHERE u.tenant_id = tenant AND u.id = ANY (old_users || new_users) AND (u.id = ANY (old_users)) <> (u.id = ANY (new_users))
              AND v.narrowing -> 'apps' ? led));
        END IF;
        RETURN NULL;
      END $$;
      CREATE OR REPLACE TRIGGER access_policies_note_drafts AFTER INSERT OR DELETE OR UPDATE ON access_policies
        FOR EACH ROW EXECUTE FUNCTION note_drafts_of_rule();
      CREATE OR REPLACE FUNCTION note_drafts_of_apps_of(developer text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts(ARRAY(SELECT a.app_id FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
          WHERE a.developer_id = developer AND a.status <> 'active' AND v.narrowing -> 'apps' IS NOT NULL));
      END $$;
      CREATE OR REPLACE FUNCTION note_drafts_of_granting_key() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts(ARRAY(SELECT a.app_id FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
          WHERE a.developer_id = OLD.user_id AND a.status <> 'active' AND v.narrowing -> 'apps' IS NOT NULL AND EXISTS (
            SELECT FROM installs i WHERE i.user_id = OLD.user_id AND v.narrowing -> 'apps' ? i.app_id
              AND (i.granted_by ->> 'id' = OLD.id OR i.granted_by -> 'others' ? OLD.id))));
        RETURN NULL;
      END $$;
      CREATE OR REPLACE FUNCTION note_drafts_of_key() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts(ARRAY(SELECT a.app_id FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
          WHERE a.developer_id = OLD.user_id AND a.status <> 'active'
            AND (v.narrowing -> 'key' ->> 'id' = OLD.id OR v.narrowing -> 'key' -> 'others' ? OLD.id)));
        RETURN NULL;
      END $$;
      CREATE OR REPLACE FUNCTION note_draft_of_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts(ARRAY(SELECT app_id FROM apps WHERE app_id = NEW.app_id AND served_version = NEW.version AND status <> 'active'));
        RETURN NULL;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION note_draft_of_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts_of(ARRAY(SELECT developer_id FROM apps WHERE app_id = NEW.app_id AND served_version = NEW.version));
        RETURN NULL;
      END $$;
      CREATE OR REPLACE FUNCTION note_drafts_of_key() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
          WHERE a.developer_id = OLD.user_id AND a.status <> 'active'
            AND (v.narrowing -> 'key' ->> 'id' = OLD.id OR v.narrowing -> 'key' -> 'others' ? OLD.id)) THEN
          PERFORM note_drafts_of(ARRAY[OLD.user_id]);
        END IF;
        RETURN NULL;
      END $$;
      CREATE OR REPLACE FUNCTION note_drafts_of_granting_key() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts_of_apps_of(OLD.user_id);
        RETURN NULL;
      END $$;
      CREATE OR REPLACE FUNCTION note_drafts_of_apps_of(developer text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
          WHERE a.developer_id = developer AND a.status <> 'active' AND v.narrowing -> 'apps' IS NOT NULL) THEN
          PERFORM note_drafts_of(ARRAY[developer]);
        END IF;
      END $$;
      CREATE OR REPLACE FUNCTION note_drafts_of_app() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts_through(coalesce(NEW.app_id, OLD.app_id), NULL);
        RETURN NULL;
      END $$;
      CREATE OR REPLACE TRIGGER access_policies_note_drafts AFTER INSERT OR DELETE OR UPDATE ON access_policies
        FOR EACH ROW EXECUTE FUNCTION note_drafts_of_app();
      CREATE OR REPLACE FUNCTION note_drafts_of_app_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts_through(coalesce(NEW.app_id, OLD.app_id), coalesce(NEW.user_id, OLD.user_id));
        RETURN NULL;
      END $$;
      CREATE OR REPLACE FUNCTION note_drafts_through(led text, developer text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM note_drafts_of(ARRAY(SELECT DISTINCT a.developer_id
          FROM app_versions v JOIN apps a ON a.app_id = v.app_id AND a.served_version = v.version AND a.status <> 'active'
          WHERE v.narrowing -> 'apps' ? led AND (developer IS NULL OR a.developer_id = developer)));
      END $$;
      DROP FUNCTION note_drafts_of_rule, note_drafts`);
  }
}
