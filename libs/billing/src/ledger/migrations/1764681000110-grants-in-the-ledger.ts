import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A refund looks for what plans gave to a wallet and what of it has expired, while it holds the wallet, whose calls wait. Without an index it reads every entry
 * of the wallet. Calls write none of these kinds, so they do not pay for it. Safe on a live table: the index is built beside what is written.
 */
export class GrantsInTheLedger1764681000110 implements MigrationInterface {
  name = 'GrantsInTheLedger1764681000110';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS ledger_entries_grants_idx');
    await runner.query(
      "CREATE INDEX CONCURRENTLY ledger_entries_grants_idx ON ledger_entries (wallet_id, kind, seq) WHERE kind IN ('subscription_grant', 'expiry')",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY ledger_entries_grants_idx');
  }
}
