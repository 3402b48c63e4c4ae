import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** Customer of a user that the provider has no more, such as one that was deleted in its dashboard. Payments that were made with it are still the user's. */
@Entity('former_billing_customers')
@Index('former_billing_customers_user_idx', ['userId', 'isLive'])
@Index('former_billing_customers_tenant_idx', ['tenantId'])
export class FormerCustomer {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'former_billing_customers_pkey' }) providerCustomerId!: string;
  @Column('text') userId!: string;
  @ManyToOne('User')
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'former_billing_customers_user_fkey' })
  user?: Relation<object>;
  @Column('text') tenantId!: string;
  @ManyToOne('Tenant')
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'former_billing_customers_tenant_fkey' })
  tenant?: Relation<object>;
  /** True where real money moved. */
  @Column('boolean') isLive!: boolean;
  /** Time at which it was found to be gone. */
  @Column('timestamptz', { default: () => 'now()' }) goneAt!: Date;
}

/** Current and former customers, for a FROM clause. */
export const ALL_CUSTOMERS_SQL = `(SELECT user_id, tenant_id, provider_customer_id, is_live FROM billing_customers
  UNION ALL SELECT user_id, tenant_id, provider_customer_id, is_live FROM former_billing_customers)`;
