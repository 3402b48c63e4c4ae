import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Signups know whether their mail waits for its turn, so that those which do not are kept while their mail is on its way. Safe on a live
 * table: a column with a constant default rewrites nothing, and what the release before writes counts as not waiting.
 */
export class DeferredSignupMails1764416000000 implements MigrationInterface {
  name = 'DeferredSignupMails1764416000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pending_credentials ADD COLUMN mail_deferred boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pending_credentials DROP COLUMN mail_deferred');
  }
}
