import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AutoTopUpSettings, AutoTopUpUpdate } from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { PANEL_PAGES } from '../../releases/panel-pages.js';
import { ENDING_LIMITS } from '../payments.limits.js';
import { UserAutoTopUpsService } from './user-auto-topups.service.js';

@ApiTags('Billing')
@Controller('v1/billing/auto-topup')
export class AutoTopUpController {
  constructor(private readonly autoTopUps: UserAutoTopUpsService) {}

  /** Returns the caller's settings for automatic top-ups. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  readAutoTopup(@CurrentUser() user: UserCaller): Promise<AutoTopUpSettings> {
    return this.autoTopUps.getAutoTopUp(user);
  }

  /**
   * Changes the caller's settings for automatic top-ups. An absent field stays as it is. To enable
   * them is a consent to payments without the caller. If the balance is already below the
   * threshold, credits are bought immediately. Without a saved card, enabling is answered 402
   * `payment.card_required`; 400 means that prices or caps do not fit, 404 that the caller does not
   * have the card.
   */
  @Put()
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.wallet })
  @UserLimit(...ENDING_LIMITS)
  updateAutoTopup(@CurrentUser() user: UserCaller, @Body() request: AutoTopUpUpdate): Promise<AutoTopUpSettings> {
    return this.autoTopUps.updateAutoTopUp(user, request);
  }
}
