import type { DataSource } from 'typeorm';

/** Looked at together, since one of them may be of a transaction that was long under way. */
const NEIGHBOURS = 20;

interface Placed {
  position: string;
  created_at: Date;
}

/**
 * A position after which are all events from this moment on, near enough: events are placed in the order of their commits, and their times are of when their transactions
 * began. Found by halving, since no index knows the times in the order of positions, and a day may have millions of events.
 */
export async function positionAt(dataSource: DataSource, moment: Date): Promise<bigint> {
  const [ends] = await dataSource.query<[{ first: string | null; last: string | null }]>(
    `SELECT (SELECT min(position) FROM platform_events WHERE position > 0) AS first, (SELECT max(position) FROM platform_events WHERE position > 0) AS last`,
  );
  if (ends.first === null || ends.last === null) return 0n;
  // Everything up to `low` is older; everything from `high` on may not be.
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
