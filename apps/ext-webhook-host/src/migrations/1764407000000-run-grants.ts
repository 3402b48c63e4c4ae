import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What runs ask of the gateway, they ask with a grant. An event keeps the one of the run that has published it until the gateway knows the
 * event; of a schedule for each user it is counted for whom the gateway gave none. What extensions may not use is told at once, so what waits
 * in that queue goes: nobody would take it.
 *
 * Columns that may be null or have a constant default are added in no time; the check looks at the runs of 14 days, which are few. Running
 * code that does not know `users_skipped` leaves it at 0, for which the new check says what the old one said.
 */
export class RunGrants1764407000000 implements MigrationInterface {
  name = 'RunGrants1764407000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events ADD COLUMN sealed_grant text;
      ALTER TABLE schedule_runs
        ADD COLUMN users_skipped integer NOT NULL DEFAULT 0,
        DROP CONSTRAINT schedule_runs_users_check,
        ADD CONSTRAINT schedule_runs_users_check CHECK (users_succeeded + users_failed + users_skipped <= users_total);
      DELETE FROM outbox WHERE queue = 'capability-denials';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE schedule_runs
        DROP CONSTRAINT schedule_runs_users_check,
        DROP COLUMN users_skipped,
        ADD CONSTRAINT schedule_runs_users_check CHECK (users_succeeded + users_failed <= users_total);
      ALTER TABLE events DROP COLUMN sealed_grant;
    `);
  }
}
