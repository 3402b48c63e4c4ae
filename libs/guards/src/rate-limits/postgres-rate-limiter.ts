import { deleteExpired, queryPrepared, type SchemaPart } from '@platform/persistence';
import type { DataSource } from 'typeorm';
import { RateLimiter, ROUNDING } from './rate-limiter.js';

const NOW = (clock: string) => `coalesce(to_timestamp(${clock}::float8), clock_timestamp())`;

/**
 * Keeps the counters in an unlogged table: fast, shared by all processes of a service, and empty
 * after a crash.
 */
export class PostgresRateLimiter extends RateLimiter {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  protected async advance(key: string, interval: number, window: number): Promise<{ allowed: boolean; ahead: number }> {
    const now = this.clock?.() ?? null;
    const [row] = await queryPrepared<{ ahead: number }>(
      this.dataSource,
      `INSERT INTO rate_limits AS known (key, arrival) VALUES ($1, ${NOW('$4')} + make_interval(secs => $2))
       ON CONFLICT (key) DO UPDATE SET arrival = greatest(known.arrival, ${NOW('$4')}) + make_interval(secs => $2)
         WHERE known.arrival <= ${NOW('$4')} + make_interval(secs => $3)
       RETURNING extract(epoch FROM arrival - ${NOW('$4')})::float8 AS ahead`,
      [key, interval, window - interval + ROUNDING, now],
    );
    if (row) return { allowed: true, ahead: Math.max(0, row.ahead) };
    const [refused] = await queryPrepared<{ ahead: number }>(
      this.dataSource,
      `SELECT extract(epoch FROM arrival - ${NOW('$2')})::float8 AS ahead FROM rate_limits WHERE key = $1`,
      [key, now],
    );
    return { allowed: false, ahead: refused?.ahead ?? window };
  }

  /**
   * Deletes a batch, up to 1,000, of counters that no longer limit any request, and returns their
   * number.
   */
  static deleteUnusedCounters(dataSource: DataSource): Promise<number> {
    return deleteExpired(dataSource, { table: 'rate_limits', key: 'key', where: 'arrival < now()' });
  }
}

/** Table of the counters. */
export const rateLimitsPart: SchemaPart = {
  tables: `
  CREATE UNLOGGED TABLE rate_limits (key text PRIMARY KEY, arrival timestamptz NOT NULL);
  CREATE INDEX rate_limits_arrival_idx ON rate_limits (arrival);`,
};
