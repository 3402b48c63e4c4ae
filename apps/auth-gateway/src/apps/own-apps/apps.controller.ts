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
import { Apps } from './apps.service.js';

/** The apps of the developer who calls; those of others are not there. */
@ApiTags('Developer portal')
@Controller('v1/developer/apps')
export class AppsController {
  constructor(private readonly apps: Apps) {}

  /** The apps of the developer, the newest first. Each with the addresses of its webhooks. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  listDeveloperApps(@CurrentUser() user: UserCaller, @Query() page: ListDeveloperAppsQuery): Promise<ListedAppResponse[]> {
    return this.apps.list(user, page);
  }

  /** Creates a draft. The operator may limit how many apps a developer has, by their tier. */
  @Post()
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  createApp(@CurrentUser() user: UserCaller, @Body() request: AppCreateRequest): Promise<AppResponse> {
    return this.apps.create(user, request);
  }

  /** An app of the developer, with the functions of the version that runs. */
  @Get(':app_id')
  @Access('bearerOrActingUser', { keyScope: 'apps:read', permission: 'developer' })
  getDeveloperApp(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<AppDetailResponse> {
    return this.apps.get(user, appId);
  }

  /** Changes an app. What is absent stays. Prices and shares change only while the app is a draft or suspended. */
  @Put(':app_id')
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  updateApp(@CurrentUser() user: UserCaller, @Param('app_id') appId: string, @Body() request: AppUpdateRequest): Promise<AppResponse> {
    return this.apps.update(user, appId, request);
  }

  /** Deletes a draft or a suspended app with all its versions, and removes it from whoever has it installed. */
  @Delete(':app_id')
  @Access('bearerOrActingUser', { keyScope: 'apps:write', permission: 'developer' })
  @UserLimit(PORTAL_LIMIT)
  deleteApp(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Body() request: AppDeleteRequest,
  ): Promise<AppDeletedResponse> {
    return this.apps.delete(user, appId, request);
  }
}
