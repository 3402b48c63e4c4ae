import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  TopUpConfigResponse,
  TopUpConfirmRequest,
  TopUpConfirmResponse,
  TopUpRequest,
  TopUpResponse,
} from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { Idempotent, IdempotentRequestId } from '../../../kernel/idempotency/idempotent.js';
import { PANEL_PAGES } from '../../releases/panel-pages.js';
import { PAYMENT_LIMITS } from '../payments.limits.js';
import { UserTopUpsService } from './user-topups.service.js';

@ApiTags('Billing')
@Controller('v1/billing')
export class TopupsController {
  constructor(private readonly topups: UserTopUpsService) {}

  /** Returns the amounts that can be bought, and the publishable key for payments in a browser. */
  @Get('topup-config')
  @Access('public')
  readTopupConfig(): TopUpConfigResponse {
    return this.topups.getTopUpConfig();
  }

  /**
   * Starts to buy credits. A browser completes the payment with the `client_secret`. With
   * `off_session` the saved card pays immediately: the answer is 402 `payment.card_required`
   * without a saved card, and `payment.declined` if the card is declined.
   */
  @Post('topup')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.wallet })
  @UserLimit(...PAYMENT_LIMITS)
  @Idempotent()
  topUp(
    @CurrentUser() user: UserCaller,
    @Body() request: TopUpRequest,
    @IdempotentRequestId() idempotentRequestId: string | null,
  ): Promise<TopUpResponse> {
    return this.topups.startTopUp(user, request, idempotentRequestId);
  }

  /**
   * Checks a top-up at the provider, and adds the credits if it is paid. The provider's webhook
   * does the same; only the first of both has an effect. Answers 404 `payment.not_found` if the
   * user does not have this top-up, and 409 `payment.mismatch` if it differs at the provider.
   */
  @Post('topup/confirm')
  @HttpCode(200)
  @Access('serviceActingUser', { permission: 'billing' })
  confirmTopup(@CurrentUser() user: UserCaller, @Body() request: TopUpConfirmRequest): Promise<TopUpConfirmResponse> {
    return this.topups.confirmTopUp(user, request);
  }
}
