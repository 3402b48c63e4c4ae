import type { TenantData, TenantStatement } from '@platform/persistence';

/** How far beyond the page matches are counted: counting all would take the longer the more there are. */
const COUNTED_AHEAD = 1_000;

export interface Total {
  total: number;
  /** False when there are more than `total`. */
  isExact: boolean;
}

/**
 * How many rows a list has beside the page that was read. `matches`, `FROM … WHERE … ORDER BY …`, must be what the page was cut from and in
 * the order of an index: without an order the planner reads the table from its start, where another tenant's rows may be.
 */
export async function totalOf(
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
