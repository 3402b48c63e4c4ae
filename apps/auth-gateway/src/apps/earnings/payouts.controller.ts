import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListPayoutsQuery, PayoutRequestCreate, PayoutResponse } from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { PANEL_PAGES } from '../../billing/releases/panel-pages.js';
import { Idempotent, IdempotentRequestId } from '../../kernel/idempotency/idempotent.js';
import { PORTAL_LIMIT } from '../developers/developers.limits.js';
import { DeveloperPayoutsService } from './developer-payouts.service.js';

/** Payouts of the caller's earnings. */
@ApiTags('Developer portal')
@Controller('v1/developer/payouts')
export class PayoutsController {
  constructor(private readonly payouts: DeveloperPayoutsService) {}

  /** Payouts of the caller, newest first. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  listPayouts(@CurrentUser() user: UserCaller, @Query() page: ListPayoutsQuery): Promise<PayoutResponse[]> {
    return this.payouts.listPayouts(user, page);
  }

  /**
   * Requests a payout of earnings. The credits are debited at once and return if the payout is
   * rejected. Answers 400 `payout.too_much` if the amount exceeds the available credits, and 403
   * `payout.not_in_tier` if your tier has no payouts.
   */
  @Post('request')
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.earnings })
  @UserLimit(PORTAL_LIMIT)
  @Idempotent()
  requestPayout(
    @CurrentUser() user: UserCaller,
    @Body() request: PayoutRequestCreate,
    @IdempotentRequestId() idempotentRequestId: string | null,
  ): Promise<PayoutResponse> {
    return this.payouts.requestPayout(user, request, idempotentRequestId);
  }

  /** The same as `POST /v1/developer/payouts/request`. */
  @Post()
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.earnings })
  @UserLimit(PORTAL_LIMIT)
  @Idempotent()
  createPayout(
    @CurrentUser() user: UserCaller,
    @Body() request: PayoutRequestCreate,
    @IdempotentRequestId() idempotentRequestId: string | null,
  ): Promise<PayoutResponse> {
    return this.payouts.requestPayout(user, request, idempotentRequestId);
  }
}
