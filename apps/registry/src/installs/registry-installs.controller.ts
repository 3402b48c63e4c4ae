import { Body, Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  InstallChangesQuery,
  InstallChangesResponse,
  InstallsPath,
  ListInstallsQuery,
  RegisterInstallRequest,
  RegistryInstall,
  RemovedInstall,
} from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import type { Response } from 'express';
import { InstallChangesService } from './install-changes.service.js';
import { RegistryInstallsService } from './registry-installs.service.js';

@ApiTags('Registry')
@Controller('v1/users/:user_id/extensions')
export class RegistryInstallsController {
  constructor(private readonly installs: RegistryInstallsService) {}

  /**
   * Lists the apps that a user has installed, in the order of installation. A user can list only
   * their own, otherwise the answer is 403 `app.other_user`.
   */
  @Get()
  @Access('bearerOrService', { keyScope: 'installs:read', permission: 'installs' })
  listInstalls(
    @CurrentCaller() caller: Caller,
    @Param() { user_id }: InstallsPath,
    @Query() query: ListInstallsQuery,
  ): Promise<RegistryInstall[]> {
    return this.installs.listInstalls(caller, user_id, query);
  }

  /**
   * Registers an install. Only a trusted backend or an administrator of the platform may do this,
   * otherwise the answer is 403 `app.platform_only`. The registry does not check that the user may
   * install the app; the gateway does so before it calls. Answers 404 `app.not_found` if there is
   * no such app, and 409 `install.too_many` if the user already has 200 apps.
   */
  @Post()
  @Access('bearerOrService', { keyScope: 'installs:write', permission: 'installs' })
  @ApiCreatedResponse({ type: RegistryInstall })
  @ApiOkResponse({ type: RegistryInstall, description: 'The user had already installed the app' })
  async registerInstall(
    @CurrentCaller() caller: Caller,
    @Param() { user_id }: InstallsPath,
    @Body() request: RegisterInstallRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RegistryInstall> {
    const { install, isNew } = await this.installs.registerInstall(caller, user_id, request);
    response.status(isNew ? 201 : 200);
    return install;
  }

  /**
   * Removes an install. Only a trusted backend or an administrator of the platform may do this,
   * otherwise the answer is 403 `app.platform_only`. A retry gets the same answer. Answers 404
   * `install.not_found` if the user never had the app.
   */
  @Delete(':app_id')
  @Access('bearerOrService', { keyScope: 'installs:write', permission: 'installs' })
  removeInstall(
    @CurrentCaller() caller: Caller,
    @Param('user_id') userId: string,
    @Param('app_id') appId: string,
  ): Promise<RemovedInstall> {
    return this.installs.removeInstall(caller, userId, appId);
  }
}

@Controller('v1/internal/installs')
export class InstallChangesController {
  constructor(private readonly changes: InstallChangesService) {}

  @Get()
  @Access('service', { permission: 'install-changes' })
  listInstallChanges(@Query() query: InstallChangesQuery): Promise<InstallChangesResponse> {
    return this.changes.listChanges(query);
  }
}
