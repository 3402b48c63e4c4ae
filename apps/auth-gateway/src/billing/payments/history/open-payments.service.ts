import { Injectable } from '@nestjs/common';
import { ChargesService, PaymentProvider, PaymentsRepository } from '@platform/billing';
import type { ContinuedPayment } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { PaymentErrors, toPaymentError } from '../payments.errors.js';
import { toPaymentStatus } from './payment-status.js';

/** Payments that wait for their users. */
@Injectable()
export class OpenPaymentsService {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly charges: ChargesService,
    private readonly provider: PaymentProvider,
  ) {}

  /**
   * Reads a payment from the provider and returns its state, with the client secret with which the
   * user pays in a browser. The secret is never stored; it is null if the payment does not wait for
   * the user.
   *
   * @throws AppError 404 `payment.not_found` for a payment that this user does not have; 409
   * `payment.replaced` for one that was given up; 503 if the provider is not available.
   */
  async continuePayment({ userId }: UserCaller, intentId: string): Promise<ContinuedPayment> {
    const known = await this.payments.findByIntent(userId, intentId);
    if (!known) throw PaymentErrors.notFound();
    const { payment, intent } = await this.charges.continuePayment(known).catch(toPaymentError);
    return {
      payment_intent_id: intentId,
      status: toPaymentStatus(payment),
      client_secret: payment.status === 'open' ? (intent?.clientSecret ?? null) : null,
      publishable_key: this.provider.publishableKey,
      amount_cents: payment.amount_cents,
      currency: payment.currency,
    };
  }
}
