import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ApprovePayoutRequest,
  ListOpenPayoutsQuery,
  OpenPayoutResponse,
  PayoutPath,
  PayoutResponse,
  PayPayoutRequest,
  RejectPayoutRequest,
} from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import { Idempotent } from '../../kernel/idempotency/idempotent.js';
import { AdminPayouts } from './admin-payouts.service.js';

/** For the platform's own administrators and trusted backends. */
@ApiTags('Administration')
@Controller('v1/admin/payouts')
export class AdminPayoutsController {
  constructor(private readonly payouts: AdminPayouts) {}

  /** The payouts that wait for a decision, or with `status=approved` for their payment; those that wait longest first. */
  @Get('pending')
  @Access('adminOrService', { permission: 'billing-admin' })
  listOpenPayouts(@CurrentCaller() caller: Caller, @Query() query: ListOpenPayoutsQuery): Promise<OpenPayoutResponse[]> {
    return this.payouts.listOpen(caller, query);
  }

  /** Says that a pending payout is to be paid. Refused (409 `payout.debt`) while its developer owes the platform something. The same decision again changes nothing, also with another note: it answers as the first. */
  @Post(':payout_id/approve')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'billing-admin', money: true })
  @Idempotent()
  approvePayout(
    @CurrentCaller() caller: Caller,
    @Param() { payout_id }: PayoutPath,
    @Body() request: ApprovePayoutRequest,
  ): Promise<PayoutResponse> {
    return this.payouts.approve(caller, payout_id, request);
  }

  /** Gives the credits of a payout back to its developer. */
  @Post(':payout_id/reject')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'billing-admin', money: true })
  @Idempotent()
  rejectPayout(
    @CurrentCaller() caller: Caller,
    @Param() { payout_id }: PayoutPath,
    @Body() request: RejectPayoutRequest,
  ): Promise<PayoutResponse> {
    return this.payouts.reject(caller, payout_id, request);
  }

  /** Says that the money of an approved payout has left. */
  @Post(':payout_id/paid')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'billing-admin', money: true })
  @Idempotent()
  payPayout(
    @CurrentCaller() caller: Caller,
    @Param() { payout_id }: PayoutPath,
    @Body() request: PayPayoutRequest,
  ): Promise<PayoutResponse> {
    return this.payouts.pay(caller, payout_id, request);
  }
}
