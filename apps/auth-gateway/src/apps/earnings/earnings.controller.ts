import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppEarningsResponse, EarningsResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { DeveloperEarnings } from './developer-earnings.service.js';

/** What the developer who calls has earned by calls of their apps. */
@ApiTags('Developer portal')
@Controller('v1/developer/earnings')
export class EarningsController {
  constructor(private readonly earnings: DeveloperEarnings) {}

  /** What the caller earned by all of their apps, and what became of it. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  getEarnings(@CurrentUser() user: UserCaller): Promise<EarningsResponse> {
    return this.earnings.inAll(user);
  }

  /** What the caller earned by one app, also when it is gone. */
  @Get(':app_id')
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  getAppEarnings(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<AppEarningsResponse> {
    return this.earnings.ofApp(user, appId);
  }
}
