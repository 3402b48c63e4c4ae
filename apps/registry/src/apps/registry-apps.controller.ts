import { Body, Controller, Delete, Get, Headers, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  CreateRegistryAppRequest,
  DeleteRegistryAppResponse,
  ListRegistryAppsQuery,
  RegistryApp,
  UpdateRegistryAppRequest,
} from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import type { Response } from 'express';
import { ApiConditionalRead, ApiConditionalWrite, sendTagged } from '../conditional-requests.js';
import { RegistryAppsService } from './registry-apps.service.js';

@ApiTags('Registry')
@Controller('v1/apps')
export class RegistryAppsController {
  constructor(private readonly apps: RegistryAppsService) {}

  /**
   * Lists apps, ordered by id; by default the active ones. A user sees the active apps and their
   * own; trusted backends and administrators of the platform see all.
   */
  @Get()
  @Access('bearerOrService', { keyScope: 'apps:read', permission: 'catalog' })
  listApps(@CurrentCaller() caller: Caller, @Query() query: ListRegistryAppsQuery): Promise<RegistryApp[]> {
    return this.apps.listApps(caller, query);
  }

  /**
   * Registers an app. Only a trusted backend or an administrator of the platform may do this,
   * otherwise the answer is 403 `app.platform_only`. The status is `active` unless the request sets
   * another one. The app serves no version until a manifest is pushed. Answers 409 `app.exists` if
   * the id is in use.
   */
  @Post()
  @Access('bearerOrService', { keyScope: 'apps:write', permission: 'catalog-write' })
  createApp(@CurrentCaller() caller: Caller, @Body() request: CreateRegistryAppRequest): Promise<RegistryApp> {
    return this.apps.createApp(caller, request);
  }

  /**
   * Returns an app of the registry. Answers 404 `app.not_found` if there is no such app or the
   * caller cannot see it: a user sees the active apps and their own.
   */
  @Get(':app_id')
  @Access('bearerOrService', { keyScope: 'apps:read', permission: 'catalog' })
  @ApiOkResponse({ type: RegistryApp })
  @ApiConditionalRead()
  async getApp(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Res() response: Response,
  ): Promise<void> {
    sendTagged(response, await this.apps.getApp(caller, appId));
  }

  /**
   * Changes the fields of an app that the body contains. `version` selects another stored version
   * to serve; without a manifest of it from the platform, the answer is 409 `app.version_not_held`.
   * Another user than the owner gets 403 `app.not_yours`. An owner may change `config` always; the
   * name, the description, the category and the scopes only until the platform has pushed a
   * manifest; other changes get 403 `app.platform_only`.
   */
  @Put(':app_id')
  @Access('bearerOrService', { keyScope: 'apps:write', permission: 'catalog-write' })
  @ApiOkResponse({ type: RegistryApp })
  @ApiConditionalWrite()
  async updateApp(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() request: UpdateRegistryAppRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    sendTagged(response, await this.apps.updateApp(caller, appId, request, ifMatch));
  }

  /** Changes the fields of an app that the body contains, like PUT. */
  @Patch(':app_id')
  @Access('bearerOrService', { keyScope: 'apps:write', permission: 'catalog-write' })
  @ApiOkResponse({ type: RegistryApp })
  @ApiConditionalWrite()
  patchApp(
    @CurrentCaller() caller: Caller,
    @Param('app_id') appId: string,
    @Body() request: UpdateRegistryAppRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    return this.updateApp(caller, appId, request, ifMatch, response);
  }

  /**
   * Deletes an app with its manifests and settings, and uninstalls it for all users. Only a trusted
   * backend or an administrator of the platform may do this, otherwise the answer is 403
   * `app.platform_only`. Answers 404 `app.not_found` if there is no such app.
   */
  @Delete(':app_id')
  @Access('bearerOrService', { keyScope: 'apps:write', permission: 'catalog-write' })
  deleteApp(@CurrentCaller() caller: Caller, @Param('app_id') appId: string): Promise<DeleteRegistryAppResponse> {
    return this.apps.deleteApp(caller, appId);
  }
}
