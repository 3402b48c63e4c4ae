import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many clients follow events at each process. Creates what was not there, so it is safe beside running code. */
export class EventStreamProcesses1764650000720 implements MigrationInterface {
  name = 'EventStreamProcesses1764650000720';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE event_stream_processes (
        id text PRIMARY KEY,
        channels integer NOT NULL,
        clients integer NOT NULL,
        seen_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT event_stream_processes_check CHECK (channels >= 0 AND clients >= 0)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE event_stream_processes');
  }
}
