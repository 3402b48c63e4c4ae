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
   * Installs an app for the caller, who so agrees to what its version asks for. Who has it already keeps it, and agrees to what the version
   * asks for that runs by now. An API key agrees to no more than it holds itself.
   */
  @Post()
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'installs:write', permission: 'extensions' })
  installApp(@CurrentUser() user: UserCaller, @Param('app_id') appId: string, @Body() shown: InstallRequest): Promise<InstallResult> {
    return this.installs.install(user, appId, shown);
  }

  /**
   * Removes an app of the caller, whether they have it or not. What it keeps for them is deleted 30 days later, unless they install it again
   * before; with `purge` at once.
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
