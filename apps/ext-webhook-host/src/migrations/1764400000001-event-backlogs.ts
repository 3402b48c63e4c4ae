import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How much an app has published that is not handled yet, so that it can be bounded. A column that may be null is added in no time; what is
 * under way, and what running code adds that does not know it, does not count. The indexes hold only what is unfinished.
 */
export class EventBacklogs1764400000001 implements MigrationInterface {
  name = 'EventBacklogs1764400000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE event_deliveries ADD COLUMN source text;
      CREATE INDEX event_deliveries_backlog_idx ON event_deliveries (source) WHERE finished_at IS NULL;
      CREATE INDEX events_backlog_idx ON events (source) WHERE given_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX events_backlog_idx; ALTER TABLE event_deliveries DROP COLUMN source');
  }
}
