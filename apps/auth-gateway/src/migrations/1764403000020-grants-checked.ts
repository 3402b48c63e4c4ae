import type { MigrationInterface, QueryRunner } from 'typeorm';

/** That no install grants everything, for those of before too: reads the table, and keeps nobody from reading or writing it. */
export class GrantsChecked1764403000020 implements MigrationInterface {
  name = 'GrantsChecked1764403000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE installs VALIDATE CONSTRAINT installs_granted_scopes_check');
  }

  /** What was checked needs no undoing. */
  async down(): Promise<void> {}
}
