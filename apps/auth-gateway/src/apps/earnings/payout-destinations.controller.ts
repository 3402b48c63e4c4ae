import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PayoutDestinationResponse, UpdatePayoutDestinationRequest } from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { PANEL_PAGES } from '../../billing/releases/panel-pages.js';
import { PORTAL_LIMIT } from '../developers/developers.limits.js';
import { PayoutDestinationsService } from './payout-destinations.service.js';

/** The account to which the caller's payouts go. */
@ApiTags('Developer portal')
@Controller('v1/developer/payout-destination')
export class PayoutDestinationsController {
  constructor(private readonly destinations: PayoutDestinationsService) {}

  /** Your kept account. All fields are null where you keep none: then you are paid as agreed with those who run the platform. */
  @Get()
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.earnings })
  getPayoutDestination(@CurrentUser() user: UserCaller): Promise<PayoutDestinationResponse> {
    return this.destinations.get(user);
  }

  /** Changes the account, by your password. A mail tells you. Payouts that you have requested already keep the account that they were requested with. */
  @Put()
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.earnings })
  @UserLimit(PORTAL_LIMIT)
  updatePayoutDestination(
    @CurrentUser() user: UserCaller,
    @Body() request: UpdatePayoutDestinationRequest,
  ): Promise<PayoutDestinationResponse> {
    return this.destinations.update(user, request);
  }
}
