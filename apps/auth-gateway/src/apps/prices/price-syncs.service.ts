import { Injectable } from '@nestjs/common';
import type { PricesSyncedResponse } from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { DataSource, In, type EntityManager } from 'typeorm';
import { assertPlatformCaller } from '../../organisation/current-tenant/platform-callers.js';
import { App } from '../model/app.entity.js';
import { recordAppAudit } from '../model/app-audit.js';
import { SHOWN_COLUMNS, type ShownApp } from '../model/app-response.js';
import { lockAnyApp } from '../model/lock-app.js';
import { OUTDATED_PRICES, syncPrices } from './sync-prices.js';

/**
 * Apps per query. A manifest can have 1 MiB, so with more apps a query could exceed the statement
 * timeout.
 */
const READ_AT_ONCE = 100;
/** Apps per transaction, so that locks are held only briefly: each app writes an audit entry. */
const CHANGED_AT_ONCE = 25;

interface SomeApps {
  /** Id of the last app of the page; null after the last page. */
  last: string | null;
  outdated: string[];
}

/**
 * Updates prices that no longer match the settings and the served version because another program
 * than the portal changed these.
 */
@Injectable()
export class PriceSyncsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Updates the price of one app. `synced` in the answer is 1 if it changed, otherwise 0.
   *
   * @throws AppError 403 `insufficient_scope` if the caller is neither an administrator of the
   * platform nor a trusted backend, `app.system` for a system app; 404 `app.not_found`.
   */
  async syncAppPrice(caller: Caller, appId: string): Promise<PricesSyncedResponse> {
    assertPlatformCaller(caller);
    return { synced: await this.dataSource.transaction(async (em) => sync(em, [await lockAnyApp(em, appId)])) };
  }

  /**
   * Updates the prices of all apps except system apps. `synced` in the answer is the number of
   * prices that changed. Commits after every few apps, so an early end keeps the earlier work.
   *
   * @throws AppError 403 `insufficient_scope` if the caller is neither an administrator of the
   * platform nor a trusted backend.
   */
  async syncAllPrices(caller: Caller): Promise<PricesSyncedResponse> {
    assertPlatformCaller(caller);
    let synced = 0;
    let last: string | null = '';
    while (last !== null) {
      const [found]: [SomeApps] = await this.dataSource.query<[SomeApps]>(OUTDATED_PRICES, [last, READ_AT_ONCE]);
      for (let at = 0; at < found.outdated.length; at += CHANGED_AT_ONCE) {
        const some = found.outdated.slice(at, at + CHANGED_AT_ONCE);
        synced += await this.dataSource.transaction(async (em) => sync(em, await lockApps(em, some)));
      }
      ({ last } = found);
    }
    return { synced };
  }
}

/**
 * Locks and returns those of the apps that exist and are no system apps. Locks in the order of ids,
 * so that concurrent runs cannot deadlock.
 */
const lockApps = (em: EntityManager, appIds: string[]): Promise<ShownApp[]> =>
  em.find(App, {
    select: SHOWN_COLUMNS,
    where: { appId: In(appIds), system: false },
    order: { appId: 'ASC' },
    lock: { mode: 'for_no_key_update' },
  });

/**
 * Updates the prices of these apps, with an audit entry for each change. Returns the number of apps
 * whose price changed.
 *
 * @param apps locked by the transaction.
 */
async function sync(em: EntityManager, apps: readonly ShownApp[]): Promise<number> {
  const byId = new Map(apps.map((app) => [app.appId, app]));
  const synced = await syncPrices(em, [...byId.keys()]);
  for (const { app_id, price_version } of synced) {
    const app = byId.get(app_id) as ShownApp;
    await recordAppAudit(em, { action: 'app.prices_synced', before: app, after: app, metadata: { price_version } });
  }
  return synced.length;
}
