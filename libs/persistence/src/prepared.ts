import { Errors } from '@platform/platform';
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

const names = new Map<string, string>();

/**
 * Runs a statement that every connection parses and plans once, for the few that each request needs: TypeORM's own queries are parsed
 * and planned anew each time, which costs the database more than running them. Not part of any transaction.
 *
 * A pooler between us and PostgreSQL must keep prepared statements apart (PgBouncer 1.21 or later does).
 */
export async function queryPrepared<Row extends object>(dataSource: DataSource, text: string, values: unknown[]): Promise<Row[]> {
  const pool = (dataSource.driver as unknown as { master?: Pool }).master;
  if (!pool) throw Errors.unavailable(new Error('The data source is closed.'));
  const { rows } = await pool.query<Row>({ name: nameOf(text), text, values });
  return rows;
}

function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20);
    names.set(text, name);
  }
  return name;
}
