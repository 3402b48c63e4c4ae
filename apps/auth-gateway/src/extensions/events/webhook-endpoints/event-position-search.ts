import type { DataSource } from 'typeorm';

/**
 * Events that are read together, because a single one may come from a transaction that ran for
 * long.
 */
const NEIGHBOURS = 20;

interface Placed {
  position: string;
  created_at: Date;
}

/**
 * Returns a position after which all events since this moment are, approximately: positions follow
 * the order of commits, but the time of an event is the start of its transaction. 0 without events.
 * Uses a binary search, because no index has the times in the order of positions, and a day can
 * have millions of events.
 */
export async function findPositionAt(dataSource: DataSource, moment: Date): Promise<bigint> {
  const [ends] = await dataSource.query<[{ first: string | null; last: string | null }]>(
    `SELECT (SELECT min(position) FROM platform_events WHERE position > 0) AS first, (SELECT max(position) FROM platform_events WHERE position > 0) AS last`,
  );
  if (ends.first === null || ends.last === null) return 0n;
  // All events up to `low` are older than the moment; events from `high` on may not be.
  let low = BigInt(ends.first) - 1n;
  let high = BigInt(ends.last) + 1n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    const next = await dataSource.query<Placed[]>(
      `SELECT position, created_at FROM platform_events WHERE position > 0 AND position >= $1 ORDER BY position LIMIT ${NEIGHBOURS}`,
      [String(middle)],
    );
    const last = next.at(-1);
    if (!last || next.some(({ created_at }) => created_at >= moment)) high = middle;
    else low = BigInt(last.position);
  }
  return low;
}
