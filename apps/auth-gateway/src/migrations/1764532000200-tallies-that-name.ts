import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is only counted of sign-ins tells which accounts and addresses have most of it, and failures in tenants that there are not are counted,
 * too. Safe on a live table: columns with constant defaults, and a table of a few rows for each tenant.
 */
export class TalliesThatName1764532000200 implements MigrationInterface {
  name = 'TalliesThatName1764532000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sign_in_tallies
        ADD COLUMN accounts jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN addresses jsonb NOT NULL DEFAULT '{}',
        DROP CONSTRAINT sign_in_tallies_kind_check,
        ADD CONSTRAINT sign_in_tallies_kind_check CHECK (kind IN ('unknown_account', 'unknown_tenant', 'more_failures', 'more_sign_ins'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM sign_in_tallies WHERE kind = 'unknown_tenant';
      ALTER TABLE sign_in_tallies
        DROP COLUMN accounts,
        DROP COLUMN addresses,
        DROP CONSTRAINT sign_in_tallies_kind_check,
        ADD CONSTRAINT sign_in_tallies_kind_check CHECK (kind IN ('unknown_account', 'more_failures', 'more_sign_ins'))`);
  }
}
