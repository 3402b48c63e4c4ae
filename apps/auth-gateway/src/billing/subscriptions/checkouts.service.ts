import { Injectable } from '@nestjs/common';
import {
  ChargesService,
  isFailedOrCanceled,
  PaidSubscriptionsService,
  PaymentProvider,
  PaymentsRepository,
  PaymentStatusService,
  SubscriptionsService,
  type PaymentRow,
} from '@platform/billing';
import type {
  CheckoutConfirmRequest,
  CheckoutConfirmResponse,
  CheckoutRequest,
  CheckoutResponse,
} from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { newId } from '@platform/platform';
import { PaymentErrors, toPaymentError } from '../payments/payments.errors.js';
import { PlanSalesService } from './plan-sales.service.js';
import { SubscriptionErrors } from './subscriptions.errors.js';

/** The first payment of a plan, which the user makes in a browser. */
@Injectable()
export class CheckoutsService {
  constructor(
    private readonly sales: PlanSalesService,
    private readonly charges: ChargesService,
    private readonly payments: PaymentsRepository,
    private readonly paid: PaidSubscriptionsService,
    private readonly subscriptions: SubscriptionsService,
    private readonly provider: PaymentProvider,
    paymentStatus: PaymentStatusService,
  ) {
    paymentStatus.onPaid('checkout', (em, payment) => paid.activate(em, getPaidPlan(payment)));
    paymentStatus.onChange(async (em, payment) => {
      const { purpose, subscription_id: id } = payment;
      if (purpose === 'checkout' && id !== null && isFailedOrCanceled(payment)) await paid.cancelDraft(em, id);
    });
  }

  /**
   * Starts a payment that the user completes in a browser. Cancels an earlier unpaid checkout of
   * the user. A retry with the same `requestId` continues the first payment.
   *
   * @throws AppError 400 `plan.not_for_sale` or `plan.monthly_only` for a plan that is not sold, or
   * not by the year; 404 `plan.not_found`; 403 `account_disabled` if the user or the tenant is
   * inactive; 409 `subscription.exists` if the user has a paid plan, `payment.already_paid` if the
   * earlier checkout was just paid, `payment.replaced` if this one was given up; 429
   * `payment.too_many_declines`; 503 if the provider is not available.
   */
  async startCheckout(
    { userId }: UserCaller,
    request: CheckoutRequest,
    requestId: string | null,
  ): Promise<CheckoutResponse> {
    const plan = await this.sales.getSoldPlan(request);
    const subscriptionId = newId('sub');
    const { payment, intent } = await this.charges
      .createPayment({
        userId,
        purpose: 'checkout',
        amountCents: plan.priceCents,
        credits: plan.includedTokens,
        keepsCard: request.save_payment_method,
        requestId,
        plan: { subscriptionId, planId: plan.id, planVersion: plan.version, periodNumber: 1 },
        prepare: async (em) => {
          if (await this.paid.lockCurrent(em, userId)) throw SubscriptionErrors.exists();
          await this.paid.createDraft(em, subscriptionId, userId, plan);
        },
      })
      .catch(toPaymentError);
    return {
      client_secret: intent?.clientSecret ?? '',
      payment_intent_id: payment.provider_intent_id ?? '',
      publishable_key: this.provider.publishableKey,
      amount_cents: payment.amount_cents,
      currency: payment.currency,
    };
  }

  /**
   * Asks the provider if a payment for a plan was made, and begins the plan if so. Returns the
   * status `processing` while the bank works on it. The webhook does the same; only the first of
   * both has an effect. Safe to repeat.
   *
   * @throws AppError 404 `payment.not_found` for a payment for a plan that this user does not have;
   * 402 `payment.not_paid`; 409 `payment.mismatch` if the provider's payment differs from the
   * stored one, `payment.given_back` if the plan could not be delivered; 503 if the provider is not
   * available.
   */
  async confirmCheckout(
    { userId }: UserCaller,
    { payment_intent_id: intentId }: CheckoutConfirmRequest,
  ): Promise<CheckoutConfirmResponse> {
    const known = await this.payments.findByIntent(userId, intentId);
    if (!known?.plan_id) throw PaymentErrors.notFound();
    const settled = await this.charges.refreshIntent(intentId);
    if (!settled) throw PaymentErrors.notFound();
    if (settled.mismatch) throw PaymentErrors.mismatch();
    const { payment } = settled;
    if (payment.status === 'processing') return { status: 'processing', plan: known.plan_id, expires_at: null };
    if (payment.status !== 'succeeded') throw SubscriptionErrors.notPaid(payment.failure_message);
    if (await this.payments.isUndelivered(payment.id)) throw SubscriptionErrors.givenBack();
    const { plan, period } = await this.subscriptions.getCurrentPlan(userId);
    return { status: 'active', plan, expires_at: period.endsAt };
  }
}

/** Plan and period that a payment is for. @throws Error for a payment that is not for a plan. */
export function getPaidPlan({
  id,
  user_id,
  subscription_id,
  plan_id,
  plan_version,
  period_number,
  amount_cents,
}: PaymentRow) {
  if (subscription_id === null || plan_id === null || plan_version === null || period_number === null) {
    throw new Error(`The payment ${id} is not for a plan.`);
  }
  return {
    paymentId: id,
    userId: user_id,
    subscriptionId: subscription_id,
    planId: plan_id,
    planVersion: plan_version,
    periodNumber: period_number,
    paidCents: amount_cents,
  };
}
