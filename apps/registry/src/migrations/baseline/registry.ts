import type { SchemaPart } from '@platform/persistence';

/** Apps, their manifests, and installs. */
export const registryPart: SchemaPart = {
  before: [
    `
  CREATE FUNCTION settings_fit(settings jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT octet_length((settings #- '{layers,tenants}')::text) <= 65536 AND octet_length(settings::text) <= 1048576
      AND NOT EXISTS (
        SELECT FROM jsonb_each(CASE WHEN jsonb_typeof(settings #> '{layers,tenants}') = 'object' THEN settings #> '{layers,tenants}' ELSE '{}' END)
        WHERE octet_length(value::text) > 16384)
  $$`,
  ],
  tables: `
  CREATE SEQUENCE install_revisions;

  CREATE TABLE apps (
    app_id text PRIMARY KEY CONSTRAINT apps_app_id_check CHECK (app_id ~ '^[a-z0-9][a-z0-9_-]{1,63}$'),
    display_name text NOT NULL,
    description text NOT NULL DEFAULT '',
    category text NOT NULL DEFAULT 'general',
    version text,
    status text NOT NULL
      CONSTRAINT apps_status_check CHECK (status IN ('draft', 'pending_review', 'active', 'suspended')),
    owner_id text,
    required_scopes text[] NOT NULL DEFAULT '{}',
    config jsonb NOT NULL DEFAULT '{}',
    settings jsonb NOT NULL DEFAULT '{}' CONSTRAINT apps_settings_size_check CHECK (settings_fit(settings)),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX apps_owner_idx ON apps (owner_id, app_id);
  CREATE INDEX apps_status_idx ON apps (status, app_id);

  CREATE TABLE manifests (
    app_id text CONSTRAINT manifests_app_fkey REFERENCES apps ON DELETE CASCADE,
    version text,
    tools json NOT NULL CONSTRAINT manifests_tools_size_check CHECK (octet_length(tools::text) <= 1048576),
    skeleton_sections json NOT NULL
      CONSTRAINT manifests_sections_size_check CHECK (octet_length(skeleton_sections::text) <= 1048576),
    sha256 bytea NOT NULL CONSTRAINT manifests_sha256_check CHECK (octet_length(sha256) = 32),
    pushed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    is_owners boolean NOT NULL,
    CONSTRAINT manifests_pkey PRIMARY KEY (app_id, version)
  );

  CREATE TABLE installs (
    user_id text,
    app_id text,
    live_app_id text CONSTRAINT installs_app_fkey REFERENCES apps,
    config jsonb NOT NULL DEFAULT '{}',
    revision bigint NOT NULL,
    installed_at timestamptz NOT NULL DEFAULT now(),
    removed_at timestamptz,
    changed_by jsonb,
    CONSTRAINT installs_live_check CHECK (live_app_id IS NOT DISTINCT FROM CASE WHEN removed_at IS NULL THEN app_id
      END),
    CONSTRAINT installs_pkey PRIMARY KEY (user_id, app_id),
    CONSTRAINT installs_revision_key UNIQUE (revision)
  );
  CREATE INDEX installs_live_user_idx ON installs (user_id, live_app_id) WHERE live_app_id IS NOT NULL;
  CREATE INDEX installs_live_app_idx ON installs (live_app_id) WHERE live_app_id IS NOT NULL;

  ALTER TABLE apps ADD CONSTRAINT apps_version_fkey FOREIGN KEY (app_id, version) REFERENCES manifests (app_id, version);`,
  functions: [
    `
  -- Transactions do not commit in the order of their revisions. A transaction that takes a revision
  -- holds this lock, shared, until it ends. The reader of the changes takes the lock alone, so that
  -- every revision below the highest one is then committed or will never be.
  CREATE FUNCTION lock_install_revisions() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(6158203847120394856);
    RETURN NULL;
  END $$`,
    `
  CREATE FUNCTION take_install_revision() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.revision := nextval('install_revisions');
    RETURN NEW;
  END $$`,
  ],
  triggers: `
  CREATE TRIGGER installs_lock_revisions BEFORE INSERT OR UPDATE ON installs FOR EACH STATEMENT EXECUTE FUNCTION
    lock_install_revisions();
  CREATE TRIGGER installs_take_revision BEFORE INSERT OR UPDATE ON installs FOR EACH ROW EXECUTE FUNCTION
    take_install_revision();`,
};
