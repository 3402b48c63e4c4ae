import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By which channels apps reach a user. Null is what everybody had: all of them. Safe on a live table: a column without a default is added at once. */
export class NotificationSettings1764660000200 implements MigrationInterface {
  name = 'NotificationSettings1764660000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN notification_settings jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN notification_settings');
  }
}
