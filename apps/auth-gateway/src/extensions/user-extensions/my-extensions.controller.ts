import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DisableBody, InstalledExtension, MyDisabledExtension } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import { ExtensionsService } from './extensions.service.js';

@ApiTags('Marketplace and me')
@Controller('v1/me/extensions')
export class MyExtensionsController {
  constructor(private readonly extensions: ExtensionsService) {}

  /** Lists the apps that the caller has, with the functions that can be called. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'installs:read', permission: 'extensions' })
  @RefusesUnknownQueryKeys()
  listMyExtensions(@CurrentUser() user: UserCaller): Promise<InstalledExtension[]> {
    return this.extensions.listOfCaller(user);
  }

  /**
   * Disables an app: it stays installed, and calls of it are refused. An app that the caller does
   * not have is answered 404 `extension.not_installed`, an app of the platform 403 `app.system`.
   */
  @Post('disable')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'installs:write', permission: 'extensions' })
  async disableMyExtension(
    @CurrentUser() user: UserCaller,
    @Body() { app_id }: DisableBody,
  ): Promise<MyDisabledExtension> {
    await this.extensions.disable(user, user.userId, app_id);
    return { app_id, is_disabled: true };
  }

  /**
   * Enables an app again that the caller has disabled. An unknown app is answered 404
   * `extension.not_installed`, an app of the platform 403 `app.system`.
   */
  @Delete('disable/:app_id')
  @Access('bearerOrActingUser', { keyScope: 'installs:write', permission: 'extensions' })
  async enableMyExtension(
    @CurrentUser() user: UserCaller,
    @Param('app_id') appId: string,
  ): Promise<MyDisabledExtension> {
    await this.extensions.enable(user, user.userId, appId);
    return { app_id: appId, is_disabled: false };
  }
}
