import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppAnalyticsQuery, AppAnalyticsResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { AppAnalytics } from './app-analytics.service.js';

/** How much the apps of the developer who calls are used. */
@ApiTags('Developer portal')
@Controller('v1/developer/apps')
export class AppAnalyticsController {
  constructor(private readonly analytics: AppAnalytics) {}

  /** Calls and earnings, as far back as the tier allows. */
  @Get(':app_id/analytics')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  getAppAnalytics(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Query() query: AppAnalyticsQuery,
  ): Promise<AppAnalyticsResponse> {
    return this.analytics.get(user, appId, query);
  }
}
