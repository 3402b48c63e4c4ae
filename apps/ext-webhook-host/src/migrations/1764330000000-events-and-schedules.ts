import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What apps do by themselves: schedules, and handlers of events. Creates what was not there, so it is safe beside running code. */
export class EventsAndSchedules1764330000000 implements MigrationInterface {
  name = 'EventsAndSchedules1764330000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE runtime_feed (
        id boolean NOT NULL DEFAULT true CONSTRAINT runtime_feed_pkey PRIMARY KEY CONSTRAINT runtime_feed_one_row_check CHECK (id),
        revision bigint NOT NULL DEFAULT 0
      );
      INSERT INTO runtime_feed DEFAULT VALUES;

      CREATE TABLE schedules (
        app_id text NOT NULL,
        name text NOT NULL,
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
        id text NOT NULL CONSTRAINT schedule_runs_pkey PRIMARY KEY,
        app_id text NOT NULL,
        name text NOT NULL,
        trigger text NOT NULL CONSTRAINT schedule_runs_trigger_check CHECK (trigger IN ('schedule', 'manual')),
        scheduled_for timestamptz NOT NULL,
        status text NOT NULL DEFAULT 'pending'
          CONSTRAINT schedule_runs_status_check CHECK (status IN ('pending', 'running', 'succeeded', 'failed', 'skipped')),
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
        CONSTRAINT schedule_runs_finished_check CHECK ((finished_at IS NULL) = (status IN ('pending', 'running'))),
        CONSTRAINT schedule_runs_users_check CHECK (users_succeeded + users_failed <= users_total)
      );
      -- Once for each time, and never two at once.
      CREATE UNIQUE INDEX schedule_runs_time_key ON schedule_runs (app_id, name, scheduled_for) WHERE trigger = 'schedule';
      CREATE UNIQUE INDEX schedule_runs_unfinished_key ON schedule_runs (app_id, name, trigger) WHERE status IN ('pending', 'running');
      CREATE INDEX schedule_runs_app_idx ON schedule_runs (app_id, name, id);
      CREATE INDEX schedule_runs_finished_idx ON schedule_runs (finished_at);

      CREATE TABLE schedule_user_runs (
        run_id text NOT NULL CONSTRAINT schedule_user_runs_run_fkey REFERENCES schedule_runs ON DELETE CASCADE,
        user_id text NOT NULL,
        status text NOT NULL DEFAULT 'pending'
          CONSTRAINT schedule_user_runs_status_check CHECK (status IN ('pending', 'running', 'failed')),
        attempts integer NOT NULL DEFAULT 0,
        job_id text NOT NULL,
        error text,
        CONSTRAINT schedule_user_runs_pkey PRIMARY KEY (run_id, user_id)
      );

      CREATE TABLE events (
        id uuid NOT NULL CONSTRAINT events_pkey PRIMARY KEY,
        type text NOT NULL,
        tenant_id text NOT NULL,
        user_id text,
        source text NOT NULL,
        data jsonb NOT NULL,
        hop smallint NOT NULL CONSTRAINT events_hop_check CHECK (hop BETWEEN 0 AND 8),
        at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        given_at timestamptz
      );
      CREATE INDEX events_created_idx ON events USING brin (created_at);

      CREATE TABLE event_subscriptions (
        app_id text NOT NULL,
        type text NOT NULL,
        version text NOT NULL,
        sha256 text NOT NULL,
        developer_id text NOT NULL,
        CONSTRAINT event_subscriptions_pkey PRIMARY KEY (app_id, type)
      );
      CREATE INDEX event_subscriptions_type_idx ON event_subscriptions (type);

      CREATE TABLE event_deliveries (
        event_id uuid NOT NULL CONSTRAINT event_deliveries_event_fkey REFERENCES events ON DELETE CASCADE,
        app_id text NOT NULL,
        status text NOT NULL DEFAULT 'pending'
          CONSTRAINT event_deliveries_status_check CHECK (status IN ('pending', 'running', 'succeeded', 'dead')),
        attempts integer NOT NULL DEFAULT 0,
        error text,
        job_id text NOT NULL,
        next_attempt_at timestamptz,
        finished_at timestamptz,
        CONSTRAINT event_deliveries_pkey PRIMARY KEY (event_id, app_id),
        CONSTRAINT event_deliveries_finished_check CHECK ((finished_at IS NOT NULL) = (status IN ('succeeded', 'dead')))
      );
      CREATE INDEX event_deliveries_app_idx ON event_deliveries (app_id, event_id);
      CREATE INDEX event_deliveries_app_status_idx ON event_deliveries (app_id, status, event_id);
      CREATE INDEX event_deliveries_finished_idx ON event_deliveries (finished_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE event_deliveries, event_subscriptions, events, schedule_user_runs, schedule_runs, schedules, runtime_feed',
    );
  }
}
