import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * With how many scopes an event came about where its user holds more, as by an API key, so that what it causes gets no more. Columns without
 * a default, which take no time and which code that runs beside need not know of.
 */
export class NarrowedEvents1764406000000 implements MigrationInterface {
  name = 'NarrowedEvents1764406000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE platform_events ADD COLUMN scopes text[];
      ALTER TABLE automation_fires ADD COLUMN scopes text[]`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE automation_fires DROP COLUMN scopes;
      ALTER TABLE platform_events DROP COLUMN scopes`);
  }
}
