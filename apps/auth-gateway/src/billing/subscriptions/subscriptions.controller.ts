import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  ChangePlanRequest,
  CheckoutConfirmRequest,
  CheckoutConfirmResponse,
  CheckoutRequest,
  CheckoutResponse,
  PlanChangePreview,
  PlanChangeResponse,
  RenewResponse,
  SubscribeRequest,
  SubscriptionResponse,
} from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import type { Response } from 'express';
import { Idempotent, IdempotentRequestId } from '../../kernel/idempotency/idempotent.js';
import { BILLING_LIMITS, ENDING_LIMITS, PAYMENT_LIMITS } from '../payments/payments.limits.js';
import { UserPlansService } from '../plans/user-plans.service.js';
import { PANEL_PAGES } from '../releases/panel-pages.js';
import { CheckoutsService } from './checkouts.service.js';
import { PlanChangesService } from './plan-changes.service.js';
import { RenewalsService } from './renewals.service.js';

@ApiTags('Billing')
@Controller('v1/billing')
export class SubscriptionsController {
  constructor(
    private readonly checkouts: CheckoutsService,
    private readonly changes: PlanChangesService,
    private readonly renewals: RenewalsService,
    private readonly reads: UserPlansService,
  ) {}

  /**
   * Subscribes the caller to the free plan. A paid plan is answered 402
   * `subscription.checkout_required`: start it with `/v1/billing/checkout`. A caller who has a paid
   * plan gets 409 `subscription.exists`.
   */
  @Post('subscribe')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'billing', money: false })
  @UserLimit(...BILLING_LIMITS)
  @Idempotent()
  async subscribe(@CurrentUser() user: UserCaller, @Body() request: SubscribeRequest): Promise<SubscriptionResponse> {
    await this.changes.subscribeToFreePlan(user, request);
    return this.reads.getSubscription(user);
  }

  /**
   * Starts the first payment of a plan. A browser completes the payment with the `client_secret`.
   * Answers 400 for a plan that is not sold, 404 `plan.not_found` for an unknown one, and 409
   * `subscription.exists` if the caller has a paid plan.
   */
  @Post('checkout')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.subscription })
  @UserLimit(...PAYMENT_LIMITS)
  @Idempotent()
  checkOut(
    @CurrentUser() user: UserCaller,
    @Body() request: CheckoutRequest,
    @IdempotentRequestId() idempotentRequestId: string | null,
  ): Promise<CheckoutResponse> {
    return this.checkouts.startCheckout(user, request, idempotentRequestId);
  }

  /**
   * Checks the payment of a plan at the provider, and starts the plan if it is paid. You can repeat
   * this request at any time. Answers 402 `payment.not_paid` if it is not paid yet, and 409
   * `payment.given_back` if the plan could not be delivered and the payment is refunded.
   */
  @Post('checkout/confirm')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'billing' })
  @UserLimit(...BILLING_LIMITS)
  @ApiResponse({
    status: 200,
    type: CheckoutConfirmResponse,
    description: 'The payment is completed and the plan is active',
  })
  @ApiResponse({
    status: 202,
    type: CheckoutConfirmResponse,
    description: 'The bank is still processing the payment: repeat the request later',
  })
  async confirmCheckout(
    @CurrentUser() user: UserCaller,
    @Body() request: CheckoutConfirmRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CheckoutConfirmResponse> {
    const confirmed = await this.checkouts.confirmCheckout(user, request);
    if (confirmed.status === 'processing') response.status(202);
    return confirmed;
  }

  /**
   * Cancels the caller's plan at the end of the paid period. Answers 409 `subscription.none`
   * without a paid plan.
   */
  @Post('cancel')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.subscription })
  @UserLimit(...ENDING_LIMITS)
  @Idempotent()
  async cancelSubscription(@CurrentUser() user: UserCaller): Promise<SubscriptionResponse> {
    await this.changes.cancelPlan(user);
    return this.reads.getSubscription(user);
  }

  /**
   * Reverts a cancellation or a scheduled change to a smaller plan. Answers 409 `subscription.none`
   * without a paid plan, and `subscription.over` if its period is over.
   */
  @Post('resume')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.subscription })
  @UserLimit(...ENDING_LIMITS)
  @Idempotent()
  async resumeSubscription(@CurrentUser() user: UserCaller): Promise<SubscriptionResponse> {
    await this.changes.resumePlan(user);
    return this.reads.getSubscription(user);
  }

  /**
   * Returns the price and the date of a plan change without making it. Answers 400, 404 and 409 as
   * the change itself does.
   */
  @Post('change-plan/preview')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'billing' })
  previewPlanChange(@CurrentUser() user: UserCaller, @Body() request: ChangePlanRequest): Promise<PlanChangePreview> {
    return this.changes.previewPlanChange(user, request);
  }

  /**
   * Changes the caller's plan. A larger plan starts immediately and is paid with the saved card or
   * in a browser. A smaller plan starts at the end of the period. Answers 402 `payment.declined` if
   * the card is declined, and 409 without a paid plan, for the current plan, and while the current
   * period is not paid.
   */
  @Post('change-plan')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.subscription })
  @UserLimit(...PAYMENT_LIMITS)
  @Idempotent()
  changePlan(
    @CurrentUser() user: UserCaller,
    @Body() request: ChangePlanRequest,
    @IdempotentRequestId() idempotentRequestId: string | null,
  ): Promise<PlanChangeResponse> {
    return this.changes.changePlan(user, request, idempotentRequestId);
  }

  /**
   * Pays the next period of a plan with the saved card, after the automatic renewal failed. Answers
   * 402 without a saved card or if it is declined, and 409 if no period is due.
   */
  @Post('renew')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.subscription })
  @UserLimit(...PAYMENT_LIMITS)
  @Idempotent()
  @ApiResponse({
    status: 200,
    type: RenewResponse,
    description: 'The plan is renewed, or the user must complete the payment in a browser',
  })
  @ApiResponse({ status: 202, type: RenewResponse, description: 'The payment is still being processed' })
  async renewSubscription(
    @CurrentUser() user: UserCaller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RenewResponse> {
    const renewed = await this.renewals.renewSubscription(user);
    if (renewed.pending) response.status(202);
    return renewed;
  }
}
