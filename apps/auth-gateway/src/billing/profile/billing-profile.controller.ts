import { Body, Controller, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BillingProfile, BillingProfileUpdate } from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { BILLING_LIMITS } from '../payments/payments.limits.js';
import { UserBillingProfilesService } from './user-billing-profiles.service.js';

@ApiTags('Billing')
@Controller('v1/billing/profile')
export class BillingProfileController {
  constructor(private readonly profiles: UserBillingProfilesService) {}

  /**
   * Changes the recipient of the caller's future invoices. An absent field stays as it is; null or
   * an empty text clears it.
   */
  @Put()
  @Access('sessionOrActingUser', { permission: 'billing' })
  @UserLimit(...BILLING_LIMITS)
  updateBillingProfile(
    @CurrentUser() user: UserCaller,
    @Body() request: BillingProfileUpdate,
  ): Promise<BillingProfile> {
    return this.profiles.updateBillingProfile(user, request);
  }
}
