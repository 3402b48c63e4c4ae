import { Inject, Injectable } from '@nestjs/common';
import {
  CardsService,
  ChargesService,
  GRACE_DAYS,
  PaidSubscriptionsService,
  PayerInactive,
  PaymentRefused,
  PaymentProvider,
  PlanNoticesService,
  PaymentStatusService,
  SubscriptionsService,
  TooManyDeclines,
  type ChargeResult,
  type PaidSubscription,
  type UnpaidNotice,
} from '@platform/billing';
import type { RenewResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { Outbox } from '@platform/persistence';
import { isCircuitOpen, LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { PaymentErrors, toPaymentError } from '../payments/payments.errors.js';
import { getPaidPlan } from './checkouts.service.js';
import { SubscriptionErrors } from './subscriptions.errors.js';

/** Most subscriptions in one batch of renewals. */
export const RENEWAL_BATCH = 50;
const GRACE_MS = GRACE_DAYS * 24 * 3_600_000;

/** The subscription was canceled, changed or paid at the same time. */
class SubscriptionNoLongerDue extends Error {}

/**
 * Pays the next period of a plan with the saved card: automatically when a period ends, or at the
 * user's request after that failed.
 */
@Injectable()
export class RenewalsService {
  /** Last subscription that the sweep read; null to begin with the oldest. */
  private lastDue: PaidSubscription | null = null;

  constructor(
    private readonly outbox: Outbox,
    private readonly cards: CardsService,
    private readonly charges: ChargesService,
    private readonly paid: PaidSubscriptionsService,
    private readonly subscriptions: SubscriptionsService,
    private readonly notices: PlanNoticesService,
    private readonly provider: PaymentProvider,
    @Inject(LOGGER) private readonly logger: Logger,
    paymentStatus: PaymentStatusService,
  ) {
    paymentStatus.onPaid('renewal', (em, payment) => paid.renew(em, getPaidPlan(payment)));
    charges.setRetryCondition('renewal', (payment) =>
      outbox.transaction((em) => paid.isRenewalDue(em, getPaidPlan(payment), false)),
    );
  }

  /**
   * Renews a plan at the user's request, after a period was not paid. It is the same payment as
   * that of the sweep: the second of both gets the result of the first. Safe to repeat.
   *
   * @throws AppError 402 `payment.card_required` without a saved card, `payment.declined` if it is
   * declined; 403 `account_disabled` if the user or the tenant is inactive; 409
   * `subscription.nothing_to_renew`, `subscription.not_due` if the period is paid,
   * `subscription.by_contract`, `subscription.changed` by another request, or `payment.replaced`;
   * 429 `payment.too_many_declines`; 503 if the provider is not available.
   */
  async renewSubscription({ userId }: UserCaller): Promise<RenewResponse> {
    const due = await this.paid.findRenewable(userId);
    if (!due) throw SubscriptionErrors.nothingToRenew();
    if (due.next_price_cents === null) throw SubscriptionErrors.byContract();
    if (due.status !== 'expired' && !due.is_over) throw SubscriptionErrors.notDue();
    const card = await this.cards.findDefaultCard(userId);
    if (card === null) throw PaymentErrors.cardRequired();
    const { payment, intent } = await this.charge(due, card, { byHand: true }).catch(toPaymentError);
    if (payment.status === 'failed') throw PaymentErrors.declined(payment.failure_message, payment.failure_code);
    const { plan, status, period } = await this.subscriptions.getCurrentPlan(userId);
    const needsBrowser = payment.status === 'open';
    return {
      status,
      plan,
      expires_at: payment.status === 'succeeded' ? period.endsAt : null,
      succeeded: payment.status === 'succeeded',
      requires_action: needsBrowser,
      client_secret: needsBrowser ? (intent?.clientSecret ?? null) : null,
      payment_intent_id: payment.provider_intent_id,
      publishable_key: this.provider.publishableKey,
      pending: payment.status !== 'succeeded' && !needsBrowser,
    };
  }

  /**
   * Renews or ends up to `RENEWAL_BATCH` subscriptions at the end of their period. A failure of one
   * stops no other. Safe to repeat.
   *
   * @returns the number of subscriptions that it looked at.
   * @throws ServiceUnavailable if the circuit breaker of the provider is open. Due subscriptions
   * stay due.
   */
  async renewDueBatch(): Promise<number> {
    const due = await this.paid.listDue(RENEWAL_BATCH, this.lastDue);
    // A round looks at each subscription once, so those that wait for their bank do not block the
    // others.
    this.lastDue = due.length < RENEWAL_BATCH ? null : (due.at(-1) ?? null);
    for (const one of due) {
      try {
        await this.renewOrExpire(one);
      } catch (error) {
        // A failure of one subscription does not stop the others, but an outage does.
        if (isCircuitOpen(error)) {
          this.lastDue = null;
          throw error;
        }
        this.logger.error(
          { err: error, subscription_id: one.id },
          'a subscription could not be renewed; it is retried',
        );
      }
    }
    return due.length;
  }

  private async renewOrExpire(due: PaidSubscription): Promise<void> {
    if (due.price_cents === null) return this.renewByContract(due);
    const isGraceOver = due.now.getTime() - due.period_ends_at.getTime() >= GRACE_MS;
    if (due.cancel_at_period_end) return this.expire(due, null);
    const card = await this.cards.findDefaultCard(due.user_id);
    const attempt = card === null ? 'card_missing' : await this.attemptPayment(due, card);
    if (attempt === 'under_way') return;
    if (isGraceOver) return this.expire(due, 'ended_unpaid');
    await this.outbox.transaction(async (em) => {
      const isFirst = await this.paid.markPastDue(em, due);
      // A declined payment has its own mail.
      if (isFirst && attempt !== 'declined') await this.notifyOfUnpaid(em, due, attempt);
    });
  }

  private notifyOfUnpaid(em: EntityManager, due: PaidSubscription, kind: UnpaidNotice): Promise<void> {
    const { id, user_id, tenant_id, plan_id } = due;
    return this.notices.notify(em, { kind, subscriptionId: id, userId: user_id, tenantId: tenant_id, plan: plan_id });
  }

  /** Renews a plan by contract. It needs no payment. */
  private async renewByContract({
    id,
    user_id,
    plan_id,
    plan_version,
    period_number,
  }: PaidSubscription): Promise<void> {
    const next = {
      paymentId: null,
      userId: user_id,
      subscriptionId: id,
      planId: plan_id,
      planVersion: plan_version,
      periodNumber: period_number + 1,
      paidCents: 0,
    };
    await this.outbox.transaction((em) => this.paid.renew(em, next));
  }

  private async expire(due: PaidSubscription, notice: UnpaidNotice | null): Promise<void> {
    const isOver = await this.outbox.transaction(async (em) => {
      const ended = await this.paid.expire(em, due.id, due.period_number);
      if (ended && notice !== null) await this.notifyOfUnpaid(em, due, notice);
      return ended;
    });
    if (isOver) await this.subscriptions.ensureFreePlan(due.user_id);
  }

  /**
   * Charges the card and returns the result: `under_way` also if the payment succeeded or the
   * subscription is no longer due. The next sweep checks a payment that is still in progress.
   */
  private async attemptPayment(
    due: PaidSubscription,
    card: string,
  ): Promise<'under_way' | 'declined' | 'card_refused' | 'card_missing'> {
    try {
      const { status } = (await this.charge(due, card, { byHand: false })).payment;
      return status === 'failed' || status === 'open' ? 'declined' : 'under_way';
    } catch (error) {
      // The provider's answer can mean that the card no longer exists.
      if (error instanceof PaymentRefused)
        return (await this.cards.isCardOfUser(due.user_id, card)) ? 'card_refused' : 'card_missing';
      if (error instanceof PayerInactive || error instanceof TooManyDeclines) return 'card_refused';
      if (error instanceof SubscriptionNoLongerDue) return 'under_way';
      throw error;
    }
  }

  private charge(due: PaidSubscription, card: string, { byHand }: { byHand: boolean }): Promise<ChargeResult> {
    const number = due.period_number + 1;
    const plan = {
      subscriptionId: due.id,
      planId: due.next_plan_id,
      planVersion: due.next_plan_version,
      periodNumber: number,
    };
    return this.charges.createPayment({
      userId: due.user_id,
      purpose: 'renewal',
      scope: `renew:${due.id}:${number}`,
      amountCents: due.next_price_cents ?? 0,
      credits: 0,
      paymentMethodId: card,
      plan,
      prepare: async (em) => {
        if (!(await this.paid.isRenewalDue(em, plan, byHand)))
          throw byHand ? SubscriptionErrors.changed() : new SubscriptionNoLongerDue();
      },
    });
  }
}
