import { Body, Controller, Delete, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InstallRequest, InstallResult, UninstallQuery, UninstallResult } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { Installs } from './installs.service.js';

@ApiTags('Marketplace and me')
@Controller('v1/marketplace/apps/:app_id/install')
export class InstallsController {
  constructor(private readonly installs: Installs) {}

  /**
   * Installs an app for the caller, and grants it the scopes that its version asks for. If the
   * caller already has the app, this grants the scopes of the current version. An API key grants
   * only scopes that it has itself.
   */
  @Post()
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'installs:write', permission: 'extensions' })
  installApp(@CurrentUser() user: UserCaller, @Param('app_id') appId: string, @Body() shown: InstallRequest): Promise<InstallResult> {
    return this.installs.install(user, appId, shown);
  }

  /**
   * Removes an app of the caller; it is no error if they do not have it. The data that the app
   * stores for the caller is deleted after 30 days, unless they install the app again before; with
   * `purge` at once.
   */
  @Delete()
  @Access('bearerOrActingUser', { keyScope: 'installs:write', permission: 'extensions' })
  uninstallApp(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Query() { purge }: UninstallQuery,
  ): Promise<UninstallResult> {
    return this.installs.uninstall(user, appId, purge);
  }
}
