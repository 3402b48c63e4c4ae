import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** Saved card of a user, as the provider last reported it. The card number is never stored. */
@Entity('payment_methods')
@Index('payment_methods_default_key', ['userId', 'isLive'], { unique: true, where: 'is_default' })
@Index('payment_methods_user_idx', ['userId', 'createdAt', 'id'])
@Index('payment_methods_tenant_idx', ['tenantId'])
@Index('payment_methods_expiry_idx', ['expYear', 'expMonth'], { where: 'NOT expiry_told' })
export class PaymentMethod {
  /** Id of the provider. */
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'payment_methods_tenant_fkey' })
  tenant?: Relation<object>;
  @Column('text') userId!: string;
  @ManyToOne('User')
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'payment_methods_user_fkey' })
  user?: Relation<object>;
  /** True for real money. */
  @Column('boolean') isLive!: boolean;
  /** `card`, or another type of the provider. */
  @Column('text') type!: string;
  @Column('text') brand!: string;
  @Column('text') last4!: string;
  @Column('integer') expMonth!: number;
  @Column('integer') expYear!: number;
  /** True for the card that pays without the user. */
  @Column('boolean', { default: false }) isDefault!: boolean;
  /** True if the mail about the expiry was sent or is being sent. */
  @Column('boolean', { default: false }) expiryTold!: boolean;
  /** Time at which a request began to remove the card at the provider; null otherwise. */
  @Column('timestamptz', { nullable: true }) removingAt!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
