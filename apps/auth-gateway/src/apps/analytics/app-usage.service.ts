import { Inject, Injectable } from '@nestjs/common';
import type { AppActionStats, ExtensionActionStats, FunctionActionStats } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import type { Row } from '@platform/persistence';
import { AppError } from '@platform/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { HeavyReadLimiter } from '../../kernel/heavy-read-limiter.js';
import { AppErrors } from '../model/apps.errors.js';
import type { Developer } from '../developers/developer.entity.js';
import { ActionSumsRepository, type FunctionSum } from './sums/action-sums.repository.js';

const DAYS = 30;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MAX_APPS_KEPT = 1_000;
const MAX_LISTED = 100;

/** Usage of an app and of each of its functions, most used first. */
export type AppUsageCounts = AppActionStats & { by_function: FunctionActionStats[] };

const notDeveloper = () => new AppError(403, 'app.not_yours', 'Only the developer of an app can see its usage.');

/** Calls, users and errors of apps. Counts the users of all tenants. */
@Injectable()
export class AppUsageService {
  private readonly reads = new HeavyReadLimiter();
  private readonly known = new LRUCache<string, AppActionStats>({
    max: MAX_APPS_KEPT,
    ttl: HOUR_MS,
    fetchMethod: async (appId) => {
      const { by_function: _ofFunctions, ...stats } = await this.getAppUsage(appId, DAYS);
      return stats;
    },
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly sums: ActionSumsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Returns the usage of an app of the caller in the last 30 days, or in fewer if the developer's
   * tier shows fewer.
   *
   * @throws AppError 403 `app.not_yours` if there is no such app or the caller is not its
   * developer; 429 `rate_limited` while another such request of the caller runs.
   */
  async getDeveloperUsage({ userId }: UserCaller, appId: string): Promise<ExtensionActionStats> {
    const [app] = await this.dataSource.query<Row<Developer, 'tier'>[]>(
      'SELECT d.tier FROM apps a JOIN developers d ON d.user_id = a.developer_id WHERE a.app_id = $1 AND a.developer_id = $2',
      [appId, userId],
    );
    if (!app) throw notDeveloper();
    const days = Math.min(DAYS, this.config.DEVELOPER_TIER_LIMITS[app.tier].analytics_days);
    return this.reads.runExclusive(userId, () => this.getAppUsage(appId, days));
  }

  /**
   * Returns the usage of a published app in the last 30 days, without its functions. The result can
   * be up to an hour old.
   *
   * @throws AppError 404 `app.not_found` if there is no app with this id and the status `active`.
   */
  async getMarketplaceUsage(appId: string): Promise<AppActionStats> {
    const [app] = await this.dataSource.query<unknown[]>("SELECT 1 FROM apps WHERE app_id = $1 AND status = 'active'", [
      appId,
    ]);
    if (!app) throw AppErrors.notFound();
    return this.known.forceFetch(appId);
  }

  /**
   * Returns the usage of an app in the last `days` days (UTC), today included, and of at most 100
   * of its functions. The totals also count calls of names that are not functions of the app.
   */
  async getAppUsage(appId: string, days: number): Promise<AppUsageCounts> {
    const since = firstOf(days);
    const { active_users, functions } = await this.sums.findAppSums(appId, since, MAX_LISTED);
    const [{ total_actions, errors, avg_duration_ms }, ...each] = functions as [FunctionSum, ...FunctionSum[]];
    const success_rate = total_actions ? (total_actions - errors) / total_actions : null;
    const named = each.filter((one): one is FunctionActionStats => Boolean(one.function)).slice(0, MAX_LISTED);
    return { app_id: appId, total_actions, active_users, success_rate, avg_duration_ms, since, by_function: named };
  }
}

function firstOf(days: number): Date {
  const today = Math.floor(Date.now() / DAY_MS);
  return new Date((today - days + 1) * DAY_MS);
}
