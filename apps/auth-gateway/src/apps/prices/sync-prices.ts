import type { EntityManager } from 'typeorm';

const IS_PRICE = `@@ 'strict $ >= 1 && $ <= 10000000 && $ == $.floor()'`;

/**
 * Joins each app `a` with the price that results from its settings and its served version, in the
 * columns of `app_prices`. The columns are null for an app without a price: a free app, a system
 * app, or an app without a priced function or month. Only functions of the served version count:
 * users cannot see other functions, so they cannot agree to their prices yet.
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

/**
 * The version numbers continue after those of a deleted app with the same id, so charges of that
 * app keep their price.
 */
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
  /** Null if the app is now free. */
  price_version: number | null;
}

/**
 * Updates the current prices of these apps from their settings and served versions. Returns the
 * apps whose price changed. Call it in each transaction that changes settings or served version.
 *
 * An earlier statement of the transaction must have locked the apps. Otherwise two concurrent calls
 * would assign the same version number.
 */
export const syncPrices = (em: EntityManager, appIds: readonly string[]): Promise<SyncedPrice[]> =>
  em.query<SyncedPrice[]>(SYNC, [appIds]);

/**
 * For the next `$2` apps after `$1`: the id of the last app, and the ids of the apps with an
 * outdated price.
 */
export const OUTDATED_PRICES = `
  SELECT max(w.app_id) AS last, coalesce(array_agg(w.app_id ORDER BY w.app_id) FILTER (WHERE w.differs), '{}') AS outdated
  FROM (SELECT a.app_id, ${DIFFERS} AS differs FROM ${WITH_WANTED} WHERE a.app_id > $1 ORDER BY a.app_id LIMIT $2) AS w`;
