import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many bytes of events each developer's apps have published on a day, which has a limit. A new table, of which code that runs beside need not know. */
export class EventUsage1764414001000 implements MigrationInterface {
  name = 'EventUsage1764414001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE event_usage (
        owner text NOT NULL,
        day date NOT NULL,
        bytes bigint NOT NULL,
        CONSTRAINT event_usage_pkey PRIMARY KEY (owner, day)
      ) WITH (fillfactor = 50)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE event_usage');
  }
}
