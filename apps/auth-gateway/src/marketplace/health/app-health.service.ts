import { Injectable } from '@nestjs/common';
import { isAppId, type AppHealthResponse } from '@platform/contracts';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { AppOutcomes } from '../../extensions/actions/recent-outcomes.js';
import { healthStatusOf } from './health-status.js';

/**
 * FROM: apps of the marketplace as `a`, each with its served version as `v`, which has a document. The conditions are in the join, so that a caller's own WHERE
 * can follow.
 */
export const APPS_WITH_HEALTH = `apps a JOIN app_versions v ON v.app_id = a.app_id AND v.version = a.served_version AND v.document IS NOT NULL
  AND a.status = 'active' AND NOT a.system`;

const LOOKED_AT_EVERY_MS = 30_000;
const MOST_APPS = 1_000;
const UNKNOWN: AppHealthResponse = { status: 'unknown' };

/** How the apps of the marketplace do, as calls of them show it. */
@Injectable()
export class AppHealth {
  /** However many ask about an app, it is looked at once. */
  private readonly snapshots = new LRUCache<string, AppHealthResponse>({
    max: MOST_APPS,
    ttl: LOOKED_AT_EVERY_MS,
    fetchMethod: (appId) => this.look(appId),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly outcomes: AppOutcomes,
  ) {}

  /**
   * `unknown` for what the marketplace has not, such as drafts and what is suspended, and for a version that does not run here. One that nobody has called
   * lately is healthy, as long as nothing is known against it.
   */
  async of(appId: string): Promise<AppHealthResponse> {
    return (isAppId(appId) && (await this.snapshots.fetch(appId))) || UNKNOWN;
  }

  private async look(appId: string): Promise<AppHealthResponse> {
    const [app] = await this.dataSource.query<{ version: string }[]>(`SELECT v.version FROM ${APPS_WITH_HEALTH} WHERE a.app_id = $1`, [
      appId,
    ]);
    if (!app) return UNKNOWN;
    const status = healthStatusOf(await this.outcomes.recent(appId));
    return { status, app_id: appId, version: app.version, checked_at: new Date().toISOString() };
  }
}
