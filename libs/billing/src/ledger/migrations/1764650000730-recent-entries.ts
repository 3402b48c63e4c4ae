import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What has moved lately is found without a look at the whole ledger. The index is built beside what is written. */
export class RecentEntries1764650000730 implements MigrationInterface {
  name = 'RecentEntries1764650000730';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ledger_entries_recorded_idx');
    await runner.query('CREATE INDEX CONCURRENTLY ledger_entries_recorded_idx ON ledger_entries (recorded_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY ledger_entries_recorded_idx');
  }
}
