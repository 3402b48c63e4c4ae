import {
  findCategory,
  unknownCategory,
  type ListMarketplaceAppsQuery,
  type MarketplaceSort,
} from '@platform/contracts';
import { ValidationFailed } from '@platform/platform';
import type { EntityManager } from 'typeorm';
import { searchApps, wordsCondition } from './app-search.js';

/** Each order has an index on `app_listings`, and one within a category. */
const ORDERS: Record<Exclude<MarketplaceSort, 'relevance'>, string> = {
  actions: 'action_count DESC, install_count DESC, app_id',
  installs: 'install_count DESC, app_id',
  rating: 'rating DESC, review_count DESC, app_id',
  newest: 'published_at DESC, app_id',
  name: 'sort_name, app_id',
};

/**
 * Returns the ids of the apps on a page of the marketplace. Without `sort`, a search is ordered by
 * relevance and everything else by the number of calls. Ties are ordered by id.
 *
 * @throws ValidationFailed for an unknown category.
 */
export async function findListedApps(em: EntityManager, query: ListMarketplaceAppsQuery): Promise<string[]> {
  const page = resolvePage(query);
  const search = query.search?.trim();
  const category = query.category === undefined ? undefined : await categoryOf(em, query.category);
  const sort = query.sort ?? (search ? 'relevance' : 'actions');
  if (!search) return sorted(em, sort === 'relevance' ? 'actions' : sort, category, page);
  if (sort === 'relevance') return searchApps(em, { search, category, ...page });
  return sorted(em, sort, category, page, search);
}

/**
 * Returns the id of the category that a text names. A category that is not in the catalogue is
 * accepted if an app in the marketplace has it.
 *
 * @throws ValidationFailed if there is no such category.
 */
async function categoryOf(em: EntityManager, text: string): Promise<string> {
  const known = findCategory(text);
  if (known) return known.id;
  const [listed] = await em.query<unknown[]>('SELECT 1 FROM app_listings WHERE is_listed AND category = $1 LIMIT 1', [
    text,
  ]);
  if (!listed) throw new ValidationFailed([{ loc: ['query', 'category'], ...unknownCategory(text) }]);
  return text;
}

interface Page {
  limit: number;
  offset: number;
}

/**
 * Computes the limit and the offset of a query. If it has `page` or `per_page`, these take
 * precedence over `limit` and `offset`.
 */
export function resolvePage({ limit, offset, page, per_page }: ListMarketplaceAppsQuery): Page {
  if (page === undefined && per_page === undefined) return { limit, offset };
  const size = per_page ?? limit;
  return { limit: size, offset: ((page ?? 1) - 1) * size };
}

async function sorted(
  em: EntityManager,
  sort: keyof typeof ORDERS,
  category: string | undefined,
  { limit, offset }: Page,
  search?: string,
): Promise<string[]> {
  const words = search === undefined ? { condition: '', values: [] } : await wordsCondition(em, search);
  const values: unknown[] = [...words.values];
  const conditions = ['l.is_listed'];
  if (category !== undefined) {
    values.push(category);
    conditions.push(`l.category = $${values.length}`);
  }
  if (words.condition)
    conditions.push(`EXISTS (SELECT FROM app_search s WHERE s.app_id = l.app_id AND ${words.condition})`);
  const rows = await em.query<{ app_id: string }[]>(
    `SELECT l.app_id FROM app_listings l WHERE ${conditions.join(' AND ')} ORDER BY ${ORDERS[sort]} LIMIT ${limit} OFFSET ${offset}`,
    values,
  );
  return rows.map(({ app_id }) => app_id);
}
