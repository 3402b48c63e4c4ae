import { currentSpan, Errors, speedTrick } from '@platform/platform';
import { createHash } from 'node:crypto';
import type { Pool, QueryConfig, QueryResult } from 'pg';
import type { DataSource } from 'typeorm';

const names = new Map<string, string>();

/**
 * Replaces: the database parses and plans TypeORM's own queries each time, which costs more than
 * running them. TypeORM has no way to name a statement, so this uses its pool (`driver.master`).
 * Gains: see docs/performance.md; `npm run bench -- --only tricks`.
 * Off: SPEED_TRICKS_OFF=prepared-statements.
 */
export const preparedStatements = speedTrick('prepared-statements', 'typeorm', '1.1.1');

/**
 * Runs a statement that every connection parses and plans only once, for the few statements that
 * each request needs. Returns its rows. It is not part of a transaction.
 *
 * A pooler in front of PostgreSQL must support prepared statements (PgBouncer 1.21 or later does).
 *
 * @throws AppError 503 `unavailable` if the data source is closed.
 */
export async function queryPrepared<Row extends object>(
  dataSource: DataSource,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const pool = (dataSource.driver as unknown as { master?: Pool }).master;
  if (!pool) throw Errors.unavailable(new Error('The data source is closed.'));
  const statement = preparedStatements.isOn ? { name: nameOf(text), text, values } : { text, values };
  const { rows } = await (currentSpan() ? queryInSpan<Row>(pool, statement) : pool.query<Row>(statement));
  return rows;
}

/**
 * Runs a statement in the current span. If a statement must wait for a connection, `pool.query`
 * runs it in the span of the request that releases the connection.
 */
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
