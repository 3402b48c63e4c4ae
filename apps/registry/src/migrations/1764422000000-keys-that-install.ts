import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an API key installs must end with the key, so an install says which key it was. Null for a trusted backend, and for what was there
 * before, which nobody kept. The column has no default, so the table is not rewritten.
 */
export class KeysThatInstall1764422000000 implements MigrationInterface {
  name = 'KeysThatInstall1764422000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE installs ADD COLUMN changed_by jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE installs DROP COLUMN changed_by');
  }
}
