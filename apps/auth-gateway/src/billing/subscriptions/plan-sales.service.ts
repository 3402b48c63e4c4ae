import { Injectable } from '@nestjs/common';
import {
  FREE_PLAN,
  MIN_PAYMENT_CENTS,
  PlansRepository,
  type PaidSubscription,
  type PlanVersion,
} from '@platform/billing';
import type { SubscribeRequest } from '@platform/contracts';
import { SubscriptionErrors } from './subscriptions.errors.js';

export type SoldPlan = PlanVersion & { priceCents: number };

/** Price and credits of an upgrade for the rest of the period. */
export interface UpgradeQuote {
  /** 0 if the price is below the smallest payment. */
  amountCents: number;
  credits: number;
}

/** Plans that users can buy, and prices of upgrades. */
@Injectable()
export class PlanSalesService {
  constructor(private readonly plans: PlansRepository) {}

  /**
   * Returns the plan that the request names, if it can be bought.
   *
   * @throws AppError 404 `plan.not_found` for an unknown plan; 400 `plan.not_for_sale` for the free
   * plan and a plan by contract, `plan.monthly_only` unless it is asked for by the month.
   */
  async getSoldPlan(request: SubscribeRequest): Promise<SoldPlan> {
    const plan = await this.getPlan(request);
    if (plan.id === FREE_PLAN)
      throw SubscriptionErrors.notForSale('The free plan cannot be bought. You get it when your paid plan ends.');
    return plan as SoldPlan;
  }

  /**
   * Returns the free plan or a plan that is sold.
   *
   * @throws AppError as `getSoldPlan` does, but not for the free plan.
   */
  async getPlan(request: SubscribeRequest): Promise<PlanVersion> {
    return this.choosePlan(await this.listOfferedPlans(), request);
  }

  /** Plans from which `choosePlan` selects. */
  listOfferedPlans(): Promise<PlanVersion[]> {
    return this.plans.listNewest();
  }

  /**
   * Selects the plan from those of `offered`, as `getPlan` does, with the same errors. For callers
   * that hold locks and must not wait for another database connection.
   */
  choosePlan(offered: readonly PlanVersion[], { plan_id: id, period }: SubscribeRequest): PlanVersion {
    if (period !== 'monthly') throw SubscriptionErrors.annual();
    const plan = offered.find((one) => one.id === id);
    if (!plan) throw SubscriptionErrors.planNotFound();
    if (plan.priceCents === null)
      throw SubscriptionErrors.notForSale('This plan is sold by contract only. Contact the operator of the platform.');
    return plan;
  }

  /**
   * Prices an upgrade for the remaining seconds of the period, rounded down, and computes its
   * credits in the same way. If the price is below the smallest payment (50 cents), the upgrade is
   * free and grants no credits.
   */
  quoteUpgrade(from: PaidSubscription, to: SoldPlan): UpgradeQuote {
    const [starts, ends, now] = [from.period_starts_at, from.period_ends_at, from.now].map((time) =>
      Math.floor(time.getTime() / 1_000),
    ) as [number, number, number];
    const part = (difference: number): number =>
      Math.max(0, Number((BigInt(difference) * BigInt(ends - now)) / BigInt(ends - starts)));
    const amountCents = part(to.priceCents - (from.price_cents ?? 0));
    if (amountCents < MIN_PAYMENT_CENTS) return { amountCents: 0, credits: 0 };
    return { amountCents, credits: part(Math.max(0, to.includedTokens - Number(from.included_tokens))) };
  }
}
