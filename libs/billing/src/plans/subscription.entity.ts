import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Plan } from './plan.entity.js';

/**
 * - `incomplete`: the first payment is in progress
 * - `past_due`: the period is over and not paid, because a payment failed or the user has no card;
 *   the payment is retried
 * - `expired`: ended because it was not paid, was cancelled, or its money was refunded or disputed;
 *   it can be renewed
 * - `canceled`: ended for good
 */
export const SUBSCRIPTION_STATUSES = ['incomplete', 'active', 'past_due', 'expired', 'canceled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Statuses in which the subscription is the plan of its user. */
const LIVE_STATUSES = ['active', 'past_due'] as const satisfies readonly SubscriptionStatus[];
export const LIVE_STATUSES_SQL = `('${LIVE_STATUSES.join("', '")}')`;

/** Monthly subscription of a user to a version of a plan. */
@Entity('subscriptions')
@Index('subscriptions_live_key', ['userId'], { unique: true, where: `status IN ${LIVE_STATUSES_SQL}` })
@Index('subscriptions_user_idx', ['userId'])
@Index('subscriptions_tenant_idx', ['tenantId'])
@Index('subscriptions_period_end_idx', ['planId', 'periodEndsAt'], { where: `status = 'active'` })
@Index('subscriptions_due_idx', ['periodEndsAt'], { where: `status IN ${LIVE_STATUSES_SQL} AND plan_id <> 'free'` })
@Check('subscriptions_pending_plan_check', '(pending_plan_id IS NULL) = (pending_plan_version IS NULL)')
@Check('subscriptions_status_check', `status IN ('${SUBSCRIPTION_STATUSES.join("', '")}')`)
@Check('subscriptions_period_number_check', 'period_number >= 1')
@Check('subscriptions_period_check', 'period_starts_at < period_ends_at')
export class Subscription {
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'subscriptions_tenant_fkey' })
  tenant?: Relation<object>;
  @Column('text') userId!: string;
  @ManyToOne('User')
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'subscriptions_user_fkey' })
  user?: Relation<object>;
  @Column('text') planId!: string;
  /**
   * Newest version of the plan when the user subscribed. Later versions do not change the
   * subscription.
   */
  @Column('integer') planVersion!: number;
  @ManyToOne(() => Plan)
  @JoinColumn([
    { name: 'plan_id', referencedColumnName: 'id', foreignKeyConstraintName: 'subscriptions_plan_fkey' },
    { name: 'plan_version', referencedColumnName: 'version', foreignKeyConstraintName: 'subscriptions_plan_fkey' },
  ])
  plan?: Relation<Plan>;
  @Column('text') status!: SubscriptionStatus;
  @Column('timestamptz') startedAt!: Date;
  /** Start of the first month: period n begins n - 1 months later (`billing_period_start`). */
  @Column('timestamptz') anchorAt!: Date;
  /** Months since the anchor, from 1. Months without any activity count too. */
  @Column('integer') periodNumber!: number;
  @Column('timestamptz') periodStartsAt!: Date;
  @Column('timestamptz') periodEndsAt!: Date;
  @Column('boolean', { default: false }) cancelAtPeriodEnd!: boolean;
  /** Smaller plan that is scheduled for the next period; null if the plan stays. */
  @Column('text', { nullable: true }) pendingPlanId!: string | null;
  @Column('integer', { nullable: true }) pendingPlanVersion!: number | null;
  @ManyToOne(() => Plan)
  @JoinColumn([
    {
      name: 'pending_plan_id',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'subscriptions_pending_plan_fkey',
    },
    {
      name: 'pending_plan_version',
      referencedColumnName: 'version',
      foreignKeyConstraintName: 'subscriptions_pending_plan_fkey',
    },
  ])
  pendingPlan?: Relation<Plan> | null;
  /** Time of the next retry in billing time, if the subscription is `past_due`; otherwise null. */
  @Column('timestamptz', { nullable: true }) nextAttemptAt!: Date | null;
}
