import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a user has not read is counted and marked, however much they have read. Safe on a live table: the index is built beside what is written. */
export class UnreadNotifications1764675000110 implements MigrationInterface {
  name = 'UnreadNotifications1764675000110';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS notifications_unread_idx');
    await runner.query(
      'CREATE INDEX CONCURRENTLY notifications_unread_idx ON notifications (user_id, created_at DESC, id DESC) WHERE read_at IS NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY notifications_unread_idx');
  }
}
