import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AppAnalyticsQuery,
  AppAnalyticsResponse,
  AppCreateRequest,
  AppDeletedResponse,
  AppDeleteRequest,
  AppDetailResponse,
  AppResponse,
  AppStatusResponse,
  AppSubmitResponse,
  AppUpdateRequest,
  ListDeveloperAppsQuery,
  ListedAppResponse,
} from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { UserLimits } from '../../../kernel/rate-limits.js';
import { AppAnalytics } from '../analytics/app-analytics.service.js';
import { AppSubmissions } from '../reviews/app-submissions.service.js';
import { Apps } from './apps.service.js';

/** The apps of the developer who calls; those of others are not there. */
@ApiTags('Developer portal')
@Controller('v1/developer/apps')
export class AppsController {
  constructor(
    @Inject(Apps) private readonly apps: Apps,
    @Inject(AppSubmissions) private readonly submissions: AppSubmissions,
    @Inject(AppAnalytics) private readonly analytics: AppAnalytics,
  ) {}

  /** The newest first. Each with the addresses of its webhooks. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  listDeveloperApps(@CurrentUser() user: UserCaller, @Query() page: ListDeveloperAppsQuery): Promise<ListedAppResponse[]> {
    return this.apps.list(user, page);
  }

  /** Creates a draft. The operator may limit how many apps a developer has, by their tier. */
  @Post()
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(UserLimits.portal)
  createApp(@CurrentUser() user: UserCaller, @Body() request: AppCreateRequest): Promise<AppResponse> {
    return this.apps.create(user, request);
  }

  /** With the functions of the version that runs. */
  @Get(':app_id')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  getDeveloperApp(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<AppDetailResponse> {
    return this.apps.get(user, appId);
  }

  /** Changes what is given. Prices and shares change only while the app is a draft or suspended. */
  @Put(':app_id')
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(UserLimits.portal)
  updateApp(@CurrentUser() user: UserCaller, @Param('app_id') appId: string, @Body() request: AppUpdateRequest): Promise<AppResponse> {
    return this.apps.update(user, appId, request);
  }

  /** Deletes a draft or a suspended app with all its versions, and removes it from whoever has it installed. */
  @Delete(':app_id')
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(UserLimits.portal)
  deleteApp(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Body() request: AppDeleteRequest,
  ): Promise<AppDeletedResponse> {
    return this.apps.delete(user, appId, request);
  }

  /** Asks for a review of the version that runs now. Answers 409 with the checks when something that is required is missing. */
  @Post(':app_id/submit')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(UserLimits.portal)
  submitApp(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<AppSubmitResponse> {
    return this.submissions.submit(user, appId);
  }

  /** Takes an app out of review, or out of the marketplace. It can be submitted again. */
  @Post(':app_id/suspend')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(UserLimits.portal)
  suspendApp(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<AppStatusResponse> {
    return this.submissions.suspend(user, appId);
  }

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
