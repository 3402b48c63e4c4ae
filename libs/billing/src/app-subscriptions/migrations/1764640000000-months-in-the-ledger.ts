import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the months of an app that a user has paid. Safe on a live table: the index is built beside what is written. */
export class MonthsInTheLedger1764640000000 implements MigrationInterface {
  name = 'MonthsInTheLedger1764640000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ledger_entries_app_months_idx');
    await runner.query(
      "CREATE INDEX CONCURRENTLY ledger_entries_app_months_idx ON ledger_entries (wallet_id, app_id) WHERE kind = 'app_subscription'",
    );
  }

  /** Months that were paid meanwhile have to count for a gateway of before: it reads rows. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      INSERT INTO app_subscription_periods (user_id, app_id, number, price_version, starts_at, ends_at)
      SELECT w.user_id, e.app_id, row_number() OVER (PARTITION BY w.id, e.app_id ORDER BY e.seq), coalesce(e.price_version, 0), e.at, e.at + interval '1 month'
      FROM ledger_entries e JOIN wallets w ON w.id = e.wallet_id JOIN users u ON u.id = w.user_id AND u.erased_at IS NULL
      WHERE e.kind = 'app_subscription' ON CONFLICT DO NOTHING`);
    await runner.query('DROP INDEX CONCURRENTLY ledger_entries_app_months_idx');
  }
}
