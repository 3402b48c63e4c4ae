import { OPEN_PAYOUT_STATUSES, PAYOUT_STATUSES, type PayoutStatus } from '@platform/contracts';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation, Unique } from 'typeorm';

/** Whether a payout is not over, as SQL. */
export const OPEN_PAYOUT = `status IN ('${OPEN_PAYOUT_STATUSES.join("', '")}')`;

/** Earnings that a developer has asked to be paid. The credits are debited with the request, and come back when it is rejected. */
@Entity('payouts')
@Unique('payouts_request_id_key', ['requestId'])
@Index('payouts_developer_idx', ['developerId', 'id'])
@Index('payouts_open_idx', ['status', 'id'], { where: OPEN_PAYOUT })
@Index('payouts_destination_idx', ['destinationId'], { where: 'destination_id IS NOT NULL' })
@Check('payouts_amount_check', 'amount_tokens BETWEEN 10000 AND 1000000000000 AND amount_tokens % 10 = 0')
@Check('payouts_usd_check', 'usd_cents > 0')
@Check('payouts_status_check', `status IN ('${PAYOUT_STATUSES.join("', '")}')`)
@Check('payouts_processed_check', "(processed_at IS NOT NULL) = (status IN ('paid', 'rejected'))")
@Check('payouts_reference_check', "(reference IS NOT NULL) = (status = 'paid')")
export class Payout {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant') @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'payouts_tenant_fkey' }) tenant?: Relation<object>;
  @Column('text') developerId!: string;
  @ManyToOne('User') @JoinColumn({ name: 'developer_id', foreignKeyConstraintName: 'payouts_developer_fkey' }) developer?: Relation<object>;
  /** The id of the row of `idempotent_requests`, the same when the request is tried again. Null where it came without an `Idempotency-Key`. */
  @Column('text', { nullable: true }) requestId!: string | null;
  @Column('bigint') amountTokens!: string;
  /** What is paid, as it was worth when it was asked for. */
  @Column('bigint') usdCents!: string;
  @Column('text', { default: 'pending' }) status!: PayoutStatus;
  /** Account that the developer kept when they requested it; null where they kept none. */
  @Column('text', { nullable: true }) destinationId!: string | null;
  @ManyToOne('PayoutDestination')
  @JoinColumn({ name: 'destination_id', foreignKeyConstraintName: 'payouts_destination_fkey' })
  destination?: Relation<object> | null;
  /** Way of payment of that destination, else `manual`. */
  @Column('text', { default: 'manual' }) method!: string;
  /** Of the developer. */
  @Column('text', { nullable: true }) notes!: string | null;
  /** For the developer, of who decided. */
  @Column('text', { nullable: true }) adminNote!: string | null;
  /** By which the payment is found, such as that of the bank. */
  @Column('text', { nullable: true }) reference!: string | null;
  @Column('timestamptz', { default: () => 'billing_now()' }) requestedAt!: Date;
  /** When it was paid or rejected. */
  @Column('timestamptz', { nullable: true }) processedAt!: Date | null;
}
