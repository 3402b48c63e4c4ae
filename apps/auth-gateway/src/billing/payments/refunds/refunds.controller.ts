import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RefundPaymentRequest, RefundPaymentResponse } from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import { Idempotent, IdempotentRequestId } from '../../../kernel/idempotency/idempotent.js';
import { PaymentRefunds } from './payment-refunds.js';

/** For the platform's own administrators and trusted backends. */
@ApiTags('Administration')
@Controller('v1/admin/payments')
export class RefundsController {
  constructor(private readonly refunds: PaymentRefunds) {}

  /**
   * Gives back a payment, or a part of it. The credits that it brought are taken back in proportion; what was spent of them already the user owes. A full refund
   * of the current period of a plan ends the plan. The status `requested` says that the provider did not answer: it is asked again, so do not ask for another refund.
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
    return this.refunds.refund(caller, intentId, request, idempotentRequestId);
  }
}
