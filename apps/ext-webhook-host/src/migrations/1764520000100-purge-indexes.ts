import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  documents_purge_idx: 'documents (tenant_id, app_id, user_id, collection, id)',
  document_usage_app_idx: 'document_usage (app_id)',
  secrets_identity_idx: 'secrets (identity)',
};

/**
 * What an app keeps for a user, a user in all apps, and an app for all users is found without reading what others keep, since it is deleted
 * so. Safe on a live table: the indexes are built beside what is written. After a failure it begins anew.
 */
export class PurgeIndexes1764520000100 implements MigrationInterface {
  name = 'PurgeIndexes1764520000100';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(INDEXES)) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${columns}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
  }
}
