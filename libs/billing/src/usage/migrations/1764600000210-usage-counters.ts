import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How much users use in each period. A new table only, so it is safe on a live platform. A row is written again with each call: its page has room. */
export class UsageCounters1764600000210 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE usage_counters (
        user_id text NOT NULL CONSTRAINT usage_counters_user_fkey REFERENCES users,
        meter text NOT NULL CONSTRAINT usage_counters_meter_check CHECK (length(meter) BETWEEN 1 AND 200),
        period_starts_at timestamptz NOT NULL,
        used bigint NOT NULL DEFAULT 0 CONSTRAINT usage_counters_used_check CHECK (used BETWEEN 0 AND 9007199254740991),
        CONSTRAINT usage_counters_pkey PRIMARY KEY (user_id, meter, period_starts_at)
      ) WITH (fillfactor = 50);
      CREATE INDEX usage_counters_period_idx ON usage_counters (period_starts_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE usage_counters');
  }
}
