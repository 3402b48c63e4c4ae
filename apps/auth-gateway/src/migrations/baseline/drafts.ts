import type { SchemaPart } from '@platform/persistence';

/** Functions that note which drafts must be checked again: unpublished versions, which act only within the permissions of their developer. */
export const draftsPart: SchemaPart = {
  functions: [
    `
  CREATE FUNCTION note_drafts_of(developers text[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM apps WHERE developer_id = ANY (developers) AND status <> 'active' AND served_version IS NOT NULL) THEN
      PERFORM pg_advisory_xact_lock_shared(7340519268415530912);
      INSERT INTO app_runtime_changes (app_id, revision)
        SELECT app_id, nextval('app_runtime_revisions') FROM (
          SELECT app_id FROM apps WHERE developer_id = ANY (developers) AND status <> 'active' AND served_version IS NOT NULL ORDER BY app_id) drafts
        ON CONFLICT (app_id) DO UPDATE SET revision = excluded.revision;
    END IF;
  END $$`,
    `
  CREATE FUNCTION note_drafts_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM note_drafts_of(ARRAY[NEW.id]);
    RETURN NULL;
  END $$`,
    `
  CREATE FUNCTION note_drafts_of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM note_drafts_of(ARRAY(SELECT d.user_id FROM developers d JOIN users u ON u.id = d.user_id WHERE u.tenant_id = NEW.id));
    RETURN NULL;
  END $$`,
    `
  CREATE FUNCTION note_drafts_of_key() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM note_drafts(ARRAY(SELECT a.app_id FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
      WHERE a.developer_id = OLD.user_id AND a.status <> 'active'
        AND (v.narrowing -> 'key' ->> 'id' = OLD.id OR v.narrowing -> 'key' -> 'others' ? OLD.id)));
    RETURN NULL;
  END $$`,
    `
  CREATE FUNCTION note_draft_of_version() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM note_drafts(ARRAY(SELECT app_id FROM apps WHERE app_id = NEW.app_id AND served_version = NEW.version AND status <> 'active'));
    RETURN NULL;
  END $$`,
    `
  CREATE FUNCTION deploys_narrow_version() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE app_versions SET narrowing = NEW.narrowing
      WHERE app_id = NEW.app_id AND version = NEW.version AND narrowing IS DISTINCT FROM NEW.narrowing;
    RETURN NULL;
  END $$`,
    `
  -- Applies to all developers if no developer is given.
  CREATE FUNCTION note_drafts_through(led text, developer text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF developer IS NULL THEN
      PERFORM note_drafts(ARRAY(SELECT a.app_id
        FROM app_versions v JOIN apps a ON a.app_id = v.app_id AND a.served_version = v.version AND a.status <> 'active'
        WHERE v.narrowing -> 'apps' ? led));
    ELSE
      PERFORM note_drafts(ARRAY(SELECT a.app_id FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
        WHERE a.developer_id = developer AND a.status <> 'active' AND v.narrowing -> 'apps' ? led));
    END IF;
  END $$`,
    `
  -- The result depends on the install and its consent, but not on the scopes that the user granted.
  CREATE FUNCTION note_drafts_of_app_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
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
  END $$`,
    `
  -- Published apps act for everybody. An unpublished app can act for its developer only.
  CREATE FUNCTION note_drafts_of_app() RETURNS trigger LANGUAGE plpgsql AS $$
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
  END $$`,
    `
  CREATE FUNCTION note_drafts_of_apps_of(developer text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM note_drafts(ARRAY(SELECT a.app_id FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
      WHERE a.developer_id = developer AND a.status <> 'active' AND v.narrowing -> 'apps' IS NOT NULL));
  END $$`,
    `
  CREATE FUNCTION note_drafts_of_role() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM note_drafts_of_apps_of(NEW.id);
    RETURN NULL;
  END $$`,
    `
  CREATE FUNCTION note_drafts_of_granting_key() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM note_drafts(ARRAY(SELECT a.app_id FROM apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version
      WHERE a.developer_id = OLD.user_id AND a.status <> 'active' AND v.narrowing -> 'apps' IS NOT NULL AND EXISTS (
        SELECT FROM installs i WHERE i.user_id = OLD.user_id AND v.narrowing -> 'apps' ? i.app_id
          AND (i.granted_by ->> 'id' = OLD.id OR i.granted_by -> 'others' ? OLD.id))));
    RETURN NULL;
  END $$`,
    `
  CREATE FUNCTION note_drafts(drafts text[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF cardinality(drafts) > 0 THEN
      PERFORM pg_advisory_xact_lock_shared(7340519268415530912);
      INSERT INTO app_runtime_changes (app_id, revision)
        SELECT app_id, nextval('app_runtime_revisions') FROM (SELECT DISTINCT unnest(drafts) AS app_id ORDER BY app_id) noted
        ON CONFLICT (app_id) DO UPDATE SET revision = excluded.revision;
    END IF;
  END $$`,
    `
  -- The result depends on the users that the rule denies; its scopes are checked when the draft
  -- acts. The role of a user can change at the same time, so a rule about roles concerns everybody
  -- in the tenant.
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
  END $$`,
  ],
  triggers: `
  CREATE TRIGGER tenants_note_drafts AFTER UPDATE OF is_active ON tenants FOR EACH ROW WHEN (OLD.is_active IS
    DISTINCT FROM NEW.is_active) EXECUTE FUNCTION note_drafts_of_tenant();
  CREATE TRIGGER users_note_drafts AFTER UPDATE OF is_active ON users FOR EACH ROW
    WHEN (OLD.is_active IS DISTINCT FROM NEW.is_active) EXECUTE FUNCTION note_drafts_of_user();
  CREATE TRIGGER users_note_drafts_of_role AFTER UPDATE OF role ON users FOR EACH ROW WHEN (OLD.role IS DISTINCT
    FROM NEW.role) EXECUTE FUNCTION note_drafts_of_role();
  CREATE TRIGGER api_keys_note_drafts AFTER DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION note_drafts_of_key();
  CREATE TRIGGER api_keys_note_drafts_of_grants AFTER DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION
    note_drafts_of_granting_key();
  CREATE TRIGGER apps_note_drafts AFTER UPDATE ON apps FOR EACH ROW WHEN ((OLD.status, OLD.stopped_by_platform,
    OLD.developer_id) IS DISTINCT FROM (NEW.status, NEW.stopped_by_platform, NEW.developer_id)) EXECUTE FUNCTION
    note_drafts_of_app();
  CREATE TRIGGER apps_note_drafts_end AFTER DELETE ON apps FOR EACH ROW EXECUTE FUNCTION note_drafts_of_app();
  CREATE TRIGGER app_versions_note_draft AFTER UPDATE OF narrowing ON app_versions FOR EACH ROW WHEN ((OLD.narrowing
    -> 'key', OLD.narrowing -> 'apps') IS DISTINCT FROM (NEW.narrowing -> 'key', NEW.narrowing -> 'apps')) EXECUTE
    FUNCTION note_draft_of_version();
  CREATE TRIGGER deploys_narrow_version AFTER UPDATE OF status ON deploys FOR EACH ROW WHEN (OLD.status IN
    ('syncing', 'waiting') AND NEW.status = 'success') EXECUTE FUNCTION deploys_narrow_version();
  CREATE TRIGGER installs_note_drafts AFTER INSERT OR DELETE OR UPDATE ON installs FOR EACH ROW EXECUTE FUNCTION
    note_drafts_of_app_of_user();
  CREATE TRIGGER disabled_extensions_note_drafts AFTER INSERT OR DELETE ON disabled_extensions FOR EACH ROW EXECUTE
    FUNCTION note_drafts_of_app_of_user();
  CREATE TRIGGER access_policies_note_drafts AFTER INSERT OR DELETE OR UPDATE ON access_policies FOR EACH ROW
    EXECUTE FUNCTION note_drafts_of_rule();`,
};
