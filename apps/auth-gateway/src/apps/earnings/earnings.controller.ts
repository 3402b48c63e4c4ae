import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppEarningsResponse, EarningsResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { DeveloperEarningsService } from './developer-earnings.service.js';

/** Earnings of the caller from calls of their apps. */
@ApiTags('Developer portal')
@Controller('v1/developer/earnings')
export class EarningsController {
  constructor(private readonly earnings: DeveloperEarningsService) {}

  /** Total earnings of the caller from all of their apps, and the part that was paid out. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  getEarnings(@CurrentUser() user: UserCaller): Promise<EarningsResponse> {
    return this.earnings.getEarnings(user);
  }

  /** Earnings of the caller from one app, also after it was deleted. */
  @Get(':app_id')
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  getAppEarnings(@CurrentUser() user: UserCaller, @Param('app_id') appId: string): Promise<AppEarningsResponse> {
    return this.earnings.getAppEarnings(user, appId);
  }
}
