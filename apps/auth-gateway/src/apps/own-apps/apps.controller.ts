import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AppCreateRequest,
  AppDeletedResponse,
  AppDeleteRequest,
  AppDetailResponse,
  AppResponse,
  AppUpdateRequest,
  ListDeveloperAppsQuery,
  ListedAppResponse,
} from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { PORTAL_LIMIT } from '../developers/developers.limits.js';
import { AppsService } from './apps.service.js';

/** Apps of the calling developer. Apps of other developers answer 404. */
@ApiTags('Developer portal')
@Controller('v1/developer/apps')
export class AppsController {
  constructor(private readonly apps: AppsService) {}

  /** Apps of the caller, newest first, with the addresses of their webhooks. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  listDeveloperApps(
    @CurrentUser() user: UserCaller,
    @Query() page: ListDeveloperAppsQuery,
  ): Promise<ListedAppResponse[]> {
    return this.apps.listApps(user, page);
  }

  /**
   * Creates an app as a draft. Answers 403 `app.too_many` if the developer has as many apps as
   * their tier allows.
   */
  @Post()
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  createApp(@CurrentUser() user: UserCaller, @Body() request: AppCreateRequest): Promise<AppResponse> {
    return this.apps.createApp(user, request);
  }

  /** An app of the caller, with the functions of its served version. */
  @Get(':app_id')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  getDeveloperApp(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<AppDetailResponse> {
    return this.apps.getApp(user, appId);
  }

  /**
   * Changes an app. Missing fields stay as they are. Prices, shares and the name can change only
   * while the app is a draft or suspended.
   */
  @Put(':app_id')
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  updateApp(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Body() request: AppUpdateRequest,
  ): Promise<AppResponse> {
    return this.apps.updateApp(user, appId, request);
  }

  /**
   * Deletes a draft or a suspended app with all its versions, and uninstalls it for all users.
   * Answers 409 for an app that is in review or in the marketplace, or that the operator suspended.
   */
  @Delete(':app_id')
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  deleteApp(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Body() request: AppDeleteRequest,
  ): Promise<AppDeletedResponse> {
    return this.apps.deleteApp(user, appId, request);
  }
}
