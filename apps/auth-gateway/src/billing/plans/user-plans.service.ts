import { Injectable } from '@nestjs/common';
import {
  FREE_PLAN,
  MeterCountsRepository,
  PlansRepository,
  SubscriptionsService,
  type CurrentPlan,
  type PlanVersion,
} from '@platform/billing';
import type { BillingMode, LimitsResponse, PlanResponse, SubscriptionResponse } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { UsageMetersRegistry } from './usage-meters.registry.js';

const NOTHING_USED = { ai_tokens: 0, tool_calls: 0 };

/** The platform's plans, and the plan and use of a caller, as the API returns them. */
@Injectable()
export class UserPlansService {
  constructor(
    private readonly catalog: PlansRepository,
    private readonly subscriptions: SubscriptionsService,
    private readonly counts: MeterCountsRepository,
    private readonly meters: UsageMetersRegistry,
  ) {}

  async listPlans(): Promise<PlanResponse[]> {
    const plans = await this.catalog.listNewest();
    return plans.map(toPlan);
  }

  async getSubscription({ userId }: UserCaller): Promise<SubscriptionResponse> {
    return toSubscription(await this.subscriptions.getCurrentPlan(userId));
  }

  async getUsage(user: UserCaller): Promise<LimitsResponse> {
    const [plan, used] = await Promise.all([
      this.subscriptions.getCurrentPlan(user.userId),
      this.counts.getUse(user.userId),
    ]);
    const usage: Record<string, number> = { ...NOTHING_USED, ...used };
    const measured = await this.meters.measureUsage(user, plan);
    const limits = Object.fromEntries(Object.entries(plan.limits).filter(([meter]) => !measured.has(meter)));
    for (const [meter, { used, limit }] of measured) {
      usage[meter] = used;
      if (limit !== null) limits[meter] = limit;
    }
    const exceeded = Object.entries(limits).flatMap(([meter, limit]) => ((usage[meter] ?? 0) >= limit ? [meter] : []));
    return { plan: plan.plan, usage, limits, exceeded, resets_at: plan.period.endsAt };
  }
}

const toPlan = ({
  priceCents,
  includedTokens,
  selfService,
  id,
  version,
  name,
  interval,
  features,
  limits,
}: PlanVersion): PlanResponse => ({
  id,
  version,
  name,
  price: (priceCents ?? 0) / 100,
  interval,
  included_tokens: includedTokens,
  features,
  limits,
  self_service: selfService,
});

const toSubscription = (current: CurrentPlan): SubscriptionResponse => ({
  plan: current.plan,
  plan_version: current.version,
  status: current.status,
  started_at: current.startedAt,
  expires_at:
    billingMode(current) === 'card' ? current.openUntil : current.plan === FREE_PLAN ? null : current.period.endsAt,
  period_starts_at: current.period.startsAt,
  period_ends_at: current.period.endsAt,
  cancel_at_period_end: current.cancelAtPeriodEnd,
  pending_plan: current.pendingPlan,
  billing_mode: billingMode(current),
  card_required: false,
  contract_amount_cents: null,
  billing_note: null,
});

const billingMode = ({ plan, priceCents }: CurrentPlan): BillingMode =>
  plan === FREE_PLAN ? 'free' : priceCents === null ? 'manual' : 'card';
