import type { SchemaPart } from '@platform/persistence';

/** Developers, apps, their versions, deploys and prices. */
export const appsPart: SchemaPart = {
  tables: `
  CREATE SEQUENCE app_runtime_revisions;
  CREATE TABLE developers (
    user_id text PRIMARY KEY CONSTRAINT developers_user_fkey REFERENCES users,
    display_name text NOT NULL,
    website text,
    description text NOT NULL DEFAULT '',
    tier text NOT NULL DEFAULT 'explorer'
      CONSTRAINT developers_tier_check CHECK (tier IN ('explorer', 'indie', 'studio', 'partner')),
    registered_at timestamptz NOT NULL DEFAULT now(),
    tier_term integer NOT NULL DEFAULT 0 CONSTRAINT developers_tier_term_check CHECK (tier_term >= 0),
    tier_expires_at timestamptz
  );
  CREATE INDEX developers_tier_expiry_idx ON developers (tier_expires_at) WHERE tier_expires_at IS NOT NULL;

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
    revenue_split_dev smallint NOT NULL DEFAULT 70
      CONSTRAINT apps_revenue_split_check CHECK (revenue_split_dev BETWEEN 50 AND 95),
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
    stopped_by_platform boolean NOT NULL DEFAULT false,
    homepage text CONSTRAINT apps_homepage_check CHECK (homepage ~ '^https://' AND length(homepage) <= 500),
    license text CONSTRAINT apps_license_check CHECK (length(license) BETWEEN 1 AND 100),
    submitted_sha256 bytea,
    published_sha256 bytea,
    reviews_name_content boolean NOT NULL DEFAULT false,
    price_version integer,
    CONSTRAINT apps_developer_check CHECK (system OR developer_id IS NOT NULL),
    CONSTRAINT apps_served_check CHECK (system OR status <> 'active' OR served_version IS NOT NULL),
    CONSTRAINT apps_submitted_check CHECK (status <> 'pending_review' OR (submitted_at IS NOT NULL AND
      submitted_version IS NOT NULL))
  );
  CREATE INDEX apps_developer_idx ON apps (developer_id, created_at, app_id);
  CREATE INDEX apps_pending_idx ON apps (submitted_at, app_id) WHERE status = 'pending_review';
  CREATE INDEX apps_featured_idx ON apps (app_id) WHERE featured AND status = 'active' AND NOT system;
  CREATE INDEX apps_system_idx ON apps (app_id) WHERE system;

  CREATE TABLE app_versions (
    app_id text CONSTRAINT app_versions_app_fkey REFERENCES apps ON DELETE CASCADE,
    version text CONSTRAINT app_versions_version_check CHECK (length(version) BETWEEN 1 AND 64),
    sha256 bytea NOT NULL CONSTRAINT app_versions_sha256_check CHECK (octet_length(sha256) = 32),
    document jsonb,
    manifest jsonb NOT NULL
      CONSTRAINT app_versions_manifest_size_check CHECK (octet_length(manifest::text) <= 1048576),
    registry_held_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    requested_scopes text[] NOT NULL DEFAULT '{}',
    served_until timestamptz,
    narrowing jsonb,
    replaced_at timestamptz,
    replaced_app jsonb,
    approved_at timestamptz,
    hosts text[] CONSTRAINT app_versions_hosts_check CHECK (cardinality(hosts) <= 50),
    capabilities text[],
    CONSTRAINT app_versions_pkey PRIMARY KEY (app_id, version),
    CONSTRAINT app_versions_lists_check CHECK (document IS NULL OR num_nulls(hosts, capabilities) = 0)
  );
  CREATE INDEX app_versions_apps_idx ON app_versions USING gin ((narrowing -> 'apps')) WHERE narrowing -> 'apps' IS
    NOT NULL;

  CREATE TABLE deploys (
    deploy_id text PRIMARY KEY,
    app_id text NOT NULL CONSTRAINT deploys_app_fkey REFERENCES apps ON DELETE CASCADE,
    version text,
    changelog text NOT NULL DEFAULT '',
    commit_sha text,
    status text NOT NULL DEFAULT 'pending'
      CONSTRAINT deploys_status_check CHECK (status IN ('pending', 'validating', 'syncing', 'waiting', 'success',
        'warning', 'failed', 'superseded')),
    error_message text NOT NULL DEFAULT '',
    warnings text[] NOT NULL DEFAULT '{}',
    requested_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    number integer NOT NULL,
    failed_attempts integer NOT NULL DEFAULT 0,
    validated_at timestamptz,
    held_at timestamptz,
    released_at timestamptz,
    narrowing jsonb,
    waits_for jsonb,
    CONSTRAINT deploys_finished_check CHECK ((status IN ('pending', 'validating', 'syncing')) = (finished_at IS
      NULL)),
    CONSTRAINT deploys_version_fkey FOREIGN KEY (app_id, version) REFERENCES app_versions (app_id, version) ON
      DELETE CASCADE,
    CONSTRAINT deploys_number_key UNIQUE (app_id, number),
    CONSTRAINT deploys_waiting_check CHECK (status <> 'waiting' OR waits_for IS NOT NULL)
  );
  CREATE UNIQUE INDEX deploys_one_syncing_idx ON deploys (app_id) WHERE status = 'syncing';
  CREATE INDEX deploys_unfinished_idx ON deploys (created_at) WHERE status IN ('pending', 'validating', 'syncing');
  CREATE INDEX deploys_unreleased_idx ON deploys (app_id) WHERE status = 'success' AND released_at IS NULL;
  CREATE UNIQUE INDEX deploys_one_waiting_idx ON deploys (app_id) WHERE status = 'waiting';

  CREATE TABLE app_mismatches (
    app_id text PRIMARY KEY CONSTRAINT app_mismatches_app_fkey REFERENCES apps ON DELETE CASCADE,
    kind text NOT NULL CONSTRAINT app_mismatches_kind_check CHECK (kind IN ('foreign_version', 'other_content')),
    registry_version text,
    since timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE retired_app_ids (
    app_id text PRIMARY KEY,
    developer_id text NOT NULL CONSTRAINT retired_app_ids_developer_fkey REFERENCES developers,
    retired_at timestamptz NOT NULL DEFAULT now(),
    stopped_by_platform boolean NOT NULL DEFAULT false,
    was_reviewed boolean NOT NULL DEFAULT false
  );

  -- No foreign key to apps: old prices are read when the app is gone.
  CREATE TABLE app_prices (
    app_id text,
    version integer CONSTRAINT app_prices_version_check CHECK (version >= 1),
    model text NOT NULL CONSTRAINT app_prices_model_check CHECK (model IN ('per_action', 'subscription')),
    function_prices jsonb NOT NULL,
    monthly_price bigint NOT NULL
      CONSTRAINT app_prices_monthly_price_check CHECK (monthly_price BETWEEN 0 AND 10000000),
    split smallint NOT NULL CONSTRAINT app_prices_split_check CHECK (split BETWEEN 50 AND 95),
    created_at timestamptz NOT NULL DEFAULT billing_now(),
    CONSTRAINT app_prices_prices_check CHECK (jsonb_typeof(function_prices) = 'object' AND (model = 'per_action') =
      (function_prices <> '{}') AND (model = 'subscription') = (monthly_price > 0)),
    CONSTRAINT app_prices_pkey PRIMARY KEY (app_id, version)
  );

  ALTER TABLE apps ADD CONSTRAINT apps_served_version_fkey FOREIGN KEY (app_id, served_version)
    REFERENCES app_versions (app_id, version);
  ALTER TABLE apps ADD CONSTRAINT apps_submitted_version_fkey FOREIGN KEY (app_id, submitted_version)
    REFERENCES app_versions (app_id, version);
  ALTER TABLE apps ADD CONSTRAINT apps_price_version_fkey FOREIGN KEY (app_id, price_version)
    REFERENCES app_prices (app_id, version);

  -- For the queries that look for removals of an app that wait in the outbox.
  CREATE INDEX outbox_removals_idx ON outbox ((payload ->> 'app_id'))
    WHERE queue = 'app-sync' AND payload @> '{"removed": true}';`,
  functions: [
    `
  CREATE FUNCTION apps_serve_held_only() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM app_versions
        WHERE app_id = NEW.app_id AND version = NEW.served_version AND registry_held_at IS NOT NULL) THEN
      RAISE EXCEPTION 'The Registry does not hold version % of %.', NEW.served_version, NEW.app_id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'apps_served_held_check';
    END IF;
    RETURN NEW;
  END
  $$`,
    `
  CREATE FUNCTION app_versions_keep() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    had_content boolean := OLD.document IS NOT NULL OR OLD.manifest -> 'tools' <> '[]' OR OLD.manifest -> 'skeleton_sections' <> '[]';
  BEGIN
    IF had_content THEN
      -- Locked, so that it stays a draft until this transaction ends.
      PERFORM FROM apps WHERE app_id = NEW.app_id AND status = 'draft' FOR SHARE;
    END IF;
    IF (OLD.app_id, OLD.version) <> (NEW.app_id, NEW.version) OR had_content AND NOT FOUND THEN
      RAISE EXCEPTION 'A version of an app never changes.' USING ERRCODE = 'check_violation', CONSTRAINT = 'app_versions_immutable_check';
    END IF;
    IF NEW.registry_held_at IS NOT NULL OR EXISTS (SELECT FROM apps WHERE app_id = NEW.app_id AND served_version = NEW.version) THEN
      RAISE EXCEPTION 'Version % of % is served.', NEW.version, NEW.app_id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'apps_served_held_check';
    END IF;
    IF had_content THEN
      NEW.replaced_at := now();
      NEW.replaced_app := CASE WHEN OLD.registry_held_at IS NOT NULL THEN OLD.document -> 'app' ELSE OLD.replaced_app END;
    END IF;
    RETURN NEW;
  END
  $$`,
    `
  -- Transactions do not commit in the order of their revisions. A transaction that takes a revision
  -- holds this lock, shared, until it ends. The reader of the changes takes the lock alone, so that
  -- every revision below the highest one is then committed or will never be.
  CREATE FUNCTION note_app_runtime_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE changed text := coalesce(NEW.app_id, OLD.app_id);
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(7340519268415530912);
    INSERT INTO app_runtime_changes (app_id, revision) VALUES (changed, nextval('app_runtime_revisions'))
      ON CONFLICT (app_id) DO UPDATE SET revision = excluded.revision;
    RETURN NULL;
  END $$`,
    `
  -- Scopes that the functions require, and the capabilities of the document that name a scope and
  -- no part of the runtime. Never '*', by which a function says that it requires nothing in
  -- particular.
  CREATE FUNCTION scopes_requested_by(manifest jsonb, document jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(array_agg(DISTINCT scope ORDER BY scope), '{}') FROM (
      SELECT regexp_replace(value #>> '{}', '[.]', ':') AS scope
      FROM jsonb_path_query(manifest, '$.tools[*].required_scopes[*] ? (@.type() == "string")') AS value
      UNION ALL
      SELECT regexp_replace(value #>> '{}', '[.]', ':')
      FROM jsonb_path_query(document, '$.app.capabilities[*] ? (@.type() == "string")') AS value
      WHERE value #>> '{}' !~ '^(store|cache|config|secret|secrets|http|call|ai|notify|emit|log|crypto|transform|control|ui)[:.]'
    ) AS requested WHERE scope ~ '^[a-z0-9_-]{1,64}:([a-z0-9_-]{1,64}|[*])$'
  $$`,
    `
  CREATE FUNCTION app_versions_request_scopes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.requested_scopes := scopes_requested_by(NEW.manifest, NEW.document);
    IF cardinality(NEW.requested_scopes) > 200 THEN
      RAISE EXCEPTION 'A version may ask for 200 scopes at most.'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'app_versions_requested_scopes_check';
    END IF;
    RETURN NEW;
  END
  $$`,
    `
  CREATE FUNCTION apps_note_served_until() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE app_versions SET served_until = now() WHERE app_id = OLD.app_id AND version = OLD.served_version;
    RETURN NULL;
  END
  $$`,
    `
  -- A version that gets its content later was never served with it.
  CREATE FUNCTION app_versions_begin_anew() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.served_until := NULL;
    NEW.approved_at := NULL;
    RETURN NEW;
  END
  $$`,
    `
  CREATE FUNCTION apps_note_approved() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE app_versions SET approved_at = now() WHERE app_id = NEW.app_id AND version = NEW.served_version AND approved_at IS NULL;
    RETURN NULL;
  END
  $$`,
    `
  -- An app outside the marketplace is reviewed as a whole, so no version of it counts as approved.
  CREATE FUNCTION apps_end_waiting() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE app_versions SET approved_at = NULL WHERE app_id = NEW.app_id AND approved_at IS NOT NULL;
    UPDATE deploys SET status = 'superseded', finished_at = now() WHERE app_id = NEW.app_id AND status = 'waiting';
    RETURN NULL;
  END
  $$`,
    `
  CREATE FUNCTION apps_keep_decisions() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO retired_app_ids (app_id, developer_id, stopped_by_platform, was_reviewed)
      VALUES (OLD.app_id, OLD.developer_id, OLD.stopped_by_platform,
        OLD.submitted_at IS NOT NULL OR OLD.published_at IS NOT NULL OR OLD.reviews_name_content)
      ON CONFLICT (app_id) DO UPDATE SET stopped_by_platform = EXCLUDED.stopped_by_platform, was_reviewed = EXCLUDED.was_reviewed;
    RETURN NULL;
  END
  $$`,
    `
  -- Runs after the insert, which has waited for a transaction that deletes an app with this id.
  CREATE FUNCTION apps_take_up_decisions() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE apps a SET stopped_by_platform = r.stopped_by_platform, reviews_name_content = r.was_reviewed
      FROM retired_app_ids r WHERE a.app_id = NEW.app_id AND r.app_id = a.app_id AND (r.stopped_by_platform OR r.was_reviewed);
    RETURN NULL;
  END
  $$`,
    `
  CREATE FUNCTION app_versions_keep_asked() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'What a version asks for never changes.'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'app_versions_immutable_check';
  END
  $$`,
  ],
  triggers: `
  CREATE TRIGGER apps_serve_held_only BEFORE INSERT OR UPDATE OF served_version ON apps FOR EACH ROW WHEN
    (NEW.served_version IS NOT NULL) EXECUTE FUNCTION apps_serve_held_only();
  CREATE TRIGGER apps_note_runtime AFTER INSERT ON apps FOR EACH ROW WHEN (NEW.served_version IS NOT NULL) EXECUTE
    FUNCTION note_app_runtime_change();
  CREATE TRIGGER apps_note_runtime_change AFTER UPDATE ON apps FOR EACH ROW WHEN ((OLD.served_version, OLD.status,
    OLD.developer_id) IS DISTINCT FROM (NEW.served_version, NEW.status, NEW.developer_id) AND
    coalesce(OLD.served_version, NEW.served_version) IS NOT NULL) EXECUTE FUNCTION note_app_runtime_change();
  CREATE TRIGGER apps_note_runtime_end AFTER DELETE ON apps FOR EACH ROW WHEN (OLD.served_version IS NOT NULL)
    EXECUTE FUNCTION note_app_runtime_change();
  CREATE TRIGGER apps_note_served_until AFTER UPDATE OF served_version ON apps FOR EACH ROW WHEN (OLD.served_version
    IS NOT NULL AND OLD.served_version IS DISTINCT FROM NEW.served_version) EXECUTE FUNCTION
    apps_note_served_until();
  CREATE TRIGGER apps_note_stopped AFTER UPDATE OF stopped_by_platform ON apps FOR EACH ROW WHEN
    (OLD.stopped_by_platform <> NEW.stopped_by_platform AND NEW.served_version IS NOT NULL) EXECUTE FUNCTION
    note_app_runtime_change();
  CREATE TRIGGER apps_note_approved AFTER UPDATE OF status, served_version ON apps FOR EACH ROW WHEN (NEW.status =
    'active' AND NEW.served_version IS NOT NULL AND (OLD.status, OLD.served_version) IS DISTINCT FROM (NEW.status,
    NEW.served_version)) EXECUTE FUNCTION apps_note_approved();
  -- An app outside the marketplace is reviewed as a whole, so no version of it counts as approved.
  CREATE TRIGGER apps_end_waiting AFTER UPDATE OF status ON apps FOR EACH ROW WHEN (OLD.status = 'active' AND
    NEW.status <> 'active') EXECUTE FUNCTION apps_end_waiting();
  CREATE TRIGGER apps_keep_decisions AFTER DELETE ON apps FOR EACH ROW WHEN (OLD.developer_id IS NOT NULL AND
    (OLD.stopped_by_platform OR OLD.submitted_at IS NOT NULL OR OLD.published_at IS NOT NULL OR
    OLD.reviews_name_content)) EXECUTE FUNCTION apps_keep_decisions();
  -- Runs after the insert, which has waited for a transaction that deletes an app with this id.
  CREATE TRIGGER apps_take_up_decisions AFTER INSERT ON apps FOR EACH ROW EXECUTE FUNCTION apps_take_up_decisions();
  CREATE TRIGGER app_versions_keep BEFORE UPDATE ON app_versions FOR EACH ROW WHEN ((OLD.app_id, OLD.version,
    OLD.sha256, OLD.document::text, OLD.manifest::text) IS DISTINCT FROM (NEW.app_id, NEW.version, NEW.sha256,
    NEW.document::text, NEW.manifest::text)) EXECUTE FUNCTION app_versions_keep();
  CREATE TRIGGER app_versions_request_scopes BEFORE INSERT OR UPDATE OF manifest, document ON app_versions FOR EACH
    ROW EXECUTE FUNCTION app_versions_request_scopes();
  -- A version that gets its content later was never served with it.
  CREATE TRIGGER app_versions_begin_anew BEFORE UPDATE OF sha256 ON app_versions FOR EACH ROW WHEN (OLD.sha256 <>
    NEW.sha256) EXECUTE FUNCTION app_versions_begin_anew();
  CREATE TRIGGER app_versions_keep_hosts BEFORE UPDATE OF hosts ON app_versions FOR EACH ROW WHEN (OLD.sha256 =
    NEW.sha256 AND OLD.hosts IS DISTINCT FROM NEW.hosts) EXECUTE FUNCTION app_versions_keep_asked();
  CREATE TRIGGER app_versions_keep_capabilities BEFORE UPDATE OF capabilities ON app_versions FOR EACH ROW WHEN
    (OLD.sha256 = NEW.sha256 AND OLD.capabilities IS DISTINCT FROM NEW.capabilities) EXECUTE FUNCTION
    app_versions_keep_asked();`,
};
