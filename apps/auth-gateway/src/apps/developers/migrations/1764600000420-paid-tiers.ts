import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tiers that are paid for a year. Those that developers have were given to them and do not end. Safe on a live platform: the columns have constant
 * defaults, and the table is small.
 */
export class PaidTiers1764600000420 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE developers
        ADD COLUMN tier_term integer NOT NULL DEFAULT 0 CONSTRAINT developers_tier_term_check CHECK (tier_term >= 0),
        ADD COLUMN tier_expires_at timestamptz;
      CREATE INDEX developers_tier_expiry_idx ON developers (tier_expires_at) WHERE tier_expires_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE developers DROP COLUMN tier_term, DROP COLUMN tier_expires_at');
  }
}
