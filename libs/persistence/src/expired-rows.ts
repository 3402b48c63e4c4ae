import type { DataSource } from 'typeorm';

/** How many rows one statement deletes: few enough that it holds its locks for a moment only. */
export const SWEEP_BATCH = 1_000;
const MAX_SWEEP_MS = 10_000;

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

/**
 * Lets each of them delete a batch, in turn, until they have no full ones any more: `deletes` return how many rows went, of
 * `batch` at most. False when that takes longer than `maxMs` milliseconds; the rest is then for the next time.
 */
export async function sweepInTurn(
  deletes: readonly (() => Promise<number>)[],
  maxMs = MAX_SWEEP_MS,
  batch = SWEEP_BATCH,
): Promise<boolean> {
  const end = performance.now() + maxMs;
  let behind = deletes;
  do {
    const full: (() => Promise<number>)[] = [];
    for (const deleteBatch of behind) if ((await deleteBatch()) >= batch) full.push(deleteBatch);
    behind = full;
  } while (behind.length && performance.now() < end);
  return !behind.length;
}
