import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/**
 * Account to which the payouts of a developer are sent. A change inserts a new row, so that each
 * payout keeps the destination it was requested with. Account deletion clears the details.
 */
@Entity('payout_destinations')
@Index('payout_destinations_current_key', ['userId'], { unique: true, where: 'replaced_at IS NULL' })
@Index('payout_destinations_user_idx', ['userId'])
@Index('payout_destinations_tenant_idx', ['tenantId'])
@Check('payout_destinations_method_check', 'length(method) BETWEEN 1 AND 50')
export class PayoutDestination {
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'payout_destinations_tenant_fkey' })
  tenant?: Relation<object>;
  @Column('text') userId!: string;
  @ManyToOne('User')
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'payout_destinations_user_fkey' })
  user?: Relation<object>;
  /** Payment method in the developer's words, for example `bank transfer`. */
  @Column('text') method!: string;
  /** Account details, encrypted for this row. Null after the developer was deleted. */
  @Column('text', { nullable: true }) sealedDetails!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  /** Null for the current destination, which new payouts use. */
  @Column('timestamptz', { nullable: true }) replacedAt!: Date | null;
}
