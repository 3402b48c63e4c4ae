import type { DataSource } from 'typeorm';
import type { SchemaPart } from './schema-part.js';

/** Workers of a service, with the time at which each process that runs jobs last reported. */
export class WorkerHeartbeats {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Stores that this process runs now, under the name `instance`, and deletes workers that were
   * last seen more than an hour ago. Its own row is the newest, so at least one row always remains.
   */
  async recordHeartbeat(instance: string): Promise<void> {
    await this.dataSource.query(
      'INSERT INTO seen_workers (instance) VALUES ($1) ON CONFLICT (instance) DO UPDATE SET seen_at = excluded.seen_at',
      [instance],
    );
    await this.dataSource.query("DELETE FROM seen_workers WHERE seen_at < now() - interval '1 hour'");
  }

  /**
   * Seconds since a worker was last seen; null if none ever was. By the clock of the database,
   * which all processes share.
   */
  async secondsSinceLastHeartbeat(): Promise<number | null> {
    const [row] = await this.dataSource.query<{ seconds: number | null }[]>(
      'SELECT greatest(extract(epoch FROM clock_timestamp() - max(seen_at)), 0)::float AS seconds FROM seen_workers HAVING count(*) > 0',
    );
    return row?.seconds ?? null;
  }
}

/** Table of `WorkerHeartbeats`. */
export const workerHeartbeatsPart: SchemaPart = {
  tables: `
  CREATE TABLE seen_workers (
    instance text PRIMARY KEY,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );`,
};
