import type { TenantData, TenantStatement } from '@platform/persistence';

/**
 * Matches that are counted beyond the page, at most. Counting all of them would take longer with
 * each row.
 */
const COUNTED_AHEAD = 1_000;

export interface Total {
  total: number;
  /** False if there are more than `total` matches. */
  isExact: boolean;
}

/**
 * Counts all rows of a list, after one page of it was read. No query is needed if the page shows
 * the end of the list. Otherwise it counts at most 1,000 rows beyond the page; if there are more,
 * `total` is `offset` + `limit` + 1,000 and `isExact` is false.
 *
 * @param matches the query of the page from `FROM` on, with `ORDER BY` in the order of an index:
 * without an order the planner scans the table from its start, where rows of other tenants can be.
 * @param page the rows that were read, with the limit and the offset of their query.
 */
export async function countTotal(
  tenant: TenantData,
  { matches, values }: { matches: TenantStatement; values: readonly unknown[] },
  { rows, offset, limit }: { rows: readonly unknown[]; offset: number; limit: number },
): Promise<Total> {
  const isLastPage = rows.length > 0 ? rows.length < limit : offset === 0;
  if (isLastPage) return { total: offset + rows.length, isExact: true };
  const most = offset + limit + COUNTED_AHEAD;
  const [counted] = (await tenant.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM (SELECT 1 ${matches} LIMIT ${most + 1}) AS matching`,
    values,
  )) as [{ total: number }];
  return { total: Math.min(counted.total, most), isExact: counted.total <= most };
}
