import type { SchemaPart } from '@platform/persistence';

/** Deployed apps with their documents, and their logs. */
export const deployedPart: SchemaPart = {
  tables: `
  CREATE TABLE app_documents (
    app_id text,
    sha256 text CONSTRAINT app_documents_sha256_check CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    document text NOT NULL,
    used_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT app_documents_pkey PRIMARY KEY (app_id, sha256)
  );
  CREATE INDEX app_documents_used_idx ON app_documents (used_at);

  CREATE TABLE deployed_apps (
    app_id text CONSTRAINT deployed_apps_pkey PRIMARY KEY,
    version text NOT NULL,
    sha256 text NOT NULL,
    tenant_id text NOT NULL,
    developer_id text NOT NULL,
    is_active boolean NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    is_suspended boolean NOT NULL,
    hosts text[] NOT NULL,
    capabilities text[] NOT NULL
  );

  CREATE TABLE app_logs (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT app_logs_pkey PRIMARY KEY,
    app_id text NOT NULL,
    at timestamptz NOT NULL,
    level text NOT NULL CONSTRAINT app_logs_level_check CHECK (level IN ('info', 'warning', 'error')),
    message text NOT NULL,
    kind text NOT NULL,
    handler text NOT NULL,
    request_id text,
    user_id text
  );
  CREATE INDEX app_logs_app_idx ON app_logs (app_id, id);
  CREATE INDEX app_logs_at_idx ON app_logs (at);

  CREATE TABLE runtime_feed (
    id boolean
      CONSTRAINT runtime_feed_pkey PRIMARY KEY DEFAULT true
      CONSTRAINT runtime_feed_one_row_check CHECK (id),
    revision bigint NOT NULL DEFAULT 0
  );`,
  rows: 'INSERT INTO runtime_feed DEFAULT VALUES',
};
