import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the credential was given with which a version was deployed, and which API key led to an event, so that code which a key deploys, and
 * whatever handles its events, gets no more than the key. Columns without a default, which take no time and which code that runs beside need
 * not know of. What was deployed before counts as deployed by its developer in person.
 */
export class NarrowedDeploys1764410000000 implements MigrationInterface {
  name = 'NarrowedDeploys1764410000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE app_versions ADD COLUMN narrowing jsonb;
      ALTER TABLE deploys ADD COLUMN narrowing jsonb;
      ALTER TABLE platform_events ADD COLUMN key jsonb;
      ALTER TABLE automation_fires ADD COLUMN key jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE automation_fires DROP COLUMN key;
      ALTER TABLE platform_events DROP COLUMN key;
      ALTER TABLE deploys DROP COLUMN narrowing;
      ALTER TABLE app_versions DROP COLUMN narrowing`);
  }
}
