import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The checks of firings, for those of before too: reads the table, and keeps nobody from reading or writing it. */
export class LimitedFiresChecked1764410001010 implements MigrationInterface {
  name = 'LimitedFiresChecked1764410001010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE automation_fires VALIDATE CONSTRAINT automation_fires_status_check;
      ALTER TABLE automation_fires VALIDATE CONSTRAINT automation_fires_error_check`);
  }

  /** What was checked needs no undoing. */
  async down(): Promise<void> {}
}
