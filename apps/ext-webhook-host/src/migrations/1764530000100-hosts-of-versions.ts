import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where the version of an app that runs may send requests, as the gateway last said, for when it is away. Null, which every row begins with: anywhere, as
 * before. A column without a default: safe on a live table, also beside a process of the release before. Where that writes down another version
 * it leaves the list of the one before, which counts only while the gateway is away, and until a process of this release asks it.
 */
export class HostsOfVersions1764530000100 implements MigrationInterface {
  name = 'HostsOfVersions1764530000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deployed_apps ADD COLUMN hosts text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deployed_apps DROP COLUMN hosts');
  }
}
