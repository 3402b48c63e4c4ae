import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Command-line and device login, API keys, nicknames. Creates tables, and adds columns that may be null, so it is safe beside running
 * code; the unique index on `users` is built over an empty column.
 */
export class IdentityComplete1763800000000 implements MigrationInterface {
  name = 'IdentityComplete1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users
        ADD COLUMN nickname text CONSTRAINT users_nickname_check CHECK (nickname ~ '^[a-z0-9][a-z0-9_-]{1,28}[a-z0-9]$'),
        ADD COLUMN provisioned_at timestamptz,
        ADD CONSTRAINT users_nickname_key UNIQUE (nickname);
      ALTER TABLE sessions ADD CONSTRAINT sessions_surface_check CHECK (surface IN ('web', 'cli', 'api'));
      CREATE TABLE cli_codes (
        code_hash bytea PRIMARY KEY,
        user_id text NOT NULL CONSTRAINT cli_codes_user_fkey REFERENCES users ON DELETE CASCADE,
        code_challenge text NOT NULL,
        redirect_uri text,
        expires_at timestamptz NOT NULL,
        consumed_at timestamptz,
        session_id text CONSTRAINT cli_codes_session_fkey REFERENCES sessions ON DELETE SET NULL
      );
      CREATE INDEX cli_codes_user_idx ON cli_codes (user_id);
      CREATE INDEX cli_codes_session_idx ON cli_codes (session_id);
      CREATE INDEX cli_codes_expires_idx ON cli_codes (expires_at);
      CREATE TABLE device_codes (
        device_hash bytea PRIMARY KEY,
        user_code_hash bytea NOT NULL CONSTRAINT device_codes_user_code_key UNIQUE,
        code_challenge text NOT NULL,
        status text NOT NULL DEFAULT 'pending' CONSTRAINT device_codes_status_check CHECK (status IN ('pending', 'approved', 'denied')),
        user_id text CONSTRAINT device_codes_user_fkey REFERENCES users ON DELETE CASCADE,
        label text,
        ip_address text,
        ip_bucket text NOT NULL,
        user_agent text,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
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
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE api_keys, device_polls, device_codes, cli_codes;
      ALTER TABLE sessions DROP CONSTRAINT sessions_surface_check;
      ALTER TABLE users DROP COLUMN nickname, DROP COLUMN provisioned_at;
    `);
  }
}
