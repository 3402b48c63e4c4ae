import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An entry of the audit log stands in the chain once. Its MAC covers its id and not its time, so that whoever may insert could otherwise have
 * a genuine entry said again, at another time.
 *
 * Safe on a live table: the index is built beside what is written. What an attempt that was broken off has left is removed first.
 */
export class AuditEntriesOnce1764405000200 implements MigrationInterface {
  name = 'AuditEntriesOnce1764405000200';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS gateway_audit.audit_chain_entry_key');
    await runner.query('CREATE UNIQUE INDEX CONCURRENTLY audit_chain_entry_key ON gateway_audit.audit_chain (entry_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY gateway_audit.audit_chain_entry_key');
  }
}
