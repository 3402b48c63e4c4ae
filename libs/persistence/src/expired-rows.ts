import type { DataSource } from 'typeorm';

/** How many rows one statement deletes: few enough that it holds its locks for a moment only. */
export const SWEEP_BATCH = 1_000;

export interface ExpiredRows {
  table: string;
  /** The columns of its primary key, as SQL lists them. */
  key: string;
  /** Which rows have expired, and in which order they go where that matters. */
  where: string;
}

/** Deletes up to `SWEEP_BATCH` rows, without those that somebody else holds at the moment. Returns how many. */
export async function deleteExpired(dataSource: DataSource, { table, key, where }: ExpiredRows): Promise<number> {
  const [, deleted] = await dataSource.query<[unknown[], number]>(
    `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED)`,
  );
  return deleted;
}
