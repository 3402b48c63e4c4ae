import { Injectable } from '@nestjs/common';
import { FREE_PLAN, MIN_PAYMENT_CENTS, Plans, type PaidSubscription, type PlanVersion } from '@platform/billing';
import type { SubscribeRequest } from '@platform/contracts';
import { SubscriptionErrors } from './subscriptions.errors.js';

/** A plan that has a price. */
export type SoldPlan = PlanVersion & { priceCents: number };

/** What changes from one plan to a larger one, for the rest of the period. */
export interface UpgradeQuote {
  /** 0 where it would be less than a payment may be. */
  amountCents: number;
  credits: number;
}

/** Which plans users may buy, and what a change costs. */
@Injectable()
export class PlanSales {
  constructor(private readonly plans: Plans) {}

  /** @throws AppError 404 for a plan that there is not, 400 for one that is not sold, or not by the year. */
  async requireSold(request: SubscribeRequest): Promise<SoldPlan> {
    const plan = await this.require(request);
    if (plan.id === FREE_PLAN)
      throw SubscriptionErrors.notForSale('The free plan is not paid. It is what remains when another is cancelled.');
    return plan as SoldPlan;
  }

  /** The free plan, or one that is sold. @throws as `requireSold`. */
  async require(request: SubscribeRequest): Promise<PlanVersion> {
    return this.choose(await this.offered(), request);
  }

  /** Those that `choose` chooses from. */
  offered(): Promise<PlanVersion[]> {
    return this.plans.newest();
  }

  /** As `require`, for who holds locks, and so may not wait for another connection. */
  choose(offered: readonly PlanVersion[], { plan_id: id, period }: SubscribeRequest): PlanVersion {
    if (period !== 'monthly') throw SubscriptionErrors.annual();
    const plan = offered.find((one) => one.id === id);
    if (!plan) throw SubscriptionErrors.planNotFound();
    if (plan.priceCents === null) throw SubscriptionErrors.notForSale('This plan is by contract.');
    return plan;
  }

  /** Counts the seconds that are left of the period, rounded down. A difference below the smallest payment costs nothing and brings no credits. */
  quote(from: PaidSubscription, to: SoldPlan): UpgradeQuote {
    const [starts, ends, now] = [from.period_starts_at, from.period_ends_at, from.now].map((time) =>
      Math.floor(time.getTime() / 1_000),
    ) as [number, number, number];
    const part = (difference: number): number => Math.max(0, Number((BigInt(difference) * BigInt(ends - now)) / BigInt(ends - starts)));
    const amountCents = part(to.priceCents - (from.price_cents ?? 0));
    if (amountCents < MIN_PAYMENT_CENTS) return { amountCents: 0, credits: 0 };
    return { amountCents, credits: part(Math.max(0, to.includedTokens - Number(from.included_tokens))) };
  }
}
