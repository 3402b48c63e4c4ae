import type { EntityManager } from 'typeorm';

const IS_PRICE = `@@ 'strict $ >= 1 && $ <= 10000000 && $ == $.floor()'`;

/**
 * The app `a` beside what it costs by its settings and its served version, as `app_prices` has it; nulls for one that costs nothing: a free
 * one, one of the platform's, and one of which no function, or no month, has a price. Of functions only those count that its served version
 * has: nobody is shown the others, so nobody agrees to what they cost before a version serves them.
 */
const WITH_WANTED = `apps a
  CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_object_agg(key, value), '{}') AS prices
    FROM jsonb_each(jsonb_path_query_first(a.pricing_config, '$.tool_prices ? (@.type() == "object")'))
      JOIN (SELECT DISTINCT tool ->> 'name' AS name FROM app_versions v, jsonb_array_elements(v.manifest -> 'tools') AS each (tool)
        WHERE v.app_id = a.app_id AND v.version = a.served_version) AS served ON served.name = key
    WHERE value ${IS_PRICE} AND a.pricing_model = 'per_action' AND NOT a.system) AS tools
  LEFT JOIN LATERAL (
    SELECT a.pricing_model AS model, tools.prices AS function_prices, 0::bigint AS monthly_price, a.revenue_split_dev AS split
    WHERE a.pricing_model = 'per_action' AND tools.prices <> '{}' AND NOT a.system
    UNION ALL
    SELECT a.pricing_model, '{}', (a.pricing_config -> 'monthly_price')::bigint, a.revenue_split_dev
    WHERE a.pricing_model = 'subscription' AND a.pricing_config -> 'monthly_price' ${IS_PRICE} AND NOT a.system) AS wanted ON true
  LEFT JOIN app_prices p ON p.app_id = a.app_id AND p.version = a.price_version`;

const DIFFERS = `(wanted.model, wanted.function_prices, wanted.monthly_price, wanted.split)
  IS DISTINCT FROM (p.model, p.function_prices, p.monthly_price, p.split)`;

/** Numbers go on from whatever had the id before: a charge of an app that was deleted keeps its price. */
const SYNC = `
  WITH changed AS (
    SELECT a.app_id, wanted.* FROM ${WITH_WANTED} WHERE a.app_id = ANY ($1) AND ${DIFFERS}
  ), made AS (
    INSERT INTO app_prices (app_id, version, model, function_prices, monthly_price, split)
    SELECT app_id, 1 + coalesce((SELECT max(before.version) FROM app_prices before WHERE before.app_id = c.app_id), 0), model, function_prices,
      monthly_price, split
    FROM changed c WHERE model IS NOT NULL RETURNING app_id, version
  ), synced AS (
    UPDATE apps a SET price_version = m.version FROM changed c LEFT JOIN made m ON m.app_id = c.app_id WHERE a.app_id = c.app_id
    RETURNING a.app_id, a.price_version
  )
  SELECT app_id, price_version FROM synced ORDER BY app_id`;

export interface SyncedPrice {
  app_id: string;
  /** Null where it costs nothing any more. */
  price_version: number | null;
}

/**
 * Gives those of these apps another price that do not have the one that their settings and their served version say, and returns them. Whoever
 * changes any of these calls it in the same transaction.
 *
 * The transaction has locked the apps in a statement before this one: two at once would else count from the same version.
 */
export const syncPrices = (em: EntityManager, appIds: readonly string[]): Promise<SyncedPrice[]> => em.query<SyncedPrice[]>(SYNC, [appIds]);

/** Of the next `$2` apps after `$1`: the id of the last one, and the ids of those whose price is not the one that their settings and their served version say. */
export const OUTDATED_PRICES = `
  SELECT max(w.app_id) AS last, coalesce(array_agg(w.app_id ORDER BY w.app_id) FILTER (WHERE w.differs), '{}') AS outdated
  FROM (SELECT a.app_id, ${DIFFERS} AS differs FROM ${WITH_WANTED} WHERE a.app_id > $1 ORDER BY a.app_id LIMIT $2) AS w`;
