import { OPEN_PAYOUT_STATUSES, PAYOUT_STATUSES, type PayoutStatus } from '@platform/contracts';
import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
  Unique,
} from 'typeorm';

/** SQL condition: the payout is open. */
export const OPEN_PAYOUT = `status IN ('${OPEN_PAYOUT_STATUSES.join("', '")}')`;

/**
 * Payout of earnings that a developer requested. The request debits the credits; a rejection
 * returns them.
 */
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
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'payouts_tenant_fkey' })
  tenant?: Relation<object>;
  @Column('text') developerId!: string;
  @ManyToOne('User')
  @JoinColumn({ name: 'developer_id', foreignKeyConstraintName: 'payouts_developer_fkey' })
  developer?: Relation<object>;
  /**
   * Id of the row of `idempotent_requests`, the same for a retry of the request. Null for a request
   * without an `Idempotency-Key`.
   */
  @Column('text', { nullable: true }) requestId!: string | null;
  @Column('bigint') amountTokens!: string;
  /** US cents that are paid, at the rate of the time when the payout was requested. */
  @Column('bigint') usdCents!: string;
  @Column('text', { default: 'pending' }) status!: PayoutStatus;
  /**
   * Destination that was current when the payout was requested; null if the developer had saved
   * none.
   */
  @Column('text', { nullable: true }) destinationId!: string | null;
  @ManyToOne('PayoutDestination')
  @JoinColumn({ name: 'destination_id', foreignKeyConstraintName: 'payouts_destination_fkey' })
  destination?: Relation<object> | null;
  /** Payment method of that destination, else `manual`. */
  @Column('text', { default: 'manual' }) method!: string;
  /** Note of the developer. */
  @Column('text', { nullable: true }) notes!: string | null;
  /** Note of the deciding operator, for the developer. */
  @Column('text', { nullable: true }) adminNote!: string | null;
  /** Reference of the bank transfer or other payment. */
  @Column('text', { nullable: true }) reference!: string | null;
  @Column('timestamptz', { default: () => 'billing_now()' }) requestedAt!: Date;
  /** Time when the payout was paid or rejected. */
  @Column('timestamptz', { nullable: true }) processedAt!: Date | null;
}
