import { Injectable } from '@nestjs/common';
import {
  CardsService,
  ChargesService,
  FREE_PLAN,
  PaidSubscriptionsService,
  PaymentProvider,
  PaymentsRepository,
  PaymentStatusService,
  SubscriptionsService,
  type ChargeResult,
  type PaidSubscription,
  type PaymentRow,
  type PlanVersion,
} from '@platform/billing';
import type { ChangePlanRequest, PlanChangePreview, PlanChangeResponse, SubscribeRequest } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { Outbox } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { PaymentErrors, toPaymentError } from '../payments/payments.errors.js';
import { getPaidPlan } from './checkouts.service.js';
import { PlanSalesService, type SoldPlan, type UpgradeQuote } from './plan-sales.service.js';
import { SubscriptionErrors } from './subscriptions.errors.js';

/**
 * Changes of users' plans. An upgrade takes effect immediately and is paid for the rest of the
 * period. A downgrade or a cancellation takes effect at the end of the period.
 */
@Injectable()
export class PlanChangesService {
  constructor(
    private readonly outbox: Outbox,
    private readonly sales: PlanSalesService,
    private readonly cards: CardsService,
    private readonly charges: ChargesService,
    private readonly paid: PaidSubscriptionsService,
    private readonly payments: PaymentsRepository,
    private readonly subscriptions: SubscriptionsService,
    private readonly provider: PaymentProvider,
    paymentStatus: PaymentStatusService,
  ) {
    paymentStatus.onPaid('upgrade', (em, payment) => paid.upgrade(em, getPaidPlan(payment), upgradeOf(payment)));
  }

  /**
   * Subscribes a user without a paid plan to the free plan. Safe to repeat.
   *
   * @throws AppError 402 `subscription.checkout_required` for a paid plan; 409
   * `subscription.exists` if the user has a paid plan; 404 `plan.not_found`; 400 for a plan by
   * contract or by the year.
   */
  async subscribeToFreePlan({ userId }: UserCaller, request: SubscribeRequest): Promise<void> {
    const plan = await this.sales.getPlan(request);
    if (plan.id !== FREE_PLAN) throw SubscriptionErrors.checkoutRequired(plan.id);
    if (await this.outbox.transaction((em) => this.paid.lockCurrent(em, userId))) throw SubscriptionErrors.exists();
    await this.subscriptions.ensureFreePlan(userId);
  }

  /**
   * Cancels the plan at the end of its period. A plan with an unpaid period that is over ends
   * immediately. Safe to repeat.
   *
   * @throws AppError 409 `subscription.none` without a paid plan, `subscription.by_contract` for a
   * plan by contract.
   */
  async cancelPlan(user: UserCaller): Promise<void> {
    const isOver = await this.withCurrent(user, async (em, subscription) => {
      if (!subscription.cancel_at_period_end) await this.paid.setCancelAtPeriodEnd(em, subscription.id, true);
      return subscription.is_over && this.paid.expire(em, subscription.id, subscription.period_number);
    });
    if (isOver) await this.subscriptions.ensureFreePlan(user.userId);
  }

  /**
   * Reverts a cancellation or a scheduled downgrade. Safe to repeat.
   *
   * @throws AppError 409 `subscription.none` without a paid plan, `subscription.by_contract` for a
   * plan by contract, `subscription.over` if the period is over.
   */
  resumePlan(user: UserCaller): Promise<void> {
    return this.withCurrent(user, async (em, subscription) => {
      if (subscription.is_over) throw SubscriptionErrors.over();
      await this.paid.setCancelAtPeriodEnd(em, subscription.id, false);
    });
  }

  /**
   * Describes the result of `changePlan` without changing anything.
   *
   * @throws AppError 400, 404 and 409 `subscription.…`, as `changePlan` does.
   */
  async previewPlanChange(user: UserCaller, request: ChangePlanRequest): Promise<PlanChangePreview> {
    const offered = await this.sales.listOfferedPlans();
    const subscription = requirePriced(await this.paid.findCurrent(user.userId));
    const plan = this.sales.choosePlan(offered, request);
    return previewOf(subscription, plan, this.quoteOf(subscription, plan));
  }

  /**
   * Changes the plan: to a larger one immediately, with a payment, or to a smaller one at the end
   * of the period. A retry with the same `requestId` continues the first payment.
   *
   * @throws AppError 400 for a plan that is not sold; 404 `plan.not_found`; 402 `payment.declined`
   * if the saved card is declined; 403 `account_disabled` if the user or the tenant is inactive;
   * 409 `subscription.none` without a paid plan, `subscription.by_contract`,
   * `subscription.same_plan`, `subscription.over` if the current period is not paid; 409
   * `payment.…` if the payment was given up, was made before or cannot be delivered; 429
   * `payment.too_many_declines`; 503 if the provider is not available.
   */
  async changePlan(
    user: UserCaller,
    request: ChangePlanRequest,
    requestId: string | null,
  ): Promise<PlanChangeResponse> {
    const before = requestId === null ? null : await this.payments.findByRequest(user.userId, requestId);
    if (before) return this.continuePayment(before);
    const offered = await this.sales.listOfferedPlans();
    const decided = await this.withCurrent(user, async (em, subscription) => {
      const plan = this.sales.choosePlan(offered, request);
      const quote = this.quoteOf(subscription, plan);
      const preview = previewOf(subscription, plan, quote);
      if (quote?.amountCents) {
        const period = { subscriptionId: subscription.id, periodNumber: subscription.period_number, planId: plan.id };
        return {
          subscription,
          plan,
          quote,
          preview,
          paidBefore: await this.payments.countUpgrades(em, subscription.user_id, period),
        };
      }
      if (quote) await this.upgradeWithoutPayment(em, subscription, plan, quote);
      else if (plan.id === FREE_PLAN) await this.paid.setCancelAtPeriodEnd(em, subscription.id, true);
      else await this.paid.schedulePlan(em, subscription.id, plan);
      return { preview };
    });
    const { preview } = decided;
    if (decided.quote) return this.payUpgrade(user, decided, requestId);
    const isUpgrade = preview.action === 'upgrade';
    return this.toResponse(preview, { succeeded: isUpgrade, pending: !isUpgrade });
  }

  private async payUpgrade(
    { userId }: UserCaller,
    { subscription, plan, quote, preview, paidBefore }: Payable,
    requestId: string | null,
  ): Promise<PlanChangeResponse> {
    const card = await this.cards.findDefaultCard(userId);
    const charged = await this.charges
      .createPayment({
        userId,
        purpose: 'upgrade',
        ...(card !== null && {
          paymentMethodId: card,
          scope: scopeOf({ subscription, plan, paidBefore }),
        }),
        amountCents: quote.amountCents,
        credits: quote.credits,
        keepsCard: true,
        requestId,
        plan: {
          subscriptionId: subscription.id,
          planId: plan.id,
          planVersion: plan.version,
          periodNumber: subscription.period_number,
          from: { planId: subscription.plan_id, planVersion: subscription.plan_version },
        },
      })
      .catch(toPaymentError);
    return this.toCharged(charged, preview);
  }

  /**
   * Continues the payment of an earlier try of this request, also if it has already changed the
   * plan.
   */
  private async continuePayment(payment: PaymentRow): Promise<PlanChangeResponse> {
    const charged = await this.charges.continuePayment(payment).catch(toPaymentError);
    const { plan_id: plan, created_at: at } = payment;
    return this.toCharged(charged, {
      action: 'upgrade',
      plan: plan ?? '',
      amount_cents: 0,
      tokens: 0,
      effective_at: at,
    });
  }

  private async toCharged({ payment, intent }: ChargeResult, preview: Preview): Promise<PlanChangeResponse> {
    if (payment.status === 'failed') throw PaymentErrors.declined(payment.failure_message, payment.failure_code);
    if (await this.payments.isUndelivered(payment.id)) throw SubscriptionErrors.givenBack();
    const isPaid = payment.status === 'succeeded';
    const needsBrowser = payment.status === 'open';
    return this.toResponse(
      { ...preview, amount_cents: payment.amount_cents, tokens: Number(payment.credits) },
      {
        succeeded: isPaid,
        requires_action: needsBrowser,
        client_secret: needsBrowser ? (intent?.clientSecret ?? null) : null,
        payment_intent_id: payment.provider_intent_id,
        pending: !isPaid && !needsBrowser,
      },
    );
  }

  /** Makes an upgrade without a payment, because its price is below the smallest payment. */
  private async upgradeWithoutPayment(
    em: EntityManager,
    subscription: PaidSubscription,
    plan: PlanVersion,
    { credits }: UpgradeQuote,
  ): Promise<void> {
    const change = {
      paymentId: null,
      userId: subscription.user_id,
      subscriptionId: subscription.id,
      planId: plan.id,
      planVersion: plan.version,
      periodNumber: subscription.period_number,
      paidCents: 0,
    };
    await this.paid.upgrade(em, change, {
      credits,
      from: { planId: subscription.plan_id, planVersion: subscription.plan_version },
    });
  }

  /**
   * Price of an upgrade; null for a downgrade.
   *
   * @throws AppError 409 `subscription.same_plan` for the current plan, `subscription.over` if its
   * period is not paid.
   */
  private quoteOf(subscription: PaidSubscription, plan: PlanVersion): UpgradeQuote | null {
    if (plan.id === subscription.plan_id) throw SubscriptionErrors.samePlan();
    if (subscription.is_over || subscription.status !== 'active') throw SubscriptionErrors.over();
    return plan.rank > subscription.rank ? this.sales.quoteUpgrade(subscription, plan as SoldPlan) : null;
  }

  /**
   * Runs `work` in a transaction that has locked the user's subscription.
   *
   * @throws AppError 409 `subscription.none` without a paid plan, `subscription.by_contract` with a
   * plan by contract.
   */
  private withCurrent<T>(
    { userId }: UserCaller,
    work: (em: EntityManager, subscription: PaidSubscription) => Promise<T> | T,
  ): Promise<T> {
    return this.outbox.transaction(async (em) => {
      return work(em, requirePriced(await this.paid.lockCurrent(em, userId)));
    });
  }

  private toResponse(preview: Preview, outcome: Partial<PlanChangeResponse>): PlanChangeResponse {
    const nothing = {
      succeeded: false,
      requires_action: false,
      client_secret: null,
      payment_intent_id: null,
      pending: false,
    };
    return { ...preview, ...nothing, publishable_key: this.provider.publishableKey, ...outcome };
  }
}

function requirePriced(subscription: PaidSubscription | null): PaidSubscription {
  if (!subscription) throw SubscriptionErrors.none();
  if (subscription.price_cents === null) throw SubscriptionErrors.byContract();
  return subscription;
}

/**
 * Scope of an upgrade payment by card. Within a period, a card pays each upgrade once, and once
 * more after a refund.
 */
const scopeOf = ({
  subscription: from,
  plan,
  paidBefore,
}: Pick<Payable, 'subscription' | 'plan' | 'paidBefore'>): string =>
  ['upgrade', from.id, from.period_number, from.plan_id, from.plan_version, plan.id, plan.version, paidBefore].join(
    ':',
  );

const upgradeOf = ({ credits, from_plan_id: planId, from_plan_version: planVersion }: PaymentRow) => ({
  credits: Number(credits),
  from: { planId, planVersion },
});

/** Preview without the class, so that it can be spread. */
type Preview = Pick<PlanChangePreview, keyof PlanChangePreview>;

interface Payable {
  subscription: PaidSubscription;
  plan: PlanVersion;
  quote: UpgradeQuote;
  preview: Preview;
  paidBefore: number;
}

const previewOf = (subscription: PaidSubscription, { id }: PlanVersion, quote: UpgradeQuote | null): Preview => ({
  action: quote ? 'upgrade' : 'downgrade',
  plan: id,
  amount_cents: quote?.amountCents ?? 0,
  tokens: quote?.credits ?? 0,
  effective_at: quote ? subscription.now : subscription.period_ends_at,
});
