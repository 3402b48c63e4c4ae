import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who follows events reads those behind a position: all of them, or those of one user. Safe on a live table: the indexes are built beside what is written. */
export class PositionsOfEventsIndexes1764650000710 implements MigrationInterface {
  name = 'PositionsOfEventsIndexes1764650000710';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const name of ['waiting', 'position', 'user_position'])
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS platform_events_${name}_idx`);
    await runner.query(
      'CREATE INDEX CONCURRENTLY platform_events_waiting_idx ON platform_events (insert_number NULLS FIRST) WHERE position IS NULL',
    );
    await runner.query('CREATE UNIQUE INDEX CONCURRENTLY platform_events_position_idx ON platform_events (position) WHERE position > 0');
    await runner.query('CREATE INDEX CONCURRENTLY platform_events_user_position_idx ON platform_events (user_id, position)');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS platform_events_user_idx');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX CONCURRENTLY platform_events_user_idx ON platform_events (user_id)');
    for (const name of ['waiting', 'position', 'user_position']) await runner.query(`DROP INDEX CONCURRENTLY platform_events_${name}_idx`);
  }
}
