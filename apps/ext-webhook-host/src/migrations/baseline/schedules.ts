import type { SchemaPart } from '@platform/persistence';

/** Schedules and their runs. */
export const schedulesPart: SchemaPart = {
  tables: `
  CREATE TABLE schedules (
    app_id text,
    name text,
    cron text NOT NULL,
    for_each_user text,
    version text NOT NULL,
    sha256 text NOT NULL,
    tenant_id text NOT NULL,
    is_suspended boolean NOT NULL,
    next_for timestamptz,
    due_at timestamptz,
    CONSTRAINT schedules_pkey PRIMARY KEY (app_id, name)
  ) WITH (fillfactor = 80);
  CREATE INDEX schedules_due_idx ON schedules (due_at);

  CREATE TABLE schedule_runs (
    id text CONSTRAINT schedule_runs_pkey PRIMARY KEY,
    app_id text NOT NULL,
    name text NOT NULL,
    trigger text NOT NULL CONSTRAINT schedule_runs_trigger_check CHECK (trigger IN ('schedule', 'manual')),
    scheduled_for timestamptz NOT NULL,
    status text NOT NULL DEFAULT 'pending'
      CONSTRAINT schedule_runs_status_check CHECK (status IN ('pending', 'running', 'succeeded', 'failed',
        'skipped')),
    attempts integer NOT NULL DEFAULT 0,
    job_id text,
    for_each_user text,
    user_cursor text,
    has_all_users boolean NOT NULL DEFAULT false,
    users_total integer NOT NULL DEFAULT 0,
    users_succeeded integer NOT NULL DEFAULT 0,
    users_failed integer NOT NULL DEFAULT 0,
    started_at timestamptz,
    finished_at timestamptz,
    duration_ms integer,
    error text,
    users_skipped integer NOT NULL DEFAULT 0,
    CONSTRAINT schedule_runs_finished_check CHECK ((finished_at IS NULL) = (status IN ('pending', 'running'))),
    CONSTRAINT schedule_runs_users_check CHECK (users_succeeded + users_failed + users_skipped <= users_total)
  );
  -- A schedule runs once for each time, and never twice at once.
  CREATE UNIQUE INDEX schedule_runs_time_key ON schedule_runs (app_id, name, scheduled_for) WHERE trigger =
    'schedule';
  CREATE UNIQUE INDEX schedule_runs_unfinished_key ON schedule_runs (app_id, name, trigger) WHERE status IN
    ('pending', 'running');
  CREATE INDEX schedule_runs_app_idx ON schedule_runs (app_id, name, id);
  CREATE INDEX schedule_runs_finished_idx ON schedule_runs (finished_at);

  CREATE TABLE schedule_user_runs (
    run_id text CONSTRAINT schedule_user_runs_run_fkey REFERENCES schedule_runs ON DELETE CASCADE,
    user_id text,
    status text NOT NULL DEFAULT 'pending'
      CONSTRAINT schedule_user_runs_status_check CHECK (status IN ('pending', 'running', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    job_id text NOT NULL,
    error text,
    CONSTRAINT schedule_user_runs_pkey PRIMARY KEY (run_id, user_id)
  );`,
};
