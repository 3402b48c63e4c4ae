import { Injectable } from '@nestjs/common';
import { isAppId, type AppHealthResponse } from '@platform/contracts';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { AppOutcomesRepository } from '../../extensions/actions/app-outcomes.repository.js';
import { rateHealth } from './health-status.js';

/**
 * FROM clause: apps of the marketplace as `a`, with their served version as `v` that has a
 * document. All conditions are in the join, so a WHERE clause can follow.
 */
export const APPS_WITH_HEALTH = `apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version AND v.document IS NOT NULL
  AND a.status = 'active' AND NOT a.system`;

const REFRESH_EVERY_MS = 30_000;
const MAX_APPS = 1_000;
const UNKNOWN: AppHealthResponse = { status: 'unknown' };

/** Health of apps in the marketplace, from the results of their calls. */
@Injectable()
export class AppHealthService {
  /** Cache, so that any number of requests for an app causes one check. */
  private readonly snapshots = new LRUCache<string, AppHealthResponse>({
    max: MAX_APPS,
    ttl: REFRESH_EVERY_MS,
    fetchMethod: (appId) => this.computeAppHealth(appId),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly outcomes: AppOutcomesRepository,
  ) {}

  /**
   * Returns the health of an app, at most 30 seconds old. An app without recent calls is `healthy`.
   * It is `unknown` for an app that is not in the marketplace, such as a draft, a suspended app or
   * a system app, and for a served version without a document.
   */
  async getAppHealth(appId: string): Promise<AppHealthResponse> {
    return (isAppId(appId) && (await this.snapshots.fetch(appId))) || UNKNOWN;
  }

  private async computeAppHealth(appId: string): Promise<AppHealthResponse> {
    const [app] = await this.dataSource.query<{ version: string }[]>(
      `SELECT v.version FROM ${APPS_WITH_HEALTH} WHERE a.app_id = $1`,
      [appId],
    );
    if (!app) return UNKNOWN;
    const status = rateHealth(await this.outcomes.getRecentOutcomes(appId));
    return { status, app_id: appId, version: app.version, checked_at: new Date().toISOString() };
  }
}
