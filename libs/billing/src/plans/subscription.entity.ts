import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Plan } from './plan.entity.js';

/**
 * - `incomplete`: its first payment is under way
 * - `past_due`: its period is over and not paid: a payment failed, or there is no card; it is tried again
 * - `expired`: it ended: not paid, cancelled, or its money went back; it may be renewed
 * - `canceled`: over for good
 */
export const SUBSCRIPTION_STATUSES = ['incomplete', 'active', 'past_due', 'expired', 'canceled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Those in which it is the plan of its user. */
const LIVE_STATUSES = ['active', 'past_due'] as const satisfies readonly SubscriptionStatus[];
export const LIVE_STATUSES_SQL = `('${LIVE_STATUSES.join("', '")}')`;

/** A version of a plan for a user, month after month. */
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
  @ManyToOne('Tenant') @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'subscriptions_tenant_fkey' }) tenant?: Relation<object>;
  @Column('text') userId!: string;
  @ManyToOne('User') @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'subscriptions_user_fkey' }) user?: Relation<object>;
  @Column('text') planId!: string;
  /** The version that was there when the user took the plan. Later ones do not change what they have. */
  @Column('integer') planVersion!: number;
  @ManyToOne(() => Plan)
  @JoinColumn([
    { name: 'plan_id', referencedColumnName: 'id', foreignKeyConstraintName: 'subscriptions_plan_fkey' },
    { name: 'plan_version', referencedColumnName: 'version', foreignKeyConstraintName: 'subscriptions_plan_fkey' },
  ])
  plan?: Relation<Plan>;
  @Column('text') status!: SubscriptionStatus;
  @Column('timestamptz') startedAt!: Date;
  /** Where its months are counted from: period n begins n - 1 months later (`billing_period_start`). */
  @Column('timestamptz') anchorAt!: Date;
  /** Counts the months since the anchor, from 1: those in which nobody looked count too. */
  @Column('integer') periodNumber!: number;
  @Column('timestamptz') periodStartsAt!: Date;
  @Column('timestamptz') periodEndsAt!: Date;
  @Column('boolean', { default: false }) cancelAtPeriodEnd!: boolean;
  /** The smaller plan that it goes on with when the period ends; null where it stays. */
  @Column('text', { nullable: true }) pendingPlanId!: string | null;
  @Column('integer', { nullable: true }) pendingPlanVersion!: number | null;
  @ManyToOne(() => Plan)
  @JoinColumn([
    { name: 'pending_plan_id', referencedColumnName: 'id', foreignKeyConstraintName: 'subscriptions_pending_plan_fkey' },
    { name: 'pending_plan_version', referencedColumnName: 'version', foreignKeyConstraintName: 'subscriptions_pending_plan_fkey' },
  ])
  pendingPlan?: Relation<Plan> | null;
  /** Of one that is `past_due`: when it is charged again, by the time of billing. */
  @Column('timestamptz', { nullable: true }) nextAttemptAt!: Date | null;
}
