import { Injectable } from '@nestjs/common';
import type { PricesSyncedResponse } from '@platform/contracts';
import type { Caller } from '@platform/guards';
import { DataSource, In, type EntityManager } from 'typeorm';
import { assertRunsPlatform } from '../../organisation/current-tenant/platform-only.js';
import { App } from '../model/app.entity.js';
import { recordAppAudit } from '../model/app-audit.js';
import { SHOWN_COLUMNS, type ShownApp } from '../model/app-response.js';
import { lockAnyApp } from '../model/lock-app.js';
import { OUTDATED_PRICES, syncPrices } from './sync-prices.js';

/** So few that one statement reads their manifests in time: each may have a megabyte. */
const READ_AT_ONCE = 100;
/** So few that nobody waits long for their locks: each has an entry in the audit log. */
const CHANGED_AT_ONCE = 25;

interface SomeApps {
  /** Null behind the last one. */
  last: string | null;
  outdated: string[];
}

/** Brings what apps cost in line with their settings and what they serve, where something else than the portal changed these. */
@Injectable()
export class PriceSyncs {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws AppError 403, 404. */
  async ofApp(caller: Caller, appId: string): Promise<PricesSyncedResponse> {
    assertRunsPlatform(caller);
    return { synced: await this.dataSource.transaction(async (em) => sync(em, [await lockAnyApp(em, appId)])) };
  }

  /** In transactions of some apps each: what is done stays done when it ends early. @throws AppError 403. */
  async ofAll(caller: Caller): Promise<PricesSyncedResponse> {
    assertRunsPlatform(caller);
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

/** In the order of their ids, so that two at once wait for each other. */
const lockApps = (em: EntityManager, appIds: string[]): Promise<ShownApp[]> =>
  em.find(App, {
    select: SHOWN_COLUMNS,
    where: { appId: In(appIds), system: false },
    order: { appId: 'ASC' },
    lock: { mode: 'for_no_key_update' },
  });

/** @param apps which the transaction has locked. Returns how many of them got another price. */
async function sync(em: EntityManager, apps: readonly ShownApp[]): Promise<number> {
  const byId = new Map(apps.map((app) => [app.appId, app]));
  const synced = await syncPrices(em, [...byId.keys()]);
  for (const { app_id, price_version } of synced) {
    const app = byId.get(app_id) as ShownApp;
    await recordAppAudit(em, { action: 'app.prices_synced', before: app, after: app, metadata: { price_version } });
  }
  return synced.length;
}
