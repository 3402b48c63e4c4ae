import { EarningsRepository } from '@platform/billing';
import { Inject, Injectable } from '@nestjs/common';
import type { AppAnalyticsQuery, AppAnalyticsResponse, DeveloperTier } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import type { Row } from '@platform/persistence';
import { AppError } from '@platform/platform';
import { DataSource } from 'typeorm';
import { HeavyReadLimiter } from '../../kernel/heavy-read-limiter.js';
import { CONFIG, type Config } from '../../config.js';
import { AppErrors } from '../model/apps.errors.js';
import { AppUsageService } from './app-usage.service.js';
import type { Developer } from '../developers/developer.entity.js';

const DEFAULT_DAYS = 30;
const TOP_FUNCTIONS = 10;

const beyondTier = (tier: DeveloperTier, days: number) =>
  new AppError(400, 'analytics.beyond_tier', `The tier ${tier} shows at most the last ${days} days.`, {
    details: { maximum_days: days },
  });

@Injectable()
export class AppAnalyticsService {
  private readonly reads = new HeavyReadLimiter();

  constructor(
    private readonly dataSource: DataSource,
    private readonly usage: AppUsageService,
    private readonly earnings: EarningsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Returns the calls, users and earnings of an app of the caller in the last `days` days (UTC),
   * and its ten most used functions. Without `days`: 30, or as many as the developer's tier shows
   * if these are fewer.
   *
   * @throws AppError 400 `analytics.beyond_tier` if the tier shows fewer days; 404 `app.not_found`
   * if there is no such app or it belongs to another developer; 429 `rate_limited` while another
   * such request of the caller runs.
   */
  getAppAnalytics(user: UserCaller, appId: string, query: AppAnalyticsQuery): Promise<AppAnalyticsResponse> {
    return this.reads.runExclusive(user.userId, () => this.readAppAnalytics(user, appId, query));
  }

  private async readAppAnalytics(
    { userId }: UserCaller,
    appId: string,
    query: AppAnalyticsQuery,
  ): Promise<AppAnalyticsResponse> {
    const [app] = await this.dataSource.query<Row<Developer, 'tier'>[]>(
      'SELECT d.tier FROM apps a JOIN developers d ON d.user_id = a.developer_id WHERE a.app_id = $1 AND a.developer_id = $2',
      [appId, userId],
    );
    if (!app) throw AppErrors.notFound();
    const { analytics_days: most } = this.config.DEVELOPER_TIER_LIMITS[app.tier];
    const days = query.days ?? Math.min(DEFAULT_DAYS, most);
    if (days > most) throw beyondTier(app.tier, most);
    const revenue = await this.earnings.getAppRevenue(userId, appId, days);
    const { total_actions, active_users, by_function: functions } = await this.usage.getAppUsage(appId, days);
    const earned = new Map(revenue.functions.map((each) => [each.function, each.share]));
    return {
      app_id: appId,
      days,
      total_calls: total_actions,
      total_revenue: revenue.days.reduce((total, { share }) => total + share, 0),
      unique_users: active_users,
      revenue_chart: revenue.days.map(({ day, share }) => ({ day, revenue: share })),
      top_functions: functions
        .slice(0, TOP_FUNCTIONS)
        .map((top) => ({ function: top.function, calls: top.total_actions, revenue: earned.get(top.function) ?? 0 })),
    };
  }
}
