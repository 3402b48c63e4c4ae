import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Developers, their apps, the versions and deploys of these. Creates tables only, so it is safe beside running code. */
export class Apps1764000000000 implements MigrationInterface {
  name = 'Apps1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE developers (
        user_id text PRIMARY KEY CONSTRAINT developers_user_fkey REFERENCES users,
        display_name text NOT NULL,
        website text,
        description text NOT NULL DEFAULT '',
        tier text NOT NULL DEFAULT 'explorer' CONSTRAINT developers_tier_check CHECK (tier IN ('explorer', 'indie', 'studio', 'partner')),
        registered_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE apps (
        app_id text PRIMARY KEY CONSTRAINT apps_app_id_check CHECK (app_id ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'),
        developer_id text CONSTRAINT apps_developer_fkey REFERENCES developers,
        display_name text NOT NULL,
        short_description text NOT NULL DEFAULT '',
        description text NOT NULL DEFAULT '',
        long_description text NOT NULL DEFAULT '',
        category text NOT NULL DEFAULT 'general',
        tags text[] NOT NULL DEFAULT '{}',
        icon text,
        icon_svg text CONSTRAINT apps_icon_size_check CHECK (octet_length(icon_svg) <= 65536),
        git_url text,
        pricing_model text NOT NULL DEFAULT 'free'
          CONSTRAINT apps_pricing_model_check CHECK (pricing_model IN ('free', 'per_action', 'subscription')),
        pricing_config jsonb,
        revenue_split_dev smallint NOT NULL DEFAULT 70 CONSTRAINT apps_revenue_split_check CHECK (revenue_split_dev BETWEEN 50 AND 95),
        system boolean NOT NULL DEFAULT false,
        featured boolean NOT NULL DEFAULT false,
        status text NOT NULL DEFAULT 'draft'
          CONSTRAINT apps_status_check CHECK (status IN ('draft', 'pending_review', 'active', 'suspended')),
        reject_reason text,
        submitted_at timestamptz,
        submitted_version text,
        published_at timestamptz,
        served_version text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT apps_developer_check CHECK (system OR developer_id IS NOT NULL),
        CONSTRAINT apps_served_check CHECK (system OR status <> 'active' OR served_version IS NOT NULL),
        CONSTRAINT apps_submitted_check
          CHECK (status <> 'pending_review' OR (submitted_at IS NOT NULL AND submitted_version IS NOT NULL))
      );
      CREATE INDEX apps_developer_idx ON apps (developer_id, created_at, app_id);
      CREATE INDEX apps_pending_idx ON apps (submitted_at, app_id) WHERE status = 'pending_review';
      CREATE TABLE app_versions (
        app_id text NOT NULL CONSTRAINT app_versions_app_fkey REFERENCES apps ON DELETE CASCADE,
        version text NOT NULL CONSTRAINT app_versions_version_check CHECK (length(version) BETWEEN 1 AND 64),
        sha256 bytea NOT NULL CONSTRAINT app_versions_sha256_check CHECK (octet_length(sha256) = 32),
        document jsonb,
        manifest jsonb NOT NULL CONSTRAINT app_versions_manifest_size_check CHECK (octet_length(manifest::text) <= 1048576),
        registry_held_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT app_versions_pkey PRIMARY KEY (app_id, version)
      );
      ALTER TABLE apps ADD CONSTRAINT apps_served_version_fkey
        FOREIGN KEY (app_id, served_version) REFERENCES app_versions (app_id, version);
      CREATE TABLE deploys (
        deploy_id text PRIMARY KEY,
        app_id text NOT NULL CONSTRAINT deploys_app_fkey REFERENCES apps ON DELETE CASCADE,
        version text,
        changelog text NOT NULL DEFAULT '',
        commit_sha text,
        status text NOT NULL DEFAULT 'pending' CONSTRAINT deploys_status_check
          CHECK (status IN ('pending', 'validating', 'syncing', 'success', 'warning', 'failed', 'superseded')),
        error_message text NOT NULL DEFAULT '',
        warnings text[] NOT NULL DEFAULT '{}',
        requested_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz,
        CONSTRAINT deploys_version_fkey FOREIGN KEY (app_id, version) REFERENCES app_versions (app_id, version) ON DELETE CASCADE,
        CONSTRAINT deploys_finished_check CHECK ((status IN ('pending', 'validating', 'syncing')) = (finished_at IS NULL))
      );
      CREATE INDEX deploys_app_idx ON deploys (app_id, created_at, deploy_id);
      CREATE UNIQUE INDEX deploys_one_syncing_idx ON deploys (app_id) WHERE status = 'syncing';
      CREATE INDEX deploys_unfinished_idx ON deploys (created_at) WHERE status IN ('pending', 'validating', 'syncing');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE apps DROP CONSTRAINT apps_served_version_fkey; DROP TABLE deploys, app_versions, apps, developers');
  }
}
