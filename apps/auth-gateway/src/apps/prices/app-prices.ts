import { Injectable } from '@nestjs/common';
import type { AppCost } from '@platform/contracts';
import { columns, queryPrepared, type RowOf } from '@platform/persistence';
import { LRUCache } from 'lru-cache';
import { DataSource, type EntityManager } from 'typeorm';
import { AppPrice, type PaidModel } from '../model/app-price.entity.js';

/** What an app costs. */
export interface PriceVersion {
  version: number;
  model: PaidModel;
  /** Credits for a call, by function; read it with `priceOfCall`. */
  functionPrices: Readonly<Record<string, number>>;
  /** Credits; 0 unless it is paid for by the month. */
  monthlyPrice: number;
  /** Percent of it that the developer gets. */
  split: number;
  /** Whether the app was paid for by the month before, so that a user may have a month that goes on: it costs each paid call a statement. */
  wasMonthly: boolean;
}

/** Credits for a call of a function, without what is paid by the month. */
export const priceOfCall = (prices: PriceVersion | null, name: string): number => priceIn(prices?.functionPrices ?? null, name);

/**
 * Credits that a user agreed to pay for a call of a function, or for a month, of an app that costs `now`; null where they agreed to pay in
 * another way.
 */
export function agreedPriceOf(now: PriceVersion, agreed: PriceVersion | null, name: string): number | null {
  if (!agreed) return 0;
  if (agreed.model !== now.model) return null;
  return now.model === 'subscription' ? agreed.monthlyPrice : priceOfCall(agreed, name);
}

/** As users are told it. */
export const costOf = ({ version, model, functionPrices, monthlyPrice }: PriceVersion): AppCost => ({
  price_version: version,
  pricing_model: model,
  tool_prices: { ...functionPrices },
  monthly_price: monthlyPrice || null,
});

/** Own keys only: a function may be named `constructor`. */
export const priceIn = (prices: PriceVersion['functionPrices'] | null, name: string): number =>
  prices && Object.hasOwn(prices, name) ? (prices[name] ?? 0) : 0;

const BYTES_KEPT = 8 * 1024 * 1024;
const OF_PRICE = columns(AppPrice, ['version', 'model', 'functionPrices', 'monthlyPrice', 'split'], 'p');
const FIND = `SELECT ${OF_PRICE}, octet_length(p.function_prices::text) AS bytes,
    EXISTS (SELECT FROM app_prices b WHERE b.app_id = p.app_id AND b.version < p.version AND b.model = 'subscription') AS was_monthly
  FROM app_prices p WHERE p.app_id = $1 AND p.version = $2`;
type PriceRow = RowOf<typeof OF_PRICE> & { bytes: number; was_monthly: boolean };

/** Reads what apps cost. */
@Injectable()
export class AppPrices {
  /** A version never changes, and is never another app's. */
  private readonly known = new LRUCache<string, PriceVersion>({ maxSize: BYTES_KEPT });

  constructor(private readonly dataSource: DataSource) {}

  /**
   * @param version the `price_version` of the app: null for one that costs nothing.
   * @param em of a transaction that is open, so that it needs no second connection.
   */
  async get(appId: string, version: number | null, em?: EntityManager): Promise<PriceVersion | null> {
    if (version === null) return null;
    const key = `${appId} ${version}`;
    const known = this.known.get(key);
    if (known) return known;
    const [row] = await (em
      ? em.query<PriceRow[]>(FIND, [appId, version])
      : queryPrepared<PriceRow>(this.dataSource, FIND, [appId, version]));
    if (!row) throw new Error(`The app ${appId} has no price ${version}.`);
    const { model, function_prices: functionPrices, monthly_price: monthlyPrice, split, was_monthly: wasMonthly, bytes } = row;
    const prices = { version, model, functionPrices, monthlyPrice: Number(monthlyPrice), split, wasMonthly };
    this.known.set(key, prices, { size: bytes });
    return prices;
  }
}
