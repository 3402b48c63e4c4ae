import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RefundPaymentRequest, RefundPaymentResponse } from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import { Idempotent, IdempotentRequestId } from '../../../kernel/idempotency/idempotent.js';
import { PaymentRefundsService } from './payment-refunds.service.js';

/** For administrators of the platform and trusted backends. */
@ApiTags('Administration')
@Controller('v1/admin/payments')
export class RefundsController {
  constructor(private readonly refunds: PaymentRefundsService) {}

  /**
   * Refunds a payment completely or in part. The credits that the payment bought are clawed back in
   * proportion, if necessary from the user's earnings; the rest becomes a debt. A full refund of
   * the current period of a plan ends the plan. The status `requested` means that the provider has
   * not answered. The platform asks it again, so do not request another refund. Answers 409 if the
   * payment is not paid, less is left, or the provider refuses.
   */
  @Post(':payment_intent_id/refund')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'billing-admin', money: true })
  @Idempotent()
  refundPayment(
    @CurrentCaller() caller: Caller,
    @Param('payment_intent_id') intentId: string,
    @Body() request: RefundPaymentRequest,
    @IdempotentRequestId() idempotentRequestId: string | null,
  ): Promise<RefundPaymentResponse> {
    return this.refunds.refundPayment(caller, intentId, request, idempotentRequestId);
  }
}
