import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';
import type { DisputeStatus } from '../payment-provider.js';
import { Payment } from '../payment.entity.js';

/** Statuses in their order. A dispute never returns to an earlier one. */
export const DISPUTE_STATUSES = [
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'needs_response',
  'under_review',
  'lost',
  'won',
  'prevented',
] as const satisfies readonly DisputeStatus[];

/** Dispute of a payment. The bank decides about it, and the provider reports the decision. */
@Entity('payment_disputes')
@Unique('payment_disputes_provider_key', ['providerDisputeId'])
@Index('payment_disputes_tenant_idx', ['tenantId'])
@Index('payment_disputes_payment_idx', ['paymentId'])
@Check('payment_disputes_amount_check', 'amount_cents >= 1')
@Check('payment_disputes_status_check', `status IN ('${DISPUTE_STATUSES.join("', '")}')`)
@Check('payment_disputes_credits_check', 'credits BETWEEN 0 AND 1000000000000')
@Check('payment_disputes_debt_check', 'debt BETWEEN 0 AND credits')
@Check('payment_disputes_movements_check', 'movements >= 0')
@Check('payment_disputes_taken_check', 'taken_at IS NOT NULL OR (credits = 0 AND returned_at IS NULL)')
export class PaymentDispute {
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'payment_disputes_tenant_fkey' })
  tenant?: Relation<object>;
  @Column('text') paymentId!: string;
  @ManyToOne(() => Payment)
  @JoinColumn({ name: 'payment_id', foreignKeyConstraintName: 'payment_disputes_payment_fkey' })
  payment?: Relation<Payment>;
  @Column('text') providerDisputeId!: string;
  @Column('integer') amountCents!: number;
  @Column('text') status!: DisputeStatus;
  /** Reason of the customer's bank, in words of the provider. */
  @Column('text') reason!: string;
  /** Credits that the dispute has clawed back and not returned, from both wallets and as a debt. */
  @Column('bigint', { default: 0 }) credits!: string;
  /** The part of `credits` that the user had spent and that earnings did not cover. */
  @Column('bigint', { default: 0 }) debt!: string;
  /**
   * Number of ledger movements that have clawed back credits for this dispute. The first has the
   * key `dispute:ID`, the others `dispute:ID:NUMBER`.
   */
  @Column('integer', { default: 0 }) movements!: number;
  @Column('timestamptz') createdAt!: Date;
  /** Time at which the bank had taken the money and the credits were clawed back; null before. */
  @Column('timestamptz', { nullable: true }) takenAt!: Date | null;
  /** Time at which the dispute was won and the credits were returned; null before. */
  @Column('timestamptz', { nullable: true }) returnedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) closedAt!: Date | null;
}
