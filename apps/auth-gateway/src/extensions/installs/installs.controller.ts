import { Body, Controller, Delete, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InstallRequest, InstallResult, UninstallQuery, UninstallResult } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { InstallsService } from './installs.service.js';

@ApiTags('Marketplace and me')
@Controller('v1/marketplace/apps/:app_id/install')
export class InstallsController {
  constructor(private readonly installs: InstallsService) {}

  /**
   * Installs an app for the caller, and grants it the scopes that its version asks for; an API key
   * grants only scopes that it has itself. If the caller already has the app, this grants the
   * scopes of the current version. An app that is unknown or not published is answered 400
   * `app.not_active`, one that the tenant forbids 403 `extension.access_denied`. The answer is 409
   * if version, scopes or price differ from those in the request, or if the caller has too many
   * apps.
   */
  @Post()
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'installs:write', permission: 'extensions' })
  installApp(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
    @Body() shown: InstallRequest,
  ): Promise<InstallResult> {
    return this.installs.install(user, appId, shown);
  }

  /**
   * Removes an app of the caller; it is no error if they do not have it. The data that the app
   * stores for the caller is deleted after 30 days, unless they install the app again before; with
   * `purge` at once. An unknown app is answered 404 `app.not_found`, an app of the platform 403
   * `app.system`.
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
