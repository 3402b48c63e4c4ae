import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/**
 * Customer of a user that no longer exists at the provider, for example because it was deleted in
 * the dashboard. Its payments still belong to the user.
 */
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
  /** True for real money. */
  @Column('boolean') isLive!: boolean;
  /** Time at which the gateway noticed that the customer no longer exists. */
  @Column('timestamptz', { default: () => 'now()' }) goneAt!: Date;
}

/** All current and former customers, for a FROM clause. */
export const ALL_CUSTOMERS_SQL = `(SELECT user_id, tenant_id, provider_customer_id, is_live FROM billing_customers
  UNION ALL SELECT user_id, tenant_id, provider_customer_id, is_live FROM former_billing_customers)`;
