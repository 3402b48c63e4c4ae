import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * That the gateway was told of an event of an app, or why the event is given to nobody. Columns without a default, which take no time and
 * which code that runs beside need not know of.
 */
export class DroppedEvents1764410003000 implements MigrationInterface {
  name = 'DroppedEvents1764410003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events ADD COLUMN posted_at timestamptz, ADD COLUMN dropped text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events DROP COLUMN posted_at, DROP COLUMN dropped');
  }
}
