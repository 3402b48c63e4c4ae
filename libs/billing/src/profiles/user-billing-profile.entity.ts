import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** Recipient of a user's invoices, as the user entered it. */
@Entity('billing_profiles')
@Index('billing_profiles_tenant_idx', ['tenantId'])
@Check('billing_profiles_country_check', "country ~ '^[A-Z]{2}$'")
export class UserBillingProfile {
  @PrimaryColumn('text') userId!: string;
  @ManyToOne('User')
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'billing_profiles_user_fkey' })
  user?: Relation<object>;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'billing_profiles_tenant_fkey' })
  tenant?: Relation<object>;
  @Column('text', { nullable: true }) name!: string | null;
  @Column('text', { nullable: true }) company!: string | null;
  /** VAT number. */
  @Column('text', { nullable: true }) vat!: string | null;
  /** ISO 3166-1 alpha-2. */
  @Column('text', { nullable: true }) country!: string | null;
  /** Number of changes, from 1. */
  @Column('integer') revision!: number;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
