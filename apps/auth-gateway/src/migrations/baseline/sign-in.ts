import type { SchemaPart } from '@platform/persistence';

/** Sessions, API keys, logins, links in mails, and keys that sign tokens. */
export const signInPart: SchemaPart = {
  tables: `
  CREATE TABLE sessions (
    id text PRIMARY KEY,
    user_id text NOT NULL CONSTRAINT sessions_user_fkey REFERENCES users ON DELETE CASCADE,
    surface text NOT NULL CONSTRAINT sessions_surface_check CHECK (surface IN ('web', 'cli', 'api')),
    label text,
    ip_address text,
    user_agent text,
    refresh_counter integer NOT NULL DEFAULT 0,
    recent_rotations timestamptz[] NOT NULL DEFAULT '{}',
    refresh_arrival timestamptz NOT NULL DEFAULT now(),
    idle_expires_at timestamptz NOT NULL,
    absolute_expires_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz,
    revoked_reason text,
    registered boolean NOT NULL DEFAULT false
  ) WITH (fillfactor = 70);
  CREATE INDEX sessions_user_idx ON sessions (user_id, created_at);

  CREATE TABLE mail_tokens (
    id text PRIMARY KEY,
    user_id text NOT NULL CONSTRAINT mail_tokens_user_fkey REFERENCES users ON DELETE CASCADE,
    purpose text NOT NULL,
    hash bytea NOT NULL CONSTRAINT mail_tokens_hash_key UNIQUE,
    expires_at timestamptz NOT NULL,
    CONSTRAINT mail_tokens_user_purpose_key UNIQUE (user_id, purpose)
  );

  CREATE TABLE signing_keys (
    kid text PRIMARY KEY,
    state text NOT NULL CONSTRAINT signing_keys_state_check CHECK (state IN ('next', 'current', 'retiring')),
    public_jwk jsonb NOT NULL,
    sealed_private_jwk text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    activated_at timestamptz,
    retired_at timestamptz
  );
  CREATE UNIQUE INDEX signing_keys_one_next_key ON signing_keys (state) WHERE state = 'next';
  CREATE UNIQUE INDEX signing_keys_one_current_key ON signing_keys (state) WHERE state = 'current';

  CREATE TABLE login_throttles (
    key bytea PRIMARY KEY,
    failures integer NOT NULL,
    blocked_until timestamptz,
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX login_throttles_updated_idx ON login_throttles (updated_at);

  CREATE TABLE cli_codes (
    code_hash bytea PRIMARY KEY,
    user_id text NOT NULL CONSTRAINT cli_codes_user_fkey REFERENCES users ON DELETE CASCADE,
    code_challenge text NOT NULL,
    redirect_uri text,
    expires_at timestamptz NOT NULL,
    consumed_at timestamptz,
    session_id text CONSTRAINT cli_codes_session_fkey REFERENCES sessions ON DELETE SET NULL,
    credentials_epoch integer NOT NULL
  );
  CREATE INDEX cli_codes_user_idx ON cli_codes (user_id);
  CREATE INDEX cli_codes_session_idx ON cli_codes (session_id);
  CREATE INDEX cli_codes_expires_idx ON cli_codes (expires_at);

  CREATE TABLE device_codes (
    device_hash bytea PRIMARY KEY,
    user_code_hash bytea NOT NULL CONSTRAINT device_codes_user_code_key UNIQUE,
    code_challenge text NOT NULL,
    status text NOT NULL DEFAULT 'pending'
      CONSTRAINT device_codes_status_check CHECK (status IN ('pending', 'approved', 'denied')),
    user_id text CONSTRAINT device_codes_user_fkey REFERENCES users ON DELETE CASCADE,
    label text,
    ip_address text,
    ip_bucket text NOT NULL,
    user_agent text,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    credentials_epoch integer NOT NULL DEFAULT 0,
    CONSTRAINT device_codes_decided_check CHECK ((status = 'pending') = (user_id IS NULL))
  );
  CREATE INDEX device_codes_user_idx ON device_codes (user_id);
  CREATE INDEX device_codes_pending_idx ON device_codes (ip_bucket) WHERE status = 'pending';
  CREATE INDEX device_codes_expires_idx ON device_codes (expires_at);

  CREATE UNLOGGED TABLE device_polls (
    device_hash bytea PRIMARY KEY,
    polled_at timestamptz NOT NULL,
    interval_seconds integer NOT NULL,
    was_early boolean NOT NULL
  ) WITH (fillfactor = 70);

  CREATE TABLE api_keys (
    id text PRIMARY KEY,
    user_id text NOT NULL CONSTRAINT api_keys_user_fkey REFERENCES users ON DELETE CASCADE,
    lookup text NOT NULL CONSTRAINT api_keys_lookup_key UNIQUE,
    secret_hash bytea NOT NULL,
    hash_version smallint NOT NULL DEFAULT 1,
    name text NOT NULL,
    scopes text[] NOT NULL,
    last_used_at timestamptz,
    expires_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX api_keys_user_idx ON api_keys (user_id, created_at);

  CREATE TABLE pending_credentials (
    id text PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT pending_credentials_tenant_fkey REFERENCES tenants,
    email text NOT NULL CONSTRAINT pending_credentials_email_check CHECK (email = lower(email)),
    password_hash text NOT NULL,
    first_name text,
    last_name text,
    ip_address text,
    user_agent text,
    mail_id text,
    token_hash bytea CONSTRAINT pending_credentials_token_key UNIQUE,
    link_expires_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    mail_deferred boolean NOT NULL DEFAULT false,
    CONSTRAINT pending_credentials_mail_check CHECK (num_nonnulls(mail_id, token_hash, link_expires_at) IN (0, 3))
  );
  CREATE INDEX pending_credentials_email_idx ON pending_credentials (tenant_id, email, created_at);
  CREATE INDEX pending_credentials_created_idx ON pending_credentials (created_at);

  CREATE TABLE sign_in_records (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT sign_in_records_pkey PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT sign_in_records_tenant_fkey REFERENCES tenants,
    user_id text,
    outcome text NOT NULL CONSTRAINT sign_in_records_outcome_check CHECK (outcome IN ('signed_in', 'failed')),
    how text NOT NULL,
    session_id text,
    surface text,
    failures integer,
    blocked_seconds integer,
    ip_address text,
    user_agent text,
    request_id text,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT sign_in_records_whose_check CHECK (outcome = 'failed' OR (user_id IS NOT NULL AND session_id IS NOT
      NULL))
  );
  CREATE INDEX sign_in_records_tenant_idx ON sign_in_records (tenant_id, id);

  CREATE TABLE sign_in_tallies (
    tenant_id text CONSTRAINT sign_in_tallies_tenant_fkey REFERENCES tenants,
    kind text
      CONSTRAINT sign_in_tallies_kind_check CHECK (kind IN ('unknown_account', 'unknown_tenant', 'more_failures',
        'more_sign_ins')),
    times bigint NOT NULL,
    since timestamptz NOT NULL,
    written_at timestamptz,
    accounts jsonb NOT NULL,
    addresses jsonb NOT NULL,
    CONSTRAINT sign_in_tallies_pkey PRIMARY KEY (tenant_id, kind)
  );

  CREATE TABLE mail_outages (
    is_one boolean
      CONSTRAINT mail_outages_pkey PRIMARY KEY DEFAULT true
      CONSTRAINT mail_outages_one_check CHECK (is_one),
    since timestamptz NOT NULL DEFAULT now(),
    told_at timestamptz
  );`,
};
