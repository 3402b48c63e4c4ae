import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { TopUpConfigResponse, TopUpConfirmRequest, TopUpConfirmResponse, TopUpRequest, TopUpResponse } from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { Idempotent, IdempotentRequestId } from '../../../kernel/idempotency/idempotent.js';
import { PANEL_PAGES } from '../../releases/panel-pages.js';
import { PAYMENT_LIMITS } from '../payments.limits.js';
import { TopupsOfUsers } from './topups-of-users.js';

@ApiTags('Billing')
@Controller('v1/billing')
export class TopupsController {
  constructor(private readonly topups: TopupsOfUsers) {}

  /** What a top-up may be of, and the publishable key with which a browser pays. */
  @Get('topup-config')
  @Access('public')
  readTopupConfig(): TopUpConfigResponse {
    return this.topups.offer();
  }

  /** Begins to buy credits. A browser pays with the `client_secret`; with `off_session` the saved card pays at once. */
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
    return this.topups.begin(user, request, idempotentRequestId);
  }

  /** Says that a top-up was paid, which the provider is then asked. Its webhook says the same; the first of both credits it. */
  @Post('topup/confirm')
  @HttpCode(200)
  @Access('serviceActingUser', { permission: 'billing' })
  confirmTopup(@CurrentUser() user: UserCaller, @Body() request: TopUpConfirmRequest): Promise<TopUpConfirmResponse> {
    return this.topups.confirm(user, request);
  }
}
