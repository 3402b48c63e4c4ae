import { Injectable } from '@nestjs/common';
import type { AppCost } from '@platform/contracts';
import { columns, queryPrepared, type RowOf } from '@platform/persistence';
import { LRUCache } from 'lru-cache';
import { DataSource, type EntityManager } from 'typeorm';
import { AppPrice, type PaidModel } from '../model/app-price.entity.js';

/** A price of an app, current or former. */
export interface PriceVersion {
  version: number;
  model: PaidModel;
  /** Credits per call, by function; read it with `getCallPrice`. */
  functionPrices: Readonly<Record<string, number>>;
  /** Credits per month; 0 for other models. */
  monthlyPrice: number;
  /** Percentage of the price that the developer gets. */
  split: number;
  /**
   * True if an earlier price was monthly. Only then is each paid call checked, with an extra query,
   * for a subscription month that is still running.
   */
  wasMonthly: boolean;
}

/**
 * Credits for one call of a function. 0 for a free app (null), for a function without a price, and
 * for an app with a monthly price.
 */
export const getCallPrice = (prices: PriceVersion | null, name: string): number =>
  getFunctionPrice(prices?.functionPrices ?? null, name);

/**
 * Credits that a user agreed to pay for a call of a function, or for a month, under the current
 * price `now`. 0 if the app was free when they agreed; null if they agreed to another pricing
 * model.
 *
 * @param agreed the price to which the user agreed; null: free.
 */
export function getAgreedPrice(now: PriceVersion, agreed: PriceVersion | null, name: string): number | null {
  if (!agreed) return 0;
  if (agreed.model !== now.model) return null;
  return now.model === 'subscription' ? agreed.monthlyPrice : getCallPrice(agreed, name);
}

/** The price as responses show it. */
export const toAppCost = ({ version, model, functionPrices, monthlyPrice }: PriceVersion): AppCost => ({
  price_version: version,
  pricing_model: model,
  tool_prices: { ...functionPrices },
  monthly_price: monthlyPrice || null,
});

/**
 * Credits for one call of a function in a list of prices; 0 if it is not listed. Reads own keys
 * only: a function can have the name `constructor`.
 */
export const getFunctionPrice = (prices: PriceVersion['functionPrices'] | null, name: string): number =>
  prices && Object.hasOwn(prices, name) ? (prices[name] ?? 0) : 0;

const BYTES_KEPT = 8 * 1024 * 1024;
const PRICE_COLUMNS = columns(AppPrice, ['version', 'model', 'functionPrices', 'monthlyPrice', 'split'], 'p');
const FIND = `SELECT ${PRICE_COLUMNS}, octet_length(p.function_prices::text) AS bytes,
    EXISTS (SELECT FROM app_prices b WHERE b.app_id = p.app_id AND b.version < p.version AND b.model = 'subscription') AS was_monthly
  FROM app_prices p WHERE p.app_id = $1 AND p.version = $2`;
type PriceRow = RowOf<typeof PRICE_COLUMNS> & { bytes: number; was_monthly: boolean };

@Injectable()
export class AppPricesRepository {
  /**
   * Cached without expiry: a price version never changes, and an id with a version always belongs
   * to the same price.
   */
  private readonly known = new LRUCache<string, PriceVersion>({ maxSize: BYTES_KEPT });

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns a price of an app; null if `version` is null.
   *
   * @param version `price_version` of the app; null for a free app.
   * @param em an open transaction, to avoid a second connection.
   * @throws Error if the app has no such price.
   */
  async findPrice(appId: string, version: number | null, em?: EntityManager): Promise<PriceVersion | null> {
    if (version === null) return null;
    const key = `${appId} ${version}`;
    const known = this.known.get(key);
    if (known) return known;
    const [row] = await (em
      ? em.query<PriceRow[]>(FIND, [appId, version])
      : queryPrepared<PriceRow>(this.dataSource, FIND, [appId, version]));
    if (!row) throw new Error(`The app ${appId} has no price ${version}.`);
    const {
      model,
      function_prices: functionPrices,
      monthly_price: monthlyPrice,
      split,
      was_monthly: wasMonthly,
      bytes,
    } = row;
    const prices = { version, model, functionPrices, monthlyPrice: Number(monthlyPrice), split, wasMonthly };
    this.known.set(key, prices, { size: bytes });
    return prices;
  }
}
