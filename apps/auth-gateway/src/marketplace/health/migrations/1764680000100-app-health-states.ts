import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How apps did last, so that their developers are told of changes once. Creates a table only, so it is safe beside running code. */
export class AppHealthStates1764680000100 implements MigrationInterface {
  name = 'AppHealthStates1764680000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE app_health_states (
        app_id text CONSTRAINT app_health_states_pkey PRIMARY KEY CONSTRAINT app_health_states_app_fkey REFERENCES apps ON DELETE CASCADE,
        previous_status text NOT NULL
          CONSTRAINT app_health_states_previous_status_check CHECK (previous_status IN ('healthy', 'degraded', 'unhealthy', 'unknown')),
        status text NOT NULL CONSTRAINT app_health_states_status_check CHECK (status IN ('healthy', 'degraded', 'unhealthy')),
        changed_at timestamptz NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE app_health_states');
  }
}
