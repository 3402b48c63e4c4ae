import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an app has earned in all, kept by a trigger: the days of a developer grow without end, and a read must not add them all up. The days that
 * there are count. Safe on a live platform: nothing is booked while it runs, which takes a moment, and calls book nothing.
 */
export class EarningsOfApps1764600000410 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE app_earnings (
        developer_id text NOT NULL,
        app_id text NOT NULL,
        calls bigint NOT NULL,
        earned_base bigint NOT NULL,
        share bigint NOT NULL,
        CONSTRAINT app_earnings_pkey PRIMARY KEY (developer_id, app_id)
      ) WITH (fillfactor = 70);

      CREATE FUNCTION app_earnings_add() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO app_earnings AS t (developer_id, app_id, calls, earned_base, share) VALUES (NEW.developer_id, NEW.app_id,
          NEW.calls - coalesce(OLD.calls, 0), NEW.earned_base - coalesce(OLD.earned_base, 0), NEW.share - coalesce(OLD.share, 0))
        ON CONFLICT ON CONSTRAINT app_earnings_pkey DO UPDATE SET calls = t.calls + EXCLUDED.calls,
          earned_base = t.earned_base + EXCLUDED.earned_base, share = t.share + EXCLUDED.share;
        RETURN NULL;
      END $$;
      CREATE TRIGGER earnings_by_day_add AFTER INSERT OR UPDATE ON earnings_by_day FOR EACH ROW EXECUTE FUNCTION app_earnings_add();

      INSERT INTO app_earnings (developer_id, app_id, calls, earned_base, share)
      SELECT developer_id, app_id, sum(calls), sum(earned_base), sum(share) FROM earnings_by_day GROUP BY developer_id, app_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER earnings_by_day_add ON earnings_by_day;
      DROP FUNCTION app_earnings_add;
      DROP TABLE app_earnings`);
  }
}
