import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Calls that go on after their request. Safe on a live table: it is new. */
export class Tasks1764660000100 implements MigrationInterface {
  name = 'Tasks1764660000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
          CONSTRAINT tasks_status_check CHECK (status IN ('queued', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled')),
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
        CONSTRAINT tasks_finished_check CHECK ((status IN ('succeeded', 'failed', 'cancelled')) = (finished_at IS NOT NULL)),
        CONSTRAINT tasks_params_check CHECK ((finished_at IS NULL) = (params IS NOT NULL)),
        CONSTRAINT tasks_lease_check CHECK ((status IN ('running', 'cancelling')) = (lease_until IS NOT NULL AND run_id IS NOT NULL)),
        CONSTRAINT tasks_result_check CHECK ((status IN ('succeeded', 'failed')) = (result IS NOT NULL))
      );
      CREATE UNIQUE INDEX tasks_slot_key ON tasks (user_id, slot) WHERE finished_at IS NULL;
      CREATE INDEX tasks_user_idx ON tasks (tenant_id, user_id, finished_at);
      CREATE INDEX tasks_app_idx ON tasks (app_id);
      CREATE INDEX tasks_active_idx ON tasks (lease_until) WHERE finished_at IS NULL;
      CREATE INDEX tasks_finished_idx ON tasks (finished_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tasks');
  }
}
