import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { MAX_PAYMENT_CENTS, MIN_PAYMENT_CENTS } from '../payment-provider.js';

/** Reasons for a pause. `frequency`: three automatic top-ups within ten minutes. */
export const PAUSE_REASONS = ['declined', 'frequency', 'daily_cap', 'monthly_cap'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/**
 * Reasons for which the platform disabled automatic top-ups. `declined`: three declines in a row.
 */
export const STOP_REASONS = ['declined', 'authentication_required', 'card_removed', 'refunded', 'disputed'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

const list = (words: readonly string[]): string => `('${words.join("', '")}')`;

/** Settings and state of a user's automatic top-ups. */
@Entity('auto_topups')
@Index('auto_topups_tenant_idx', ['tenantId'])
@Check('auto_topups_threshold_check', 'threshold_pct BETWEEN 1 AND 50')
@Check('auto_topups_recharge_check', `recharge_cents BETWEEN ${MIN_PAYMENT_CENTS} AND ${MAX_PAYMENT_CENTS}`)
@Check('auto_topups_number_check', '"number" >= 1')
@Check('auto_topups_declines_check', 'declines >= 0')
@Check('auto_topups_paused_check', `paused_reason IN ${list(PAUSE_REASONS)}`)
@Check('auto_topups_stopped_check', `stopped_reason IN ${list(STOP_REASONS)}`)
@Check('auto_topups_price_check', 'recharge_tokens = recharge_cents::bigint * 10')
@Check('auto_topups_caps_check', 'recharge_cents <= daily_cap_cents AND daily_cap_cents <= monthly_cap_cents')
@Check('auto_topups_pause_check', '(paused_until IS NULL) = (paused_reason IS NULL)')
@Check('auto_topups_enabled_check', 'NOT enabled OR (consented_at IS NOT NULL AND stopped_reason IS NULL)')
export class AutoTopUp {
  @PrimaryColumn('text') userId!: string;
  @ManyToOne('User')
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'auto_topups_user_fkey' })
  user?: Relation<object>;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'auto_topups_tenant_fkey' })
  tenant?: Relation<object>;
  @Column('boolean') enabled!: boolean;
  /** Percentage of the credits that the plan includes. */
  @Column('integer') thresholdPct!: number;
  @Column('bigint') rechargeTokens!: string;
  @Column('integer') rechargeCents!: number;
  /** Null: the user's default card. */
  @Column('text', { nullable: true }) paymentMethodId!: string | null;
  @Column('integer') dailyCapCents!: number;
  @Column('integer') monthlyCapCents!: number;
  /**
   * Number of the next payment. It is part of the payment's scope, so at most one payment of each
   * number succeeds.
   */
  @Column('integer', { default: 1 }) number!: number;
  /** Declines in a row. */
  @Column('integer', { default: 0 }) declines!: number;
  /** Billing time. */
  @Column('timestamptz', { nullable: true }) pausedUntil!: Date | null;
  @Column('text', { nullable: true }) pausedReason!: PauseReason | null;
  @Column('text', { nullable: true }) stoppedReason!: StopReason | null;
  /** Time of the user's last consent. */
  @Column('timestamptz', { nullable: true }) consentedAt!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
