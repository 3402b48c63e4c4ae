import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What subscriptions need that are paid: the plan that they change to, and when one is charged again. Columns without a default, a check of
 * them, and an index of the few rows that are paid. Readers of `subscriptions` wait for one look at each row: seconds with millions of them.
 */
export class PaidPlans1764650000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE subscriptions
        ADD COLUMN pending_plan_id text,
        ADD COLUMN pending_plan_version integer,
        ADD COLUMN next_attempt_at timestamptz,
        ADD CONSTRAINT subscriptions_pending_plan_check CHECK ((pending_plan_id IS NULL) = (pending_plan_version IS NULL)) NOT VALID,
        ADD CONSTRAINT subscriptions_pending_plan_fkey FOREIGN KEY (pending_plan_id, pending_plan_version) REFERENCES plans (id, version) NOT VALID`);
    await runner.query('ALTER TABLE subscriptions VALIDATE CONSTRAINT subscriptions_pending_plan_check');
    await runner.query('ALTER TABLE subscriptions VALIDATE CONSTRAINT subscriptions_pending_plan_fkey');
    await runner.query(
      "CREATE INDEX subscriptions_due_idx ON subscriptions (period_ends_at) WHERE status IN ('active', 'past_due') AND plan_id <> 'free'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE subscriptions DROP COLUMN pending_plan_id, DROP COLUMN pending_plan_version, DROP COLUMN next_attempt_at',
    );
  }
}
