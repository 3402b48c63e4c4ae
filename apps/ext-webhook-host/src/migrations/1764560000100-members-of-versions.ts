import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What of its context the version of an app that runs may use, as the gateway last said, for when it is away. Null, which every row begins with:
 * everything, as before. A column without a default: safe on a live table, also beside a process of the release before, as its `hosts` are.
 */
export class MembersOfVersions1764560000100 implements MigrationInterface {
  name = 'MembersOfVersions1764560000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deployed_apps ADD COLUMN members text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deployed_apps DROP COLUMN members');
  }
}
