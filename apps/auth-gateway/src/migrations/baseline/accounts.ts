import type { SchemaPart } from '@platform/persistence';

/** Tenants, agencies, roles and users. */
export const accountsPart: SchemaPart = {
  before: [
    `
  -- Equal for texts that differ in case, in accents, or in the encoding of a letter.
  CREATE FUNCTION folded(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE WHEN octet_length(given) = char_length(given) THEN lower(given)
  ELSE translate(replace(lower(regexp_replace(normalize(given, NFKD), U&'[\\0300-\\036F]', '', 'g')), 'ß', 'ss'), 'ςı', 'σi') END`,
  ],
  tables: `
  CREATE TABLE tenants (
    id text PRIMARY KEY CONSTRAINT tenants_id_check CHECK (id ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
    name text NOT NULL,
    is_active boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now(),
    db_backend text NOT NULL DEFAULT 'postgresql' CONSTRAINT tenants_db_backend_check CHECK (db_backend = 'postgresql'),
    isolation text NOT NULL DEFAULT 'shared'
      CONSTRAINT tenants_isolation_check CHECK (isolation IN ('shared', 'dedicated')),
    allowed_auth_methods text[] NOT NULL DEFAULT '{email,api_key}'
      CONSTRAINT tenants_auth_methods_check CHECK (allowed_auth_methods <@ '{email,api_key}' AND
        allowed_auth_methods <> '{}'),
    max_connections integer NOT NULL DEFAULT 10
      CONSTRAINT tenants_max_connections_check CHECK (max_connections BETWEEN 1 AND 500),
    features jsonb NOT NULL DEFAULT '{}',
    parent_tenant_id text CONSTRAINT tenants_parent_fkey REFERENCES tenants,
    can_resell boolean NOT NULL DEFAULT false,
    custom_pricing jsonb NOT NULL DEFAULT '{}',
    ui_config jsonb NOT NULL DEFAULT '{}',
    sealed_db_config text,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT tenants_parent_check CHECK (parent_tenant_id <> id),
    CONSTRAINT tenants_default_check CHECK (id <> 'default' OR is_active),
    CONSTRAINT tenants_default_auth_methods_check CHECK (id <> 'default' OR 'email' = ANY (allowed_auth_methods)),
    CONSTRAINT tenants_dedicated_check CHECK ((isolation = 'dedicated') = (sealed_db_config IS NOT NULL))
  );
  CREATE INDEX tenants_parent_idx ON tenants (parent_tenant_id, id);

  CREATE TABLE roles (
    id text PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT roles_tenant_fkey REFERENCES tenants,
    name text NOT NULL,
    display_name text NOT NULL,
    default_scopes text[] NOT NULL DEFAULT '{}',
    is_system boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    default_attributes jsonb NOT NULL DEFAULT '{}',
    default_extensions text[] NOT NULL DEFAULT '{}',
    confirmation_policy text NOT NULL DEFAULT 'default_off'
      CONSTRAINT roles_confirmation_policy_check CHECK (confirmation_policy IN ('enforced', 'default_on',
        'default_off', 'disabled')),
    max_concurrent_tasks integer NOT NULL DEFAULT 3
      CONSTRAINT roles_max_concurrent_tasks_check CHECK (max_concurrent_tasks BETWEEN 1 AND 50),
    monthly_action_limit integer NOT NULL DEFAULT 500
      CONSTRAINT roles_monthly_action_limit_check CHECK (monthly_action_limit >= 0),
    context_window integer NOT NULL DEFAULT 20
      CONSTRAINT roles_context_window_check CHECK (context_window BETWEEN 5 AND 200),
    CONSTRAINT roles_tenant_name_key UNIQUE (tenant_id, name)
  );

  CREATE TABLE users (
    id text PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT users_tenant_fkey REFERENCES tenants,
    email text NOT NULL,
    email_canonical text NOT NULL
      CONSTRAINT users_email_canonical_check CHECK (email_canonical = lower(email_canonical)),
    password_hash text,
    first_name text,
    last_name text,
    role text NOT NULL DEFAULT 'user',
    scopes text[] NOT NULL DEFAULT '{}',
    attributes jsonb NOT NULL DEFAULT '{}',
    agency_id text,
    org_id text,
    auth_method text NOT NULL DEFAULT 'email',
    cases_user_id integer,
    is_active boolean NOT NULL DEFAULT true,
    last_login_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    nickname text CONSTRAINT users_nickname_check CHECK (nickname ~ '^[a-z0-9][a-z0-9_-]{1,28}[a-z0-9]$'),
    provisioned_at timestamptz,
    denied_scopes text[] NOT NULL DEFAULT '{}',
    erased_at timestamptz,
    credentials_epoch integer NOT NULL DEFAULT 0,
    confirmation_enabled boolean,
    notification_settings jsonb,
    CONSTRAINT users_tenant_email_key UNIQUE (tenant_id, email_canonical),
    CONSTRAINT users_role_fkey FOREIGN KEY (tenant_id, role) REFERENCES roles (tenant_id, name) ON UPDATE CASCADE,
    CONSTRAINT users_nickname_key UNIQUE (nickname)
  ) WITH (fillfactor = 80);
  CREATE INDEX users_list_idx ON users (tenant_id, created_at, id) WHERE erased_at IS NULL;
  CREATE INDEX users_active_idx ON users (tenant_id, is_active, created_at, id) WHERE erased_at IS NULL;
  CREATE INDEX users_role_idx ON users (tenant_id, role, created_at, id);
  CREATE INDEX users_scopes_idx ON users USING gin (scopes) WHERE scopes <> '{}';
  CREATE INDEX users_folded_idx ON users USING gin (folded(' ' || email || ' ' || coalesce(first_name, '') || ' ' ||
    coalesce(last_name, '')) gin_trgm_ops);
  ALTER INDEX users_folded_idx ALTER COLUMN 1 SET STATISTICS 1000;

  CREATE TABLE agencies (
    tenant_id text CONSTRAINT agencies_tenant_fkey REFERENCES tenants,
    agency_id text
      CONSTRAINT agencies_agency_id_check CHECK (agency_id ~ '^[a-z0-9][a-z0-9_-]{2,49}$' AND agency_id <>
        'default'),
    display_name text NOT NULL,
    domain text
      CONSTRAINT agencies_domain_check CHECK (domain = lower(domain))
      CONSTRAINT agencies_domain_key UNIQUE,
    settings jsonb NOT NULL DEFAULT '{}'
      CONSTRAINT agencies_settings_size_check CHECK (octet_length(settings::text) <= 65536),
    theme jsonb,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT agencies_pkey PRIMARY KEY (tenant_id, agency_id)
  );
  CREATE INDEX agencies_created_idx ON agencies (tenant_id, created_at, agency_id);

  ALTER TABLE users ADD CONSTRAINT users_agency_fkey FOREIGN KEY (tenant_id, agency_id)
    REFERENCES agencies (tenant_id, agency_id);`,
  functions: [
    `
  -- A tenant exists before its children, and its parent never changes, so parents never form a
  -- circle.
  CREATE FUNCTION tenants_keep_parent() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'The parent of a tenant cannot be changed.' USING ERRCODE = 'integrity_constraint_violation';
  END
  $$`,
    `
  CREATE FUNCTION name_database_of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.isolation := CASE WHEN NEW.sealed_db_config IS NULL THEN 'shared' ELSE 'dedicated' END;
    RETURN NEW;
  END $$`,
  ],
  triggers: `
  -- A tenant exists before its children, and its parent never changes, so parents never form a
  -- circle.
  CREATE TRIGGER tenants_keep_parent BEFORE UPDATE ON tenants FOR EACH ROW WHEN (OLD.parent_tenant_id IS DISTINCT
    FROM NEW.parent_tenant_id) EXECUTE FUNCTION tenants_keep_parent();
  CREATE TRIGGER tenants_name_database BEFORE INSERT OR UPDATE OF isolation, sealed_db_config ON tenants
    FOR EACH ROW EXECUTE FUNCTION name_database_of_tenant();`,
};
