import type { MigrationInterface, QueryRunner } from 'typeorm';
import { AppSubscriptions1764600000700 } from './1764600000700-app-subscriptions.js';

/**
 * Each month that was paid has an entry of the same time, which says all that these rows said. A row was written with a lock on its user, in the
 * transaction of the payment. Dropping the table locks `users`, too, for a moment, as in CountersWithoutUsers. A gateway of before answers calls of apps that
 * are paid by the month with 500 from then on, and charges nothing for them.
 */
export class MonthsWithoutRows1764640000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE app_subscription_periods');
  }

  /** Months that were paid count for a gateway of before. */
  async down(runner: QueryRunner): Promise<void> {
    await new AppSubscriptions1764600000700().up(runner);
    await runner.query(`
      INSERT INTO app_subscription_periods (user_id, app_id, number, price_version, starts_at, ends_at)
      SELECT w.user_id, e.app_id, row_number() OVER (PARTITION BY w.id, e.app_id ORDER BY e.seq), coalesce(e.price_version, 0), e.at, e.at + interval '1 month'
      FROM ledger_entries e JOIN wallets w ON w.id = e.wallet_id WHERE e.kind = 'app_subscription'`);
  }
}
