import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Before this moment no transaction writes another action: `created_at` is when the transaction began. */
const MARK = `
  SELECT date_trunc('milliseconds', least(now() - interval '1 minute', min(xact_start))) FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;

/**
 * Sums of actions by day, so that statistics do not read every action. A job adds what is new to them, and the actions that it has not come to are read
 * themselves. The actions that there are count. Safe on a live table: actions are only read, and running code does not know the new tables.
 */
export class ActionSums1764681000000 implements MigrationInterface {
  name = 'ActionSums1764681000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE action_sums_mark (
        id integer NOT NULL DEFAULT 1,
        summed_until timestamptz(3) NOT NULL,
        CONSTRAINT action_sums_mark_pkey PRIMARY KEY (id),
        CONSTRAINT action_sums_mark_one_check CHECK (id = 1)
      );
      CREATE TABLE user_action_sums (
        tenant_id text NOT NULL,
        user_id text NOT NULL,
        day date NOT NULL,
        app_id text NOT NULL,
        actions bigint NOT NULL,
        tokens_used numeric NOT NULL,
        credits numeric NOT NULL,
        CONSTRAINT user_action_sums_pkey PRIMARY KEY (tenant_id, user_id, day, app_id)
      ) WITH (fillfactor = 70);
      CREATE TABLE app_action_sums (
        app_id text NOT NULL,
        day date NOT NULL,
        function text NOT NULL,
        actions bigint NOT NULL,
        errors bigint NOT NULL,
        timed bigint NOT NULL,
        duration_ms numeric NOT NULL,
        CONSTRAINT app_action_sums_pkey PRIMARY KEY (app_id, day, function)
      ) WITH (fillfactor = 70);
      CREATE TABLE app_action_users (
        app_id text NOT NULL,
        user_id text NOT NULL,
        last_day date NOT NULL,
        CONSTRAINT app_action_users_pkey PRIMARY KEY (app_id, user_id)
      );
      INSERT INTO action_sums_mark (summed_until) ${MARK}`);
    await runner.query(`
      INSERT INTO user_action_sums (tenant_id, user_id, day, app_id, actions, tokens_used, credits)
      SELECT tenant_id, user_id, (created_at AT TIME ZONE 'UTC')::date AS day, app_id, count(*), sum(tokens_used), sum(action_price)
      FROM actions
      WHERE user_id IS NOT NULL AND created_at >= now() - interval '40 days' AND created_at < (SELECT summed_until FROM action_sums_mark)
      GROUP BY tenant_id, user_id, day, app_id`);
    await runner.query(`
      INSERT INTO app_action_sums (app_id, day, function, actions, errors, timed, duration_ms)
      SELECT app_id, (created_at AT TIME ZONE 'UTC')::date AS day, CASE WHEN action_type IS NULL THEN '' ELSE function END AS name, count(*),
        count(*) FILTER (WHERE status NOT IN ('success', 'completed')), count(duration_ms), coalesce(sum(duration_ms), 0)
      FROM actions WHERE created_at < (SELECT summed_until FROM action_sums_mark)
      GROUP BY app_id, day, name`);
    await runner.query(`
      INSERT INTO app_action_users (app_id, user_id, last_day)
      SELECT app_id, user_id, max((created_at AT TIME ZONE 'UTC')::date)
      FROM actions WHERE user_id IS NOT NULL AND created_at < (SELECT summed_until FROM action_sums_mark)
      GROUP BY app_id, user_id`);
    await runner.query(`
      CREATE INDEX user_action_sums_day_idx ON user_action_sums USING brin (day);
      CREATE INDEX app_action_sums_day_idx ON app_action_sums USING brin (day);
      CREATE INDEX app_action_users_app_idx ON app_action_users (app_id, last_day);
      CREATE INDEX app_action_users_user_idx ON app_action_users (user_id);
      CREATE INDEX app_action_users_day_idx ON app_action_users (last_day)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE app_action_users; DROP TABLE app_action_sums; DROP TABLE user_action_sums; DROP TABLE action_sums_mark');
  }
}
