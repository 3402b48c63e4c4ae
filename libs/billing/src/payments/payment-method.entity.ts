import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** A card that a user keeps at the provider, as it was when the provider told of it last. Its number is nowhere here. */
@Entity('payment_methods')
@Index('payment_methods_default_key', ['userId', 'isLive'], { unique: true, where: 'is_default' })
@Index('payment_methods_user_idx', ['userId', 'createdAt', 'id'])
@Index('payment_methods_tenant_idx', ['tenantId'])
@Index('payment_methods_expiry_idx', ['expYear', 'expMonth'], { where: 'NOT expiry_told' })
export class PaymentMethod {
  /** Of the provider. */
  @PrimaryColumn('text') id!: string;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'payment_methods_tenant_fkey' })
  tenant?: Relation<object>;
  @Column('text') userId!: string;
  @ManyToOne('User') @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'payment_methods_user_fkey' }) user?: Relation<object>;
  /** Whether it pays real money. */
  @Column('boolean') isLive!: boolean;
  /** `card`, or another word of the provider. */
  @Column('text') type!: string;
  @Column('text') brand!: string;
  @Column('text') last4!: string;
  @Column('integer') expMonth!: number;
  @Column('integer') expYear!: number;
  /** Whether it pays without the user. */
  @Column('boolean', { default: false }) isDefault!: boolean;
  /** Whether its user was, or is being, told that it expires. */
  @Column('boolean', { default: false }) expiryTold!: boolean;
  /** Since when a request is removing it at the provider. */
  @Column('timestamptz', { nullable: true }) removingAt!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
