import type { SchemaPart } from '@platform/persistence';

/** Installs, consents, and purges of the data of removed apps. */
export const installsPart: SchemaPart = {
  tables: `
  CREATE TABLE installs (
    user_id text CONSTRAINT installs_user_fkey REFERENCES users,
    app_id text CONSTRAINT installs_app_fkey REFERENCES apps ON DELETE CASCADE,
    tenant_id text NOT NULL CONSTRAINT installs_tenant_fkey REFERENCES tenants,
    revision bigint NOT NULL,
    installed_at timestamptz NOT NULL,
    removed_at timestamptz,
    granted_scopes text[] NOT NULL DEFAULT '{}',
    asked_version text,
    granted_by jsonb,
    granted_in_person text[],
    agreed_price_version integer,
    CONSTRAINT installs_pkey PRIMARY KEY (user_id, app_id),
    CONSTRAINT installs_granted_scopes_check CHECK (NOT granted_scopes && '{*}' AND (removed_at IS NULL OR
      granted_scopes = '{}'))
  );
  CREATE INDEX installs_app_idx ON installs (tenant_id, app_id, user_id) WHERE removed_at IS NULL;
  CREATE INDEX installs_of_app_idx ON installs (app_id);

  -- Revision up to which the changes of the Registry are in \`installs\`.
  CREATE TABLE install_feed (
    is_only boolean PRIMARY KEY DEFAULT true CONSTRAINT install_feed_only_check CHECK (is_only),
    revision bigint NOT NULL
  );

  CREATE TABLE disabled_extensions (
    user_id text CONSTRAINT disabled_extensions_user_fkey REFERENCES users,
    app_id text CONSTRAINT disabled_extensions_app_fkey REFERENCES apps ON DELETE CASCADE,
    disabled_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT disabled_extensions_pkey PRIMARY KEY (user_id, app_id)
  );
  CREATE INDEX disabled_extensions_app_idx ON disabled_extensions (app_id);

  CREATE TABLE access_policies (
    tenant_id text CONSTRAINT access_policies_tenant_fkey REFERENCES tenants,
    app_id text CONSTRAINT access_policies_app_fkey REFERENCES apps ON DELETE CASCADE,
    mode text NOT NULL CONSTRAINT access_policies_mode_check CHECK (mode IN ('public', 'restricted')),
    required_scopes text[] NOT NULL DEFAULT '{}',
    denied_roles text[] NOT NULL DEFAULT '{}',
    denied_users text[] NOT NULL DEFAULT '{}',
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT access_policies_scopes_check CHECK ((mode = 'restricted') = (required_scopes <> '{}')),
    CONSTRAINT access_policies_pkey PRIMARY KEY (tenant_id, app_id)
  );
  CREATE INDEX access_policies_app_idx ON access_policies (app_id);

  CREATE TABLE install_narrowings (
    id text PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT install_narrowings_tenant_fkey REFERENCES tenants,
    user_id text NOT NULL CONSTRAINT install_narrowings_user_fkey REFERENCES users ON DELETE CASCADE,
    app_id text NOT NULL,
    narrowing jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    changes jsonb NOT NULL
  );
  CREATE INDEX install_narrowings_install_idx ON install_narrowings (user_id, app_id);
  CREATE UNIQUE INDEX install_narrowings_changes_key ON install_narrowings (tenant_id, user_id, app_id);

  CREATE TABLE document_purges (
    user_id text,
    app_id text,
    tenant_id text CONSTRAINT document_purges_tenant_fkey REFERENCES tenants,
    removed_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    is_asked boolean DEFAULT false,
    kept_since timestamptz,
    owner_id text NOT NULL,
    CONSTRAINT document_purges_pkey PRIMARY KEY (user_id, app_id, is_asked),
    CONSTRAINT document_purges_all_check CHECK ((user_id = '*') = (tenant_id IS NULL) AND (user_id <> '*' OR app_id
      <> '*')),
    CONSTRAINT document_purges_kept_check CHECK (kept_since IS NULL OR is_asked)
  );
  CREATE INDEX document_purges_due_idx ON document_purges (due_at);`,
  functions: [
    `
  -- A user who removes an app, or installs it again, has granted it nothing.
  CREATE FUNCTION installs_end_grant() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.granted_scopes := '{}';
    NEW.granted_in_person := NULL;
    IF NEW.removed_at IS NOT NULL THEN
      NEW.granted_by := NULL;
    END IF;
    RETURN NEW;
  END
  $$`,
    `
  CREATE FUNCTION installs_note_purge() RETURNS trigger LANGUAGE plpgsql SET TimeZone TO 'UTC' AS $$
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
  END $$`,
    `
  -- The data of a draft is deleted at once, because only its developer ever had it, unless an app
  -- with the same id was in the marketplace a short time ago.
  CREATE FUNCTION apps_note_purge() RETURNS trigger LANGUAGE plpgsql SET TimeZone TO 'UTC' AS $$
  DECLARE
    is_own boolean := OLD.published_at IS NULL
      AND NOT EXISTS (SELECT FROM gateway.document_purges WHERE user_id = '*' AND app_id = OLD.app_id AND NOT is_asked);
  BEGIN
    INSERT INTO gateway.document_purges (user_id, app_id, is_asked, owner_id, removed_at, due_at)
      VALUES ('*', OLD.app_id, is_own, coalesce(OLD.developer_id, OLD.app_id), now(),
        CASE WHEN is_own THEN now() ELSE now() + interval '30 days' END)
      ON CONFLICT (user_id, app_id, is_asked) DO UPDATE SET removed_at = excluded.removed_at, due_at = excluded.due_at;
    RETURN NULL;
  END $$`,
  ],
  triggers: `
  -- The data of a draft is deleted at once, because only its developer ever had it, unless an app
  -- with the same id was in the marketplace a short time ago.
  CREATE TRIGGER apps_note_purge AFTER DELETE ON apps FOR EACH ROW EXECUTE FUNCTION apps_note_purge();
  -- A user who removes an app, or installs it again, has granted it nothing.
  CREATE TRIGGER installs_end_grant BEFORE UPDATE OF installed_at, removed_at ON installs FOR EACH ROW WHEN
    (NEW.removed_at IS NOT NULL OR NEW.installed_at <> OLD.installed_at) EXECUTE FUNCTION installs_end_grant();
  CREATE TRIGGER installs_note_purge_of_new AFTER INSERT ON installs FOR EACH ROW EXECUTE FUNCTION
    installs_note_purge();
  CREATE TRIGGER installs_note_purge AFTER UPDATE OF removed_at ON installs FOR EACH ROW WHEN (OLD.removed_at IS
    DISTINCT FROM NEW.removed_at) EXECUTE FUNCTION installs_note_purge();`,
  rows: 'INSERT INTO install_feed (revision) VALUES (0)',
};
