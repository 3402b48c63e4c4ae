import type { ExpiredRows } from '@platform/persistence';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';
import { MAX_PAYMENT_CENTS, MIN_PAYMENT_CENTS } from './payment-provider.js';

export const PAYMENT_PURPOSES = ['topup', 'auto_topup', 'checkout', 'upgrade', 'renewal'] as const;
export type PaymentPurpose = (typeof PAYMENT_PURPOSES)[number];
/** Purposes that buy credits. The others pay for plans. */
export const TOPUP_PURPOSES = ['topup', 'auto_topup'] as const satisfies readonly PaymentPurpose[];

/**
 * - `created`: stored; the provider was not asked yet, or its answer is not stored yet
 * - `open`: waits for the customer
 * - `processing`: the bank is processing it
 * - `unknown`: the provider did not answer, so it may or may not exist there
 * - `canceling`: given up here, because another payment replaced it, its user was deleted, or the
 *   user saved the settings of automatic top-ups again; it still has to be canceled at the provider
 * - `succeeded`, `failed`, `canceled`: final
 */
export const PAYMENT_STATUSES = [
  'created',
  'open',
  'processing',
  'unknown',
  'canceling',
  'succeeded',
  'failed',
  'canceled',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

const LIVE = "status IN ('created', 'open', 'processing', 'unknown', 'canceling', 'succeeded')";
/** SQL condition: only the provider knows the state of the payment. */
export const UNSETTLED_SQL = "status IN ('created', 'open', 'processing', 'unknown', 'canceling')";
const NEVER_PAID_SQL = "status IN ('failed', 'canceled')";
/**
 * Payments that ended unpaid more than 180 days ago. A payment with a refund, a dispute or an
 * invoice is kept.
 */
export const OLD_UNPAID_PAYMENTS: ExpiredRows = {
  table: 'payments',
  key: 'id',
  where: `${NEVER_PAID_SQL} AND completed_at < now() - interval '180 days'
    AND NOT EXISTS (SELECT FROM payment_refunds r WHERE r.payment_id = payments.id)
    AND NOT EXISTS (SELECT FROM payment_disputes d WHERE d.payment_id = payments.id)
    AND NOT EXISTS (SELECT FROM invoices i WHERE i.payment_id = payments.id)`,
};
/**
 * SQL condition: the user started the payment and has not confirmed it yet, in a browser or at the
 * bank of a saved card. @param alias of the table `payments` in the statement.
 */
export const waitsForCustomer = (alias: string): string =>
  `${alias}.purpose NOT IN ('auto_topup', 'renewal') AND (${alias}.status = 'open' OR (${alias}.status = 'created' AND NOT ${alias}.is_off_session))`;
/** SQL condition: a request can be making the payment right now. */
export const IS_BEING_MADE_SQL = "(status = 'created' AND created_at > now() - interval '1 minute')";

/**
 * Payment of a user. The database refuses to change payer, purpose, amount and plan. A final status
 * can change only from `failed` or `canceled` to `succeeded`. The database refuses to delete a
 * payment, except one that ended unpaid at least 180 days ago.
 */
@Entity('payments')
@Unique('payments_scope_attempt_key', ['scope', 'attempt'])
@Unique('payments_intent_key', ['providerIntentId'])
@Unique('payments_request_key', ['requestId'])
@Index('payments_live_key', ['scope'], { unique: true, where: LIVE })
@Index('payments_open_key', ['userId', 'purpose'], {
  unique: true,
  where: "status IN ('created', 'open') AND NOT is_off_session",
})
@Index('payments_user_idx', ['userId', 'createdAt', 'id'])
@Index('payments_tenant_idx', ['tenantId'])
@Index('payments_subscription_idx', ['subscriptionId', 'periodNumber'], { where: 'subscription_id IS NOT NULL' })
@Index('payments_unpaid_idx', ['completedAt'], { where: NEVER_PAID_SQL })
@Index('payments_unsettled_idx', ['checkedAt'], { where: UNSETTLED_SQL })
@Check('payments_purpose_check', `purpose IN ('${PAYMENT_PURPOSES.join("', '")}')`)
@Check('payments_status_check', `status IN ('${PAYMENT_STATUSES.join("', '")}')`)
@Check('payments_amount_check', `amount_cents BETWEEN ${MIN_PAYMENT_CENTS} AND ${MAX_PAYMENT_CENTS}`)
@Check('payments_credits_check', 'credits BETWEEN 0 AND 1000000000000')
@Check('payments_attempt_check', 'attempt >= 1')
@Check('payments_refunded_check', 'refunded_cents BETWEEN 0 AND amount_cents')
@Check('payments_returning_check', 'returning_cents BETWEEN refunded_cents AND amount_cents')
@Check(
  'payments_plan_check',
  "num_nonnulls(subscription_id, plan_id, plan_version, period_number) = CASE WHEN purpose IN ('topup', 'auto_topup') THEN 0 ELSE 4 END",
)
@Check(
  'payments_from_plan_check',
  "num_nonnulls(from_plan_id, from_plan_version) = CASE WHEN purpose = 'upgrade' THEN 2 ELSE 0 END",
)
@Check('payments_topup_check', "purpose NOT IN ('topup', 'auto_topup') OR credits > 0")
@Check('payments_card_check', 'NOT is_off_session OR payment_method_id IS NOT NULL')
@Check('payments_completed_check', "(completed_at IS NOT NULL) = (status IN ('succeeded', 'failed', 'canceled'))")
@Check('payments_forgotten_check', 'forgotten_at IS NULL OR NOT is_live')
@Check(
  'payments_succeeded_check',
  "status <> 'succeeded' OR (provider_intent_id IS NOT NULL AND completed_at IS NOT NULL)",
)
export class Payment {
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'payments_tenant_fkey' })
  tenant?: Relation<object>;
  @Column('text') userId!: string;
  @ManyToOne('User')
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'payments_user_fkey' })
  user?: Relation<object>;
  @Column('text') purpose!: PaymentPurpose;
  /**
   * Thing that is paid, for example `renew:sub_…:3`. At most one payment of a scope succeeds or is
   * in progress.
   */
  @Column('text') scope!: string;
  /**
   * From 1. Scope and attempt form the idempotency key at the provider, so a new try after a
   * decline has a new key.
   */
  @Column('integer', { default: 1 }) attempt!: number;
  @Column('text') status!: PaymentStatus;
  @Column('integer') amountCents!: number;
  @Column('text') currency!: string;
  /** Credits that the payment buys; 0 for plans. */
  @Column('bigint', { default: 0 }) credits!: string;
  /** True for real money. */
  @Column('boolean') isLive!: boolean;
  /** True if a saved card pays without the customer. */
  @Column('boolean', { default: false }) isOffSession!: boolean;
  @Column('boolean', { default: false }) keepsCard!: boolean;
  @Column('text', { nullable: true }) paymentMethodId!: string | null;
  @Column('text', { nullable: true }) providerIntentId!: string | null;
  /**
   * Id of the request that created the payment, so that a retry of the request creates no second
   * one.
   */
  @Column('text', { nullable: true }) requestId!: string | null;
  /** Subscription that is paid. It and the plan columns are null for top-ups. */
  @Column('text', { nullable: true }) subscriptionId!: string | null;
  @ManyToOne('Subscription')
  @JoinColumn({ name: 'subscription_id', foreignKeyConstraintName: 'payments_subscription_fkey' })
  subscription?: Relation<object> | null;
  @Column('text', { nullable: true }) planId!: string | null;
  @Column('integer', { nullable: true }) planVersion!: number | null;
  @ManyToOne('Plan')
  @JoinColumn([
    { name: 'plan_id', referencedColumnName: 'id', foreignKeyConstraintName: 'payments_plan_fkey' },
    { name: 'plan_version', referencedColumnName: 'version', foreignKeyConstraintName: 'payments_plan_fkey' },
  ])
  plan?: Relation<object> | null;
  @Column('integer', { nullable: true }) periodNumber!: number | null;
  /** Plan from which the price of an upgrade was computed; null for other payments. */
  @Column('text', { nullable: true }) fromPlanId!: string | null;
  @Column('integer', { nullable: true }) fromPlanVersion!: number | null;
  @Column('text', { nullable: true }) failureCode!: string | null;
  @Column('text', { nullable: true }) failureMessage!: string | null;
  @Column('text', { nullable: true }) receiptUrl!: string | null;
  /**
   * Refunded cents. The database adds up this column and `returningCents` from `payment_refunds`.
   */
  @Column('integer', { default: 0 }) refundedCents!: number;
  /** Cents of refunds that have succeeded or are in progress. */
  @Column('integer', { default: 0 }) returningCents!: number;
  /** Time of the database's real clock, because it is also compared with times of the provider. */
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) completedAt!: Date | null;
  /**
   * Time at which the credits of a test payment were removed, before the platform takes real money.
   * Null for other payments.
   */
  @Column('timestamptz', { nullable: true }) forgottenAt!: Date | null;
  /** Time of the last request to the provider. */
  @Column('timestamptz', { default: () => 'now()' }) checkedAt!: Date;
}
