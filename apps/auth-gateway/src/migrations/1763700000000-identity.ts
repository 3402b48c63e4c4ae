import { createRateLimitsTable } from '@platform/guards';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tenants, roles, users, sessions and what signs them in. Creates tables only, so it is safe beside running code. */
export class Identity1763700000000 implements MigrationInterface {
  name = 'Identity1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tenants (
        id text PRIMARY KEY CONSTRAINT tenants_id_check CHECK (id ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
        name text NOT NULL,
        is_active boolean NOT NULL DEFAULT true,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE roles (
        id text PRIMARY KEY,
        tenant_id text NOT NULL CONSTRAINT roles_tenant_fkey REFERENCES tenants,
        name text NOT NULL,
        display_name text NOT NULL,
        default_scopes text[] NOT NULL DEFAULT '{}',
        is_system boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT roles_tenant_name_key UNIQUE (tenant_id, name)
      );
      CREATE TABLE users (
        id text PRIMARY KEY,
        tenant_id text NOT NULL CONSTRAINT users_tenant_fkey REFERENCES tenants,
        email text NOT NULL,
        email_canonical text NOT NULL,
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
        email_verified_at timestamptz,
        last_login_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT users_tenant_email_key UNIQUE (tenant_id, email_canonical),
        CONSTRAINT users_email_canonical_check CHECK (email_canonical = lower(email_canonical)),
        CONSTRAINT users_role_fkey FOREIGN KEY (tenant_id, role) REFERENCES roles (tenant_id, name) ON UPDATE CASCADE
      ) WITH (fillfactor = 80);
      CREATE TABLE sessions (
        id text PRIMARY KEY,
        user_id text NOT NULL CONSTRAINT sessions_user_fkey REFERENCES users ON DELETE CASCADE,
        surface text NOT NULL,
        label text,
        ip_address text,
        ip_bucket text NOT NULL,
        user_agent text,
        refresh_counter integer NOT NULL DEFAULT 0,
        recent_rotations timestamptz[] NOT NULL DEFAULT '{}',
        refresh_arrival timestamptz NOT NULL DEFAULT now(),
        idle_expires_at timestamptz NOT NULL,
        absolute_expires_at timestamptz NOT NULL,
        last_seen_at timestamptz NOT NULL DEFAULT now(),
        created_at timestamptz NOT NULL DEFAULT now(),
        revoked_at timestamptz,
        revoked_reason text
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
    `);
    await createRateLimitsTable(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rate_limits, login_throttles, signing_keys, mail_tokens, sessions, users, roles, tenants');
  }
}
