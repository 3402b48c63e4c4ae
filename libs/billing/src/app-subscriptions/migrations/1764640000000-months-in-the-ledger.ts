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

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY ledger_entries_app_months_idx');
  }
}
