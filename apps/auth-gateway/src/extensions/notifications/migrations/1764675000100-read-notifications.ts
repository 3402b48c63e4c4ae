import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When users read what they were told. Those of before count as read: nobody is shown three months of them as new. Safe on a live table: the default is the same
 * for all rows that are there, so none is rewritten, and it is gone before anything new is written.
 */
export class ReadNotifications1764675000100 implements MigrationInterface {
  name = 'ReadNotifications1764675000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notifications ADD COLUMN read_at timestamptz DEFAULT now()');
    await runner.query('ALTER TABLE notifications ALTER COLUMN read_at DROP DEFAULT');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notifications DROP COLUMN read_at');
  }
}
