import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What API keys change of an install is noted in one row for a user and an app, not in one for each change. A column without a default, which
 * takes no time. The release that runs beside goes on with a row of its own for each change, which has none; both read `narrowing` of all rows.
 */
export class InstallNarrowingsOnce1764415000000 implements MigrationInterface {
  name = 'InstallNarrowingsOnce1764415000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE install_narrowings ADD COLUMN changes jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE install_narrowings DROP COLUMN changes');
  }
}
