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
import { AdminPayoutsService } from './admin-payouts.service.js';

/** Decisions on payouts, for administrators of the platform and trusted backends. */
@ApiTags('Administration')
@Controller('v1/admin/payouts')
export class AdminPayoutsController {
  constructor(private readonly payouts: AdminPayoutsService) {}

  /**
   * Payouts that wait for a decision, or with `status=approved` those that wait for their payment;
   * longest waiting first.
   */
  @Get('pending')
  @Access('adminOrService', { permission: 'billing-admin' })
  listOpenPayouts(
    @CurrentCaller() caller: Caller,
    @Query() query: ListOpenPayoutsQuery,
  ): Promise<OpenPayoutResponse[]> {
    return this.payouts.listOpenPayouts(caller, query);
  }

  /**
   * Approves a pending payout. Answers 409 `payout.debt` while the developer owes the platform
   * credits, and `payout.wrong_status` if it was paid or rejected. The same decision again changes
   * nothing, even with another note, and returns the payout.
   */
  @Post(':payout_id/approve')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'billing-admin', money: true })
  @Idempotent()
  approvePayout(
    @CurrentCaller() caller: Caller,
    @Param() { payout_id }: PayoutPath,
    @Body() request: ApprovePayoutRequest,
  ): Promise<PayoutResponse> {
    return this.payouts.approvePayout(caller, payout_id, request);
  }

  /**
   * Rejects a payout and returns its credits to the developer. Answers 409 `payout.wrong_status` if
   * its status is neither `from` nor rejected.
   */
  @Post(':payout_id/reject')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'billing-admin', money: true })
  @Idempotent()
  rejectPayout(
    @CurrentCaller() caller: Caller,
    @Param() { payout_id }: PayoutPath,
    @Body() request: RejectPayoutRequest,
  ): Promise<PayoutResponse> {
    return this.payouts.rejectPayout(caller, payout_id, request);
  }

  /**
   * Records that the money of an approved payout was sent. Answers 409 `payout.wrong_status` if it
   * is not approved, or was paid with another reference.
   */
  @Post(':payout_id/paid')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'billing-admin', money: true })
  @Idempotent()
  payPayout(
    @CurrentCaller() caller: Caller,
    @Param() { payout_id }: PayoutPath,
    @Body() request: PayPayoutRequest,
  ): Promise<PayoutResponse> {
    return this.payouts.recordPayoutPaid(caller, payout_id, request);
  }
}
