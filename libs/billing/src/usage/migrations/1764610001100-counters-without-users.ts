import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whoever makes a counter locks its user, and leaves out whom an erasure has locked; the check of a foreign key would wait for them. Dropping it
 * locks `users`, too, for a moment: who reads them waits, for 5 s at most (`lock_timeout`), while a transaction that is long keeps it from its lock.
 * A gateway of before does not lock the user: a counter that it makes beside an erasure stays, with nothing but the id, until it is 400 days old.
 */
export class CountersWithoutUsers1764610001100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_counters DROP CONSTRAINT IF EXISTS usage_counters_user_fkey');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM usage_counters c WHERE NOT EXISTS (SELECT FROM users u WHERE u.id = c.user_id)');
    await runner.query('ALTER TABLE usage_counters ADD CONSTRAINT usage_counters_user_fkey FOREIGN KEY (user_id) REFERENCES users');
  }
}
