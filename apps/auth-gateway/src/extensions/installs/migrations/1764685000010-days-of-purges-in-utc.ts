import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The triggers of purges count days in UTC, also for a client whose session is in another time zone, where a day can have 23 or 25 hours. Safe on a live platform: a
 * setting of a function locks no table.
 */
export class DaysOfPurgesInUtc1764685000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const name of FUNCTIONS) await runner.query(`ALTER FUNCTION ${name} SET TimeZone TO 'UTC'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of FUNCTIONS) await runner.query(`ALTER FUNCTION ${name} RESET TimeZone`);
  }
}

const FUNCTIONS = ['apps_note_purge()', 'installs_note_purge()'];
