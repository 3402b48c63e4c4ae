import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { MySettingsResponse, UpdateSettingsRequest } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { UserSettings } from './my-settings.service.js';

@ApiTags('Marketplace and me')
@Controller('v1/me/settings')
export class MySettingsController {
  constructor(private readonly settings: UserSettings) {}

  /** What the caller has decided for themselves. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'profile:read', permission: 'profile' })
  getMySettings(@CurrentUser() user: UserCaller): Promise<MySettingsResponse> {
    return this.settings.get(user);
  }

  /** Changes what the body names. It takes a person: an API key, which a script holds, cannot decide that nobody is asked. */
  @Patch()
  @Access('sessionOrActingUser', { permission: 'profile' })
  updateMySettings(@CurrentUser() user: UserCaller, @Body() request: UpdateSettingsRequest): Promise<MySettingsResponse> {
    return this.settings.update(user, request);
  }
}
