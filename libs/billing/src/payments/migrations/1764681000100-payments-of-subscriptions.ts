import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A refund of a plan, and a change of one, look for the payments of a subscription while they hold locks of the user. Safe on a live table: the index is built
 * beside what is written.
 */
export class PaymentsOfSubscriptions1764681000100 implements MigrationInterface {
  name = 'PaymentsOfSubscriptions1764681000100';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS payments_subscription_idx');
    await runner.query(
      'CREATE INDEX CONCURRENTLY payments_subscription_idx ON payments (subscription_id, period_number) WHERE subscription_id IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY payments_subscription_idx');
  }
}
