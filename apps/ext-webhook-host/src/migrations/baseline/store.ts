import type { SchemaPart } from '@platform/persistence';

/** Documents of apps, events that were processed, secrets and the cache. */
export const storePart: SchemaPart = {
  before: [
    `
  -- jsonb_path_ops indexes a value together with the path to it. The path begins with the owner of
  -- the document, so that a search reads only the documents of one user. jsonb_build_object is
  -- STABLE only because it takes any type.
  CREATE FUNCTION document_terms(tenant_id text, app_id text, collection text, user_id text, data jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN jsonb_build_object(tenant_id || '/' || app_id || '/' || collection || '/' || user_id, data)`,
  ],
  tables: `
  CREATE TABLE documents (
    tenant_id text,
    app_id text,
    collection text,
    user_id text,
    id text,
    data jsonb NOT NULL CONSTRAINT documents_data_check CHECK (jsonb_typeof(data) = 'object'),
    bytes integer NOT NULL,
    etag text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT documents_scope_check CHECK (position('/' IN tenant_id || app_id || collection || user_id) = 0),
    CONSTRAINT documents_size_check CHECK (bytes = octet_length(data::text) AND bytes <= 262144),
    CONSTRAINT documents_pkey PRIMARY KEY (tenant_id, app_id, collection, user_id, id)
  );
  CREATE INDEX documents_created_idx ON documents (tenant_id, app_id, collection, user_id, created_at, id);
  CREATE INDEX documents_where_idx ON documents USING gin (document_terms(tenant_id, app_id, collection, user_id,
    data) jsonb_path_ops) WITH (fastupdate = off);
  CREATE INDEX documents_purge_idx ON documents (tenant_id, app_id, user_id, collection, id);

  CREATE TABLE document_usage (
    tenant_id text,
    app_id text,
    shard smallint,
    documents bigint NOT NULL,
    bytes bigint NOT NULL,
    CONSTRAINT document_usage_pkey PRIMARY KEY (tenant_id, app_id, shard)
  ) WITH (fillfactor = 50);
  CREATE INDEX document_usage_app_idx ON document_usage (app_id);

  CREATE TABLE processed_events (
    tenant_id text,
    app_id text,
    event_id text,
    run_id text NOT NULL,
    done boolean NOT NULL DEFAULT false,
    expires_at timestamptz NOT NULL,
    work_id uuid NOT NULL,
    delivery text,
    CONSTRAINT processed_events_pkey PRIMARY KEY (tenant_id, app_id, event_id)
  );
  CREATE INDEX processed_events_expiry_idx ON processed_events (expires_at);

  CREATE TABLE secrets (
    app_id text,
    identity text,
    name text,
    sealed text NOT NULL CONSTRAINT secrets_size_check CHECK (octet_length(sealed) <= 90000),
    key_id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    last_accessed_at timestamptz,
    CONSTRAINT secrets_key_check CHECK (starts_with(sealed, key_id || '.')),
    CONSTRAINT secrets_pkey PRIMARY KEY (app_id, identity, name)
  );
  CREATE INDEX secrets_key_idx ON secrets (key_id);
  CREATE INDEX secrets_identity_idx ON secrets (identity);

  CREATE UNLOGGED TABLE cache_entries (
    tenant_id text,
    app_id text,
    user_id text,
    key text,
    value text NOT NULL CONSTRAINT cache_entries_size_check CHECK (octet_length(value) <= 65536),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, app_id, user_id, key)
  );
  CREATE INDEX cache_entries_expiry_idx ON cache_entries (expires_at);`,
  functions: [
    `
  CREATE FUNCTION add_document_usage(to_tenant_id text, to_app_id text, more_documents bigint, more_bytes bigint) RETURNS void
  LANGUAGE sql AS $$
    INSERT INTO ext_host.document_usage AS known (tenant_id, app_id, shard, documents, bytes)
      SELECT to_tenant_id, to_app_id, floor(random() * 16), more_documents, more_bytes WHERE more_documents <> 0 OR more_bytes <> 0
      ON CONFLICT (tenant_id, app_id, shard)
        DO UPDATE SET documents = known.documents + excluded.documents, bytes = known.bytes + excluded.bytes
  $$`,
    `
  CREATE FUNCTION count_documents() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      PERFORM ext_host.add_document_usage(tenant_id, app_id, documents, bytes) FROM (
        SELECT tenant_id, app_id, count(*) AS documents, sum(bytes) AS bytes FROM added GROUP BY tenant_id, app_id ORDER BY tenant_id, app_id
      ) AS changes;
    ELSIF TG_OP = 'DELETE' THEN
      PERFORM ext_host.add_document_usage(tenant_id, app_id, -documents, -bytes) FROM (
        SELECT tenant_id, app_id, count(*) AS documents, sum(bytes) AS bytes FROM removed GROUP BY tenant_id, app_id ORDER BY tenant_id, app_id
      ) AS changes;
    ELSE
      PERFORM ext_host.add_document_usage(tenant_id, app_id, documents, bytes) FROM (
        SELECT tenant_id, app_id, sum(documents)::bigint AS documents, sum(bytes)::bigint AS bytes FROM (
          SELECT tenant_id, app_id, 1 AS documents, bytes FROM added
          UNION ALL SELECT tenant_id, app_id, -1, -bytes FROM removed
        ) AS both_ways GROUP BY tenant_id, app_id ORDER BY tenant_id, app_id
      ) AS changes;
    END IF;
    RETURN NULL;
  END $$`,
  ],
  triggers: `
  CREATE TRIGGER documents_added AFTER INSERT ON documents REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE
    FUNCTION count_documents();
  CREATE TRIGGER documents_changed AFTER UPDATE ON documents REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR
    EACH STATEMENT EXECUTE FUNCTION count_documents();
  CREATE TRIGGER documents_removed AFTER DELETE ON documents REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
    EXECUTE FUNCTION count_documents();`,
};
