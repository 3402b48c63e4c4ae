import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PayoutDestinationResponse, UpdatePayoutDestinationRequest } from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { PANEL_PAGES } from '../../billing/releases/panel-pages.js';
import { PORTAL_LIMIT } from '../developers/developers.limits.js';
import { PayoutDestinationsService } from './payout-destinations.service.js';

/** The account that receives the caller's payouts. */
@ApiTags('Developer portal')
@Controller('v1/developer/payout-destination')
export class PayoutDestinationsController {
  constructor(private readonly destinations: PayoutDestinationsService) {}

  /**
   * Your saved account. All fields are null if you have saved none: then you are paid as agreed
   * with the operator of the platform.
   */
  @Get()
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.earnings })
  getPayoutDestination(@CurrentUser() user: UserCaller): Promise<PayoutDestinationResponse> {
    return this.destinations.getPayoutDestination(user);
  }

  /**
   * Changes the account. Requires your password, and you get a mail about the change. Payouts that
   * you have already requested keep the account that they were requested with.
   */
  @Put()
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.earnings })
  @UserLimit(PORTAL_LIMIT)
  updatePayoutDestination(
    @CurrentUser() user: UserCaller,
    @Body() request: UpdatePayoutDestinationRequest,
  ): Promise<PayoutDestinationResponse> {
    return this.destinations.updatePayoutDestination(user, request);
  }
}
