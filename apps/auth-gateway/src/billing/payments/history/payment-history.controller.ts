import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ContinuedPayment, ListPaymentsQuery, PaymentHistoryItem } from '@platform/contracts';
import { Access, CurrentUser, UserLimit, type UserCaller } from '@platform/guards';
import { PANEL_PAGES } from '../../releases/panel-pages.js';
import { PAYMENT_LIMITS } from '../payments.limits.js';
import { OpenPaymentsService } from './open-payments.service.js';
import { PaymentHistoryService } from './payment-history.service.js';

@ApiTags('Billing')
@Controller('v1/billing/payments')
export class PaymentHistoryController {
  constructor(
    private readonly history: PaymentHistoryService,
    private readonly open: OpenPaymentsService,
  ) {}

  /** Lists the caller's payments, newest first, including those in progress. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  listPayments(@CurrentUser() user: UserCaller, @Query() page: ListPaymentsQuery): Promise<PaymentHistoryItem[]> {
    return this.history.listPayments(user, page);
  }

  /**
   * Continues a payment that waits for the caller, for example one that the bank wants the caller
   * to confirm. Reads its state from the provider. Answers 404 `payment.not_found` if the caller
   * does not have the payment, and 409 `payment.replaced` if it was given up.
   */
  @Post(':payment_intent_id/continue')
  @HttpCode(200)
  @Access('sessionOrActingUser', { permission: 'billing', money: PANEL_PAGES.payments })
  @UserLimit(...PAYMENT_LIMITS)
  continuePayment(
    @CurrentUser() user: UserCaller,
    @Param('payment_intent_id') intentId: string,
  ): Promise<ContinuedPayment> {
    return this.open.continuePayment(user, intentId);
  }
}
