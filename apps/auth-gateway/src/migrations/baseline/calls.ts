import type { SchemaPart } from '@platform/persistence';

/** Actions, tasks, confirmations, notifications, and other records of calls. */
export const callsPart: SchemaPart = {
  tables: `
  -- Actions have no foreign keys: like the audit log they stay when their app or user is gone, and
  -- one row that cannot be written must not stop the rows that are written with it.
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
  -- The job that sums up actions reads the newest actions of all users every few seconds. The index
  -- has an expression, so that PostgreSQL does not use it for the order of one user's list, where it
  -- would read the newer actions of all others.
  CREATE INDEX actions_time_idx ON actions ((created_at AT TIME ZONE 'UTC'));

  CREATE TABLE confirmations (
    id text PRIMARY KEY,
    user_id text NOT NULL CONSTRAINT confirmations_user_fkey REFERENCES users ON DELETE CASCADE,
    tenant_id text NOT NULL,
    app_id text NOT NULL CONSTRAINT confirmations_app_fkey REFERENCES apps ON DELETE CASCADE,
    function text NOT NULL,
    action_type text NOT NULL
      CONSTRAINT confirmations_action_type_check CHECK (action_type IN ('read', 'write', 'destructive')),
    params text NOT NULL,
    summary text NOT NULL,
    status text NOT NULL DEFAULT 'pending'
      CONSTRAINT confirmations_status_check CHECK (status IN ('pending', 'confirmed', 'cancelled')),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    answered_at timestamptz,
    api_key_id text,
    scopes text[],
    price integer NOT NULL,
    CONSTRAINT confirmations_answered_check CHECK ((status = 'pending') = (answered_at IS NULL)),
    CONSTRAINT confirmations_narrowed_check CHECK (api_key_id IS NULL OR scopes IS NOT NULL)
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
    priority text NOT NULL
      CONSTRAINT notifications_priority_check CHECK (priority IN ('low', 'normal', 'high', 'urgent')),
    subject text,
    message text NOT NULL,
    body text,
    created_at timestamptz NOT NULL DEFAULT now(),
    read_at timestamptz
  );
  CREATE INDEX notifications_user_idx ON notifications (user_id, created_at DESC, id DESC);
  CREATE INDEX notifications_created_idx ON notifications USING brin (created_at);
  CREATE INDEX notifications_unread_idx ON notifications (user_id, created_at DESC, id DESC) WHERE read_at IS NULL;

  CREATE TABLE app_runtime_changes (
    app_id text PRIMARY KEY,
    revision bigint NOT NULL CONSTRAINT app_runtime_changes_revision_key UNIQUE
  );

  CREATE TABLE capability_denials (
    tenant_id text CONSTRAINT capability_denials_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
    app_id text,
    version text,
    capability text,
    counted_since timestamptz NOT NULL DEFAULT now(),
    recorded_at timestamptz NOT NULL DEFAULT now(),
    unrecorded bigint NOT NULL DEFAULT 0 CONSTRAINT capability_denials_unrecorded_check CHECK (unrecorded >= 0),
    PRIMARY KEY (tenant_id, app_id, version, capability)
  );
  CREATE INDEX capability_denials_counted_idx ON capability_denials (counted_since);

  CREATE TABLE counted_uses (
    app_id text,
    key uuid,
    counted_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT counted_uses_pkey PRIMARY KEY (app_id, key)
  );
  CREATE INDEX counted_uses_counted_idx ON counted_uses (counted_at);

  CREATE TABLE tasks (
    id text PRIMARY KEY,
    user_id text NOT NULL CONSTRAINT tasks_user_fkey REFERENCES users ON DELETE CASCADE,
    tenant_id text NOT NULL,
    app_id text NOT NULL CONSTRAINT tasks_app_fkey REFERENCES apps ON DELETE CASCADE,
    function text NOT NULL,
    params text,
    narrowing jsonb,
    slot smallint NOT NULL CONSTRAINT tasks_slot_check CHECK (slot BETWEEN 1 AND 50),
    status text NOT NULL DEFAULT 'queued'
      CONSTRAINT tasks_status_check CHECK (status IN ('queued', 'running', 'cancelling', 'succeeded', 'failed',
        'cancelled')),
    progress smallint NOT NULL DEFAULT 0 CONSTRAINT tasks_progress_check CHECK (progress BETWEEN 0 AND 100),
    message text,
    told_at timestamptz,
    is_repeatable boolean NOT NULL,
    attempts smallint NOT NULL DEFAULT 0,
    run_id text,
    lease_until timestamptz,
    result text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    CONSTRAINT tasks_finished_check CHECK ((status IN ('succeeded', 'failed', 'cancelled')) = (finished_at IS NOT
      NULL)),
    CONSTRAINT tasks_params_check CHECK ((finished_at IS NULL) = (params IS NOT NULL)),
    CONSTRAINT tasks_lease_check CHECK ((status IN ('running', 'cancelling')) = (lease_until IS NOT NULL AND run_id
      IS NOT NULL)),
    CONSTRAINT tasks_result_check CHECK ((status IN ('succeeded', 'failed')) = (result IS NOT NULL))
  );
  CREATE UNIQUE INDEX tasks_slot_key ON tasks (user_id, slot) WHERE finished_at IS NULL;
  CREATE INDEX tasks_user_idx ON tasks (tenant_id, user_id, finished_at);
  CREATE INDEX tasks_app_idx ON tasks (app_id);
  CREATE INDEX tasks_active_idx ON tasks (lease_until) WHERE finished_at IS NULL;
  CREATE INDEX tasks_finished_idx ON tasks (finished_at);`,
};
