import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The checks of `ReviewedVersions1764501100000`, for the rows of before. It locks nothing that reads or writes them. */
export class ReviewedVersionsChecked1764501100010 implements MigrationInterface {
  name = 'ReviewedVersionsChecked1764501100010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE deploys VALIDATE CONSTRAINT deploys_status_check;
      ALTER TABLE deploys VALIDATE CONSTRAINT deploys_waiting_check`);
  }

  async down(): Promise<void> {}
}
