import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an app keeps for a user is deleted 30 days after they removed it. What was removed before has 30 days from now on, since nobody was
 * told. `app_id` has no foreign key: what a deleted app has kept is deleted, too. It makes a new table; its foreign keys keep `users` and
 * `tenants` from being written while it reads `installs` once.
 */
export class DocumentPurges1764503000100 implements MigrationInterface {
  name = 'DocumentPurges1764503000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE document_purges (
        user_id text NOT NULL CONSTRAINT document_purges_user_fkey REFERENCES users ON DELETE CASCADE,
        app_id text NOT NULL,
        revision bigint NOT NULL,
        tenant_id text NOT NULL CONSTRAINT document_purges_tenant_fkey REFERENCES tenants,
        removed_at timestamptz NOT NULL,
        due_at timestamptz NOT NULL,
        is_asked boolean NOT NULL DEFAULT false,
        reinstalled_at timestamptz,
        CONSTRAINT document_purges_pkey PRIMARY KEY (user_id, app_id, revision),
        CONSTRAINT document_purges_reinstalled_check CHECK (reinstalled_at IS NULL OR is_asked)
      );
      CREATE INDEX document_purges_due_idx ON document_purges (due_at);
      INSERT INTO document_purges (user_id, app_id, revision, tenant_id, removed_at, due_at)
        SELECT user_id, app_id, revision, tenant_id, removed_at, now() + interval '30 days' FROM installs WHERE removed_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE document_purges');
  }
}
