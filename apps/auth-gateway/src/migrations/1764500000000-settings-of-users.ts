import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A user may decide for themselves whether they are asked before something that acts for them writes. Null is what everybody had: the role
 * decides. Safe on a live table: a column without a default is added at once.
 */
export class SettingsOfUsers1764500000000 implements MigrationInterface {
  name = 'SettingsOfUsers1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN confirmation_enabled boolean');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN confirmation_enabled');
  }
}
