import type { SchemaPart } from '@platform/persistence';

/** Answers of idempotent requests. */
export const kernelPart: SchemaPart = {
  tables: `
  CREATE TABLE idempotent_requests (
    id text PRIMARY KEY,
    tenant_id text NOT NULL CONSTRAINT idempotent_requests_tenant_fkey REFERENCES tenants,
    user_id text CONSTRAINT idempotent_requests_user_fkey REFERENCES users,
    owner text NOT NULL,
    target text NOT NULL,
    key text NOT NULL CONSTRAINT idempotent_requests_key_check CHECK (length(key) BETWEEN 1 AND 255),
    sha256 bytea NOT NULL CONSTRAINT idempotent_requests_sha256_check CHECK (octet_length(sha256) = 32),
    attempt uuid NOT NULL,
    leased_until timestamptz NOT NULL,
    status smallint CONSTRAINT idempotent_requests_status_check CHECK (status BETWEEN 200 AND 499),
    body json CONSTRAINT idempotent_requests_body_check CHECK (octet_length(body::text) <= 65536),
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT idempotent_requests_done_check CHECK (status IS NOT NULL OR body IS NULL),
    CONSTRAINT idempotent_requests_owner_target_key UNIQUE (owner, target, key)
  );
  CREATE INDEX idempotent_requests_user_idx ON idempotent_requests (user_id);
  CREATE INDEX idempotent_requests_created_idx ON idempotent_requests (created_at);`,
};
