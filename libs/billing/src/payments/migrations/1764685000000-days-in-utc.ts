import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * These functions count days in UTC, also for a client whose session is in another time zone, where a day can have 23 or 25 hours. Safe on a live platform: a
 * setting of a function locks no table.
 */
export class DaysInUtc1764685000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const name of FUNCTIONS) await runner.query(`ALTER FUNCTION ${name} SET TimeZone TO 'UTC'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of FUNCTIONS) await runner.query(`ALTER FUNCTION ${name} RESET TimeZone`);
  }
}

const FUNCTIONS = ['payments_refuse_change()', 'ledger_forget_test_credits(bigint)'];
