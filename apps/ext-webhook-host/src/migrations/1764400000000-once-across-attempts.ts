import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a killed attempt at an event has made is not made again by the next. Columns that may be null are added in no time, and running code
 * that does not know them leaves them so.
 */
export class OnceAcrossAttempts1764400000000 implements MigrationInterface {
  name = 'OnceAcrossAttempts1764400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE processed_events ADD COLUMN work_id uuid, ADD COLUMN delivery text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE processed_events DROP COLUMN work_id, DROP COLUMN delivery');
  }
}
