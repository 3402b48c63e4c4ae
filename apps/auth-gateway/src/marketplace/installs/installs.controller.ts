import { Controller, Delete, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InstallResult, UninstallResult } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { Installs } from './installs.service.js';

@ApiTags('Marketplace and me')
@Controller('v1/marketplace/apps/:app_id/install')
export class InstallsController {
  constructor(@Inject(Installs) private readonly installs: Installs) {}

  /** Installs an app for the caller. Who has it already keeps it as it is. */
  @Post()
  @HttpCode(200)
  @Access('bearerOrActingUser')
  installApp(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<InstallResult> {
    return this.installs.install(user, appId);
  }

  /** Removes an app of the caller, whether they have it or not. */
  @Delete()
  @Access('bearerOrActingUser')
  uninstallApp(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<UninstallResult> {
    return this.installs.uninstall(user, appId);
  }
}
