import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which apps led to an event and to a firing, beside the API key, so that what they cause ends with them. Columns without a default, which take
 * no time and which code that runs beside need not know of. What there is of before was led to by none that is known.
 */
export class AppsOfEvents1764418000050 implements MigrationInterface {
  name = 'AppsOfEvents1764418000050';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE platform_events ADD COLUMN apps text[]; ALTER TABLE automation_fires ADD COLUMN apps text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE automation_fires DROP COLUMN apps; ALTER TABLE platform_events DROP COLUMN apps');
  }
}
