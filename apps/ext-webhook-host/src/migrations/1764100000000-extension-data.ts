import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What extensions keep: documents, processed events, secrets, cache. Creates what was not there, so it is safe beside running code. */
export class ExtensionData1764100000000 implements MigrationInterface {
  name = 'ExtensionData1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE documents (
        tenant_id text NOT NULL,
        app_id text NOT NULL,
        collection text NOT NULL,
        user_id text NOT NULL,
        id text NOT NULL,
        data jsonb NOT NULL CONSTRAINT documents_data_check CHECK (jsonb_typeof(data) = 'object'),
        bytes integer NOT NULL,
        etag text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT documents_pkey PRIMARY KEY (tenant_id, app_id, collection, user_id, id),
        CONSTRAINT documents_scope_check CHECK (position('/' IN tenant_id || app_id || collection || user_id) = 0),
        CONSTRAINT documents_size_check CHECK (bytes = octet_length(data::text) AND bytes <= 262144)
      );
      CREATE INDEX documents_created_idx ON documents (tenant_id, app_id, collection, user_id, created_at, id);

      -- jsonb_path_ops indexes a value together with the path to it. Whose document it is stands at the beginning of that path, so that a
      -- search finds what one user has and does not read what all others have. jsonb_build_object is only STABLE because it takes any type.
      CREATE FUNCTION document_terms(tenant_id text, app_id text, collection text, user_id text, data jsonb) RETURNS jsonb
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN jsonb_build_object(tenant_id || '/' || app_id || '/' || collection || '/' || user_id, data);
      CREATE INDEX documents_where_idx ON documents
        USING gin (document_terms(tenant_id, app_id, collection, user_id, data) jsonb_path_ops) WITH (fastupdate = off);

      CREATE TABLE document_usage (
        tenant_id text NOT NULL,
        app_id text NOT NULL,
        shard smallint NOT NULL,
        documents bigint NOT NULL,
        bytes bigint NOT NULL,
        CONSTRAINT document_usage_pkey PRIMARY KEY (tenant_id, app_id, shard)
      ) WITH (fillfactor = 50);

      CREATE FUNCTION add_document_usage(to_tenant_id text, to_app_id text, more_documents bigint, more_bytes bigint) RETURNS void
        LANGUAGE sql AS $$
          INSERT INTO ext_host.document_usage AS known (tenant_id, app_id, shard, documents, bytes)
            SELECT to_tenant_id, to_app_id, floor(random() * 16), more_documents, more_bytes WHERE more_documents <> 0 OR more_bytes <> 0
            ON CONFLICT (tenant_id, app_id, shard)
              DO UPDATE SET documents = known.documents + excluded.documents, bytes = known.bytes + excluded.bytes
        $$;
      CREATE FUNCTION count_documents() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          PERFORM ext_host.add_document_usage(tenant_id, app_id, count(*), sum(bytes)) FROM added GROUP BY tenant_id, app_id;
        ELSIF TG_OP = 'DELETE' THEN
          PERFORM ext_host.add_document_usage(tenant_id, app_id, -count(*), -sum(bytes)) FROM removed GROUP BY tenant_id, app_id;
        ELSE
          PERFORM ext_host.add_document_usage(tenant_id, app_id, sum(documents)::bigint, sum(bytes)::bigint) FROM (
            SELECT tenant_id, app_id, 1 AS documents, bytes FROM added
            UNION ALL SELECT tenant_id, app_id, -1, -bytes FROM removed
          ) AS changes GROUP BY tenant_id, app_id;
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER documents_added AFTER INSERT ON documents
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_documents();
      CREATE TRIGGER documents_changed AFTER UPDATE ON documents
        REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_documents();
      CREATE TRIGGER documents_removed AFTER DELETE ON documents
        REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_documents();

      CREATE TABLE processed_events (
        tenant_id text NOT NULL,
        app_id text NOT NULL,
        event_id text NOT NULL,
        run_id text NOT NULL,
        done boolean NOT NULL DEFAULT false,
        expires_at timestamptz NOT NULL,
        CONSTRAINT processed_events_pkey PRIMARY KEY (tenant_id, app_id, event_id)
      );
      CREATE INDEX processed_events_expiry_idx ON processed_events (expires_at);

      CREATE TABLE secrets (
        app_id text NOT NULL,
        identity text NOT NULL,
        name text NOT NULL,
        sealed text NOT NULL CONSTRAINT secrets_size_check CHECK (octet_length(sealed) <= 90000),
        key_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT secrets_pkey PRIMARY KEY (app_id, identity, name),
        CONSTRAINT secrets_key_check CHECK (starts_with(sealed, key_id || '.'))
      );
      CREATE INDEX secrets_key_idx ON secrets (key_id);

      CREATE UNLOGGED TABLE cache_entries (
        tenant_id text NOT NULL,
        app_id text NOT NULL,
        user_id text NOT NULL,
        key text NOT NULL,
        value text NOT NULL CONSTRAINT cache_entries_size_check CHECK (octet_length(value) <= 65536),
        expires_at timestamptz NOT NULL,
        CONSTRAINT cache_entries_pkey PRIMARY KEY (tenant_id, app_id, user_id, key)
      );
      CREATE INDEX cache_entries_expiry_idx ON cache_entries (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE cache_entries, secrets, processed_events, document_usage, documents;
      DROP FUNCTION count_documents, add_document_usage, document_terms;
    `);
  }
}
