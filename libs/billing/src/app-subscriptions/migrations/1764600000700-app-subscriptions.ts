import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The months of apps that are paid by the month. A new table, so it is safe on a live platform. */
export class AppSubscriptions1764600000700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE app_subscription_periods (
        user_id text NOT NULL CONSTRAINT app_subscription_periods_user_fkey REFERENCES users,
        app_id text NOT NULL,
        number integer NOT NULL CONSTRAINT app_subscription_periods_number_check CHECK (number >= 1),
        price_version integer NOT NULL,
        starts_at timestamptz NOT NULL,
        ends_at timestamptz NOT NULL,
        CONSTRAINT app_subscription_periods_pkey PRIMARY KEY (user_id, app_id, number),
        CONSTRAINT app_subscription_periods_times_check CHECK (ends_at > starts_at)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE app_subscription_periods');
  }
}
