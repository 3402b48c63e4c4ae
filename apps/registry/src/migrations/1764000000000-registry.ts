import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As in `installs/install-changes.ts`. */
const INSTALL_REVISIONS_LOCK = '6158203847120394856';

/** Apps, the manifests of their versions, and who has them installed. The first tables of this schema, so it is safe beside running code. */
export class Registry1764000000000 implements MigrationInterface {
  name = 'Registry1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE apps (
        app_id text PRIMARY KEY CONSTRAINT apps_app_id_check CHECK (app_id ~ '^[a-z0-9][a-z0-9_-]{1,63}$'),
        display_name text NOT NULL,
        description text NOT NULL DEFAULT '',
        category text NOT NULL DEFAULT 'general',
        version text,
        status text NOT NULL CONSTRAINT apps_status_check CHECK (status IN ('draft', 'pending_review', 'active', 'suspended')),
        owner_id text,
        required_scopes text[] NOT NULL DEFAULT '{}',
        config jsonb NOT NULL DEFAULT '{}',
        settings jsonb NOT NULL DEFAULT '{}' CONSTRAINT apps_settings_size_check CHECK (octet_length(settings::text) <= 65536),
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX apps_owner_idx ON apps (owner_id, app_id);
      CREATE INDEX apps_status_idx ON apps (status, app_id);

      CREATE TABLE manifests (
        app_id text NOT NULL CONSTRAINT manifests_app_fkey REFERENCES apps ON DELETE CASCADE,
        version text NOT NULL,
        tools json NOT NULL CONSTRAINT manifests_tools_size_check CHECK (octet_length(tools::text) <= 1048576),
        skeleton_sections json NOT NULL CONSTRAINT manifests_sections_size_check CHECK (octet_length(skeleton_sections::text) <= 1048576),
        sha256 bytea NOT NULL CONSTRAINT manifests_sha256_check CHECK (octet_length(sha256) = 32),
        pushed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT manifests_pkey PRIMARY KEY (app_id, version)
      );
      ALTER TABLE apps ADD CONSTRAINT apps_version_fkey FOREIGN KEY (app_id, version) REFERENCES manifests (app_id, version);

      CREATE SEQUENCE install_revisions;
      CREATE TABLE installs (
        user_id text NOT NULL,
        app_id text NOT NULL,
        live_app_id text CONSTRAINT installs_app_fkey REFERENCES apps,
        config jsonb NOT NULL DEFAULT '{}',
        revision bigint NOT NULL,
        installed_at timestamptz NOT NULL DEFAULT now(),
        removed_at timestamptz,
        CONSTRAINT installs_pkey PRIMARY KEY (user_id, app_id),
        CONSTRAINT installs_revision_key UNIQUE (revision),
        CONSTRAINT installs_live_check CHECK (live_app_id IS NOT DISTINCT FROM CASE WHEN removed_at IS NULL THEN app_id END)
      );
      CREATE INDEX installs_live_user_idx ON installs (user_id, live_app_id) WHERE live_app_id IS NOT NULL;
      CREATE INDEX installs_live_app_idx ON installs (live_app_id) WHERE live_app_id IS NOT NULL;

      -- Revisions are not committed in their order. Whoever takes one holds this lock, shared, until the end of the transaction; whoever
      -- reads the changes takes it alone, so that by then each revision below the highest is committed or never will be.
      CREATE FUNCTION lock_install_revisions() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(${INSTALL_REVISIONS_LOCK});
        RETURN NULL;
      END $$;
      CREATE FUNCTION take_install_revision() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.revision := nextval('install_revisions');
        RETURN NEW;
      END $$;
      CREATE TRIGGER installs_lock_revisions BEFORE INSERT OR UPDATE ON installs FOR EACH STATEMENT EXECUTE FUNCTION lock_install_revisions();
      CREATE TRIGGER installs_take_revision BEFORE INSERT OR UPDATE ON installs FOR EACH ROW EXECUTE FUNCTION take_install_revision();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE installs;
      DROP FUNCTION lock_install_revisions, take_install_revision;
      DROP SEQUENCE install_revisions;
      ALTER TABLE apps DROP CONSTRAINT apps_version_fkey;
      DROP TABLE manifests, apps;
    `);
  }
}
