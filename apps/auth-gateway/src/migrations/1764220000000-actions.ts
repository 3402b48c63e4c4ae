import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What users did with apps; calls that wait for their user to agree; and what apps told users. Creates tables and touches no other, so it
 * is safe beside running code. Actions have no foreign keys: like the audit log they outlast what they are about, and one row that cannot
 * be written must not stop the many that are written with it.
 */
export class Actions1764220000000 implements MigrationInterface {
  name = 'Actions1764220000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE actions (
        id text PRIMARY KEY,
        trace_id text NOT NULL CONSTRAINT actions_trace_key UNIQUE,
        user_id text,
        tenant_id text NOT NULL,
        app_id text NOT NULL,
        function text NOT NULL,
        action_type text CONSTRAINT actions_action_type_check CHECK (action_type IN ('read', 'write', 'destructive')),
        status text NOT NULL,
        error_code text,
        error text,
        duration_ms bigint CONSTRAINT actions_duration_check CHECK (duration_ms >= 0),
        tokens_used bigint NOT NULL DEFAULT 0,
        action_price bigint NOT NULL DEFAULT 0,
        extension_price bigint NOT NULL DEFAULT 0,
        platform_fee bigint NOT NULL DEFAULT 0,
        details jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now(),
        completed_at timestamptz,
        CONSTRAINT actions_amounts_check CHECK (least(tokens_used, action_price, extension_price, platform_fee) >= 0)
      );
      CREATE INDEX actions_user_idx ON actions (tenant_id, user_id, created_at DESC, id DESC);
      CREATE INDEX actions_app_idx ON actions (app_id, created_at);
      -- For what is deleted after a time: rows lie in the order of their time, so that this costs a write next to nothing.
      CREATE INDEX actions_created_idx ON actions USING brin (created_at);

      CREATE TABLE confirmations (
        id text PRIMARY KEY,
        user_id text NOT NULL CONSTRAINT confirmations_user_fkey REFERENCES users ON DELETE CASCADE,
        tenant_id text NOT NULL,
        app_id text NOT NULL CONSTRAINT confirmations_app_fkey REFERENCES apps ON DELETE CASCADE,
        function text NOT NULL,
        action_type text NOT NULL CONSTRAINT confirmations_action_type_check CHECK (action_type IN ('write', 'destructive')),
        params text NOT NULL,
        summary text NOT NULL,
        status text NOT NULL DEFAULT 'pending' CONSTRAINT confirmations_status_check CHECK (status IN ('pending', 'confirmed', 'cancelled')),
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        answered_at timestamptz,
        CONSTRAINT confirmations_answered_check CHECK ((status = 'pending') = (answered_at IS NULL))
      );
      CREATE INDEX confirmations_user_idx ON confirmations (user_id, created_at DESC, id DESC);
      CREATE INDEX confirmations_app_idx ON confirmations (app_id);
      CREATE INDEX confirmations_expires_idx ON confirmations (expires_at);

      CREATE TABLE notifications (
        id text PRIMARY KEY,
        user_id text NOT NULL CONSTRAINT notifications_user_fkey REFERENCES users ON DELETE CASCADE,
        tenant_id text NOT NULL,
        app_id text NOT NULL,
        channel text NOT NULL CONSTRAINT notifications_channel_check CHECK (channel IN ('in_app', 'email')),
        priority text NOT NULL CONSTRAINT notifications_priority_check CHECK (priority IN ('low', 'normal', 'high', 'urgent')),
        subject text,
        message text NOT NULL,
        body text,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX notifications_user_idx ON notifications (user_id, created_at DESC, id DESC);
      CREATE INDEX notifications_created_idx ON notifications USING brin (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notifications; DROP TABLE confirmations; DROP TABLE actions');
  }
}
