import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AutoTopUpSettings, AutoTopUpUpdate } from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { PANEL_PAGES } from '../../releases/panel-pages.js';
import { ENDING_LIMITS } from '../payments.limits.js';
import { AutoTopUpsOfUsers } from './auto-topups-of-users.js';

@ApiTags('Billing')
@Controller('v1/billing/auto-topup')
export class AutoTopUpController {
  constructor(private readonly autoTopUps: AutoTopUpsOfUsers) {}

  /** How the caller lets credits be bought when few are left. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  readAutoTopup(@CurrentUser() user: UserCaller): Promise<AutoTopUpSettings> {
    return this.autoTopUps.get(user);
  }

  /** Changes when credits are bought by themselves. What is absent stays. To enable it is to consent to payments without the caller; where few credits are left already, some are bought at once. */
  @Put()
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.wallet })
  @UserLimit(...ENDING_LIMITS)
  updateAutoTopup(@CurrentUser() user: UserCaller, @Body() request: AutoTopUpUpdate): Promise<AutoTopUpSettings> {
    return this.autoTopUps.update(user, request);
  }
}
