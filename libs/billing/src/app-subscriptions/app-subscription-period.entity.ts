import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/**
 * Month of an app, as an earlier version of the gateway recorded it. It is no longer read: the
 * ledger entry that paid the month has the same facts. The table stays as long as that version can
 * run beside this one. The next version removes it.
 */
@Entity('app_subscription_periods')
@Check('app_subscription_periods_number_check', 'number >= 1')
@Check('app_subscription_periods_times_check', 'ends_at > starts_at')
export class AppSubscriptionPeriod {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'app_subscription_periods_pkey' }) userId!: string;
  @ManyToOne('User')
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'app_subscription_periods_user_fkey' })
  user?: Relation<object>;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'app_subscription_periods_pkey' }) appId!: string;
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'app_subscription_periods_pkey' }) number!: number;
  /** Version of the price in `app_prices` that was paid. */
  @Column('integer') priceVersion!: number;
  @Column('timestamptz') startsAt!: Date;
  @Column('timestamptz') endsAt!: Date;
}
