import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever makes a counter locks its user, and leaves out whom an erasure has locked; the check of a foreign key would wait for them. Only a constraint goes, which is short. */
export class CountersWithoutUsers1764610001100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_counters DROP CONSTRAINT IF EXISTS usage_counters_user_fkey');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM usage_counters c WHERE NOT EXISTS (SELECT FROM users u WHERE u.id = c.user_id)');
    await runner.query('ALTER TABLE usage_counters ADD CONSTRAINT usage_counters_user_fkey FOREIGN KEY (user_id) REFERENCES users');
  }
}
