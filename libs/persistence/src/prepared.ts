import { currentSpan, Errors, speedTrick } from '@platform/platform';
import { createHash } from 'node:crypto';
import type { Pool, QueryConfig, QueryResult } from 'pg';
import type { DataSource } from 'typeorm';

const names = new Map<string, string>();

/**
 * Replaces: TypeORM's own queries are parsed and planned anew each time, which costs the database more than running them. It has no way to
 * name a statement, so that its pool (`driver.master`) is asked.
 * Gains: see docs/performance.md; `npm run bench -- --only tricks`.
 * Off: SPEED_TRICKS_OFF=prepared-statements.
 */
export const preparedStatements = speedTrick('prepared-statements', 'typeorm', '1.1.1');

/**
 * Runs a statement that every connection parses and plans once, for the few that each request needs. Not part of any transaction.
 *
 * A pooler between us and PostgreSQL must keep prepared statements apart (PgBouncer 1.21 or later does).
 */
export async function queryPrepared<Row extends object>(dataSource: DataSource, text: string, values: unknown[]): Promise<Row[]> {
  const pool = (dataSource.driver as unknown as { master?: Pool }).master;
  if (!pool) throw Errors.unavailable(new Error('The data source is closed.'));
  const statement = preparedStatements.isOn ? { name: nameOf(text), text, values } : { text, values };
  const { rows } = await (currentSpan() ? queryInSpan<Row>(pool, statement) : pool.query<Row>(statement));
  return rows;
}

/** The pool's own `query` runs a statement that had to wait for a connection as part of the request that left it. */
async function queryInSpan<Row extends object>(pool: Pool, statement: QueryConfig): Promise<QueryResult<Row>> {
  const client = await pool.connect();
  try {
    return await client.query<Row>(statement);
  } finally {
    client.release();
  }
}

function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
    names.set(text, name);
  }
  return name;
}
