import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';
import { Payment } from './payment.entity.js';

/**
 * `not_deliverable`: the platform could not give the user the paid item. `provider`: the refund was
 * made at the provider.
 */
export const REFUND_REASONS = ['requested', 'not_deliverable', 'provider'] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/**
 * `requested`: the provider was not asked yet or did not answer. `pending`: the bank is processing
 * the refund.
 */
export const REFUND_STATUSES = ['requested', 'pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/**
 * Refund of a payment. The database adds up the refunds that have not failed, and refuses a sum
 * above the amount of the payment. It refuses to delete a refund, to change its payment or amount,
 * and to set an earlier status.
 */
@Entity('payment_refunds')
@Unique('payment_refunds_payment_number_key', ['paymentId', 'number'])
@Unique('payment_refunds_provider_key', ['providerRefundId'])
@Unique('payment_refunds_request_key', ['requestId'])
@Index('payment_refunds_tenant_idx', ['tenantId'])
@Index('payment_refunds_open_idx', ['createdAt'], { where: "status IN ('requested', 'pending')" })
@Check('payment_refunds_number_check', '"number" >= 1')
@Check('payment_refunds_amount_check', 'amount_cents >= 1')
@Check('payment_refunds_credits_check', 'credits BETWEEN 0 AND 1000000000000')
@Check('payment_refunds_debt_check', 'debt BETWEEN 0 AND credits')
@Check('payment_refunds_movements_check', 'movements >= 0')
@Check('payment_refunds_reason_check', `reason IN ('${REFUND_REASONS.join("', '")}')`)
@Check('payment_refunds_status_check', `status IN ('${REFUND_STATUSES.join("', '")}')`)
export class PaymentRefund {
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'payment_refunds_tenant_fkey' })
  tenant?: Relation<object>;
  @Column('text') paymentId!: string;
  @ManyToOne(() => Payment)
  @JoinColumn({ name: 'payment_id', foreignKeyConstraintName: 'payment_refunds_payment_fkey' })
  payment?: Relation<Payment>;
  /** Number of the refund within its payment, from 1. */
  @Column('integer') number!: number;
  @Column('integer') amountCents!: number;
  @Column('text') reason!: RefundReason;
  @Column('text') status!: RefundStatus;
  /** Reason that the request gave. */
  @Column('text', { nullable: true }) note!: string | null;
  @Column('text', { nullable: true }) providerRefundId!: string | null;
  @Column('text', { nullable: true }) requestId!: string | null;
  /** Credits that the refund has clawed back and not returned, from both wallets and as a debt. */
  @Column('bigint', { default: 0 }) credits!: string;
  /** The part of `credits` that the user had spent and that earnings did not cover. */
  @Column('bigint', { default: 0 }) debt!: string;
  /**
   * Number of ledger movements that have clawed back credits for this refund. The first has the key
   * `refund:ID`, the others `refund:ID:NUMBER`.
   */
  @Column('integer', { default: 0 }) movements!: number;
  /** Reason for the failure, in words of the provider. */
  @Column('text', { nullable: true }) failure!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) completedAt!: Date | null;
  /** Time of the last request to the provider. */
  @Column('timestamptz', { default: () => 'now()' }) checkedAt!: Date;
}
