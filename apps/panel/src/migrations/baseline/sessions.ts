import type { SchemaPart } from '@platform/persistence';

/** Sessions of the panel. */
export const sessionsPart: SchemaPart = {
  tables: `
  CREATE TABLE sessions (
    key bytea PRIMARY KEY CONSTRAINT sessions_key_check CHECK (length(key) = 32),
    user_id text NOT NULL,
    gateway_session_id text NOT NULL,
    sealed_tokens text NOT NULL,
    tokens_version integer NOT NULL DEFAULT 0,
    access_expires_at timestamptz NOT NULL,
    idle_expires_at timestamptz NOT NULL,
    absolute_expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT sessions_expiry_check CHECK (idle_expires_at <= absolute_expires_at)
  );
  CREATE INDEX sessions_expiry_idx ON sessions (idle_expires_at);`,
};
