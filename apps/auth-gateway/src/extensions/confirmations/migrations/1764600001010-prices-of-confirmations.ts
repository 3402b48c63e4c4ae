import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a call cost when its user was asked, who is asked before one that only reads, too, where it costs something. Safe on a live table: a
 * column with a constant default, and a check on a table that keeps rows for a day.
 */
export class PricesOfConfirmations1764600001010 implements MigrationInterface {
  name = 'PricesOfConfirmations1764600001010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE confirmations
        ADD COLUMN price integer NOT NULL DEFAULT 0,
        DROP CONSTRAINT confirmations_action_type_check,
        ADD CONSTRAINT confirmations_action_type_check CHECK (action_type IN ('read', 'write', 'destructive'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM confirmations WHERE action_type = 'read';
      ALTER TABLE confirmations
        DROP COLUMN price,
        DROP CONSTRAINT confirmations_action_type_check,
        ADD CONSTRAINT confirmations_action_type_check CHECK (action_type IN ('write', 'destructive'))`);
  }
}
