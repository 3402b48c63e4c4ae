import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListPayoutsQuery, PayoutRequestCreate, PayoutResponse } from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { PANEL_PAGES } from '../../billing/releases/panel-pages.js';
import { Idempotent, IdempotentRequestId } from '../../kernel/idempotency/idempotent.js';
import { PORTAL_LIMIT } from '../developers/developers.limits.js';
import { DeveloperPayouts } from './developer-payouts.service.js';

/** What the developer who calls is paid of their earnings. */
@ApiTags('Developer portal')
@Controller('v1/developer/payouts')
export class PayoutsController {
  constructor(private readonly payouts: DeveloperPayouts) {}

  /** The caller's payouts, the newest first. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  listPayouts(@CurrentUser() user: UserCaller, @Query() page: ListPayoutsQuery): Promise<PayoutResponse[]> {
    return this.payouts.list(user, page);
  }

  /** Asks for a payout of earnings. The credits are debited at once; they come back when the payout is rejected. */
  @Post('request')
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.earnings })
  @UserLimit(PORTAL_LIMIT)
  @Idempotent()
  requestPayout(
    @CurrentUser() user: UserCaller,
    @Body() request: PayoutRequestCreate,
    @IdempotentRequestId() idempotentRequestId: string | null,
  ): Promise<PayoutResponse> {
    return this.payouts.request(user, request, idempotentRequestId);
  }

  /** The same as `/v1/developer/payouts/request`. */
  @Post()
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.earnings })
  @UserLimit(PORTAL_LIMIT)
  @Idempotent()
  createPayout(
    @CurrentUser() user: UserCaller,
    @Body() request: PayoutRequestCreate,
    @IdempotentRequestId() idempotentRequestId: string | null,
  ): Promise<PayoutResponse> {
    return this.payouts.request(user, request, idempotentRequestId);
  }
}
