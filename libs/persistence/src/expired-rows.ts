import type { DataSource } from 'typeorm';

/** Rows that one statement deletes, few enough that it holds its locks only for a moment. */
export const SWEEP_BATCH = 1_000;

export interface ExpiredRows {
  table: string;
  /** Columns of its primary key, as a list in SQL. */
  key: string;
  /** SQL condition of expired rows, followed by their order if it matters. */
  where: string;
}

/**
 * Deletes up to `SWEEP_BATCH` (1,000) expired rows, except rows that are locked at the moment.
 * Returns their number.
 */
export async function deleteExpired(dataSource: DataSource, { table, key, where }: ExpiredRows): Promise<number> {
  const [, deleted] = await dataSource.query<[unknown[], number]>(
    `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED)`,
  );
  return deleted;
}
