import { Inject, Injectable } from '@nestjs/common';
import type { AppActionStats, ExtensionActionStats, FunctionActionStats } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import type { Row } from '@platform/persistence';
import { AppError } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { AppErrors } from '../model/apps.errors.js';
import type { Developer } from '../developers/developer.entity.js';

const DAYS = 30;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MOST_APPS_KEPT = 1_000;
const MOST_LISTED = 100;

const COUNTS = `count(*)::int AS total_actions, count(*) FILTER (WHERE status NOT IN ('success', 'completed'))::int AS errors,
  round(avg(duration_ms))::float8 AS avg_duration_ms`;

interface Counts {
  total_actions: number;
  errors: number;
  avg_duration_ms: number | null;
  active_users: number;
}

const notDeveloper = () => new AppError(403, 'app.not_yours', 'Only the developer of an app sees how it is used.');

/** How much apps are used, by people of all tenants. */
@Injectable()
export class AppUsage {
  private readonly known = new LRUCache<string, AppActionStats>({
    max: MOST_APPS_KEPT,
    ttl: HOUR_MS,
    fetchMethod: (appId) => this.count(appId, DAYS),
  });

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** For the developer, over 30 days or as many as their tier shows. @throws AppError 403 for anybody else. */
  async forDeveloper({ userId }: UserCaller, appId: string): Promise<ExtensionActionStats> {
    const [app] = await this.dataSource.query<Row<Developer, 'tier'>[]>(
      'SELECT d.tier FROM apps a JOIN developers d ON d.user_id = a.developer_id WHERE a.app_id = $1 AND a.developer_id = $2',
      [appId, userId],
    );
    if (!app) throw notDeveloper();
    const { since, ...stats } = await this.count(appId, Math.min(DAYS, this.config.DEVELOPER_TIER_LIMITS[app.tier].analytics_days));
    return { ...stats, since, by_function: await this.byFunction(appId, since) };
  }

  /** Over 30 days, up to an hour old. @throws AppError 404. */
  async forMarketplace(appId: string): Promise<AppActionStats> {
    const [app] = await this.dataSource.query<unknown[]>("SELECT 1 FROM apps WHERE app_id = $1 AND status = 'active'", [appId]);
    if (!app) throw AppErrors.notFound();
    return this.known.forceFetch(appId);
  }

  /** The most used first. */
  byFunction(appId: string, since: Date): Promise<FunctionActionStats[]> {
    return this.dataSource.query<FunctionActionStats[]>(
      `SELECT function, ${COUNTS} FROM actions WHERE app_id = $1 AND created_at >= $2
       GROUP BY function ORDER BY total_actions DESC, function LIMIT ${MOST_LISTED}`,
      [appId, since],
    );
  }

  async count(appId: string, days: number): Promise<AppActionStats> {
    const since = new Date(Date.now() - days * DAY_MS);
    const [{ total_actions: total, errors, avg_duration_ms, active_users }] = await this.dataSource.query<[Counts]>(
      `SELECT ${COUNTS}, count(DISTINCT user_id)::int AS active_users FROM actions WHERE app_id = $1 AND created_at >= $2`,
      [appId, since],
    );
    const success_rate = total ? (total - errors) / total : null;
    return { app_id: appId, total_actions: total, active_users, success_rate, avg_duration_ms, since };
  }
}
