import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When an event of the payment provider was tried last, so that one whose job has given up is tried again, ever more seldom. The default is the moment of this migration
 * for the rows that are there, so the column is there without a look at any of them. Those few that are open are due at once.
 */
export class OpenEvents1764680000220 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE inbound_events ADD COLUMN checked_at timestamptz NOT NULL DEFAULT now();
      UPDATE inbound_events SET checked_at = received_at WHERE handled_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE inbound_events DROP COLUMN checked_at');
  }
}
