import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';

/** Customer object that the provider has for a user. */
@Entity('billing_customers')
@Unique('billing_customers_provider_key', ['providerCustomerId'])
@Index('billing_customers_tenant_idx', ['tenantId'])
export class BillingCustomer {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'billing_customers_pkey' }) userId!: string;
  @ManyToOne('User')
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'billing_customers_user_fkey' })
  user?: Relation<object>;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'billing_customers_tenant_fkey' })
  tenant?: Relation<object>;
  @Column('text') providerCustomerId!: string;
  /** True for real money, false for tests: the provider has separate customers for both modes. */
  @PrimaryColumn('boolean', { primaryKeyConstraintName: 'billing_customers_pkey' }) isLive!: boolean;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
