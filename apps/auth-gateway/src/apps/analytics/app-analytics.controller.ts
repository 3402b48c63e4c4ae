import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppAnalyticsQuery, AppAnalyticsResponse } from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { MINUTE, policy } from '../../kernel/rate-limits.js';
import { AppAnalyticsService } from './app-analytics.service.js';

const ANALYTICS_LIMIT = policy('app-analytics', 120, MINUTE);

/** Usage of the caller's apps. */
@ApiTags('Developer portal')
@Controller('v1/developer/apps')
export class AppAnalyticsController {
  constructor(private readonly analytics: AppAnalyticsService) {}

  /**
   * Calls and earnings of an app of the caller in the last days (UTC). Answers 400
   * `analytics.beyond_tier` for more days than the developer's tier shows, and 429 while another
   * such request of the caller runs.
   */
  @Get(':app_id/analytics')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  @UserLimit(ANALYTICS_LIMIT)
  getAppAnalytics(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Query() query: AppAnalyticsQuery,
  ): Promise<AppAnalyticsResponse> {
    return this.analytics.getAppAnalytics(user, appId, query);
  }
}
