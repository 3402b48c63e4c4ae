import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { MySettingsResponse, UpdateSettingsRequest } from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { MINUTE, policy } from '../../kernel/rate-limits.js';
import { MySettingsService } from './my-settings.service.js';

const SETTINGS_LIMIT = policy('settings', 30, MINUTE);

@ApiTags('Marketplace and me')
@Controller('v1/me/settings')
export class MySettingsController {
  constructor(private readonly settings: MySettingsService) {}

  /** Returns the settings of the caller. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'profile:read', permission: 'profile' })
  getMySettings(@CurrentUser() user: UserCaller): Promise<MySettingsResponse> {
    return this.settings.getMySettings(user);
  }

  /**
   * Changes the settings of the user and returns all of them. Absent fields stay as they are; null
   * resets a field. It needs a session: a script with an API key must not be able to turn off
   * confirmations. 422 if an app in `notifications` does not exist or cannot be muted.
   */
  @Patch()
  @UserLimit(SETTINGS_LIMIT)
  @Access('sessionOrActingUser', { permission: 'profile' })
  updateMySettings(
    @CurrentUser() user: UserCaller,
    @Body() request: UpdateSettingsRequest,
  ): Promise<MySettingsResponse> {
    return this.settings.updateMySettings(user, request);
  }
}
