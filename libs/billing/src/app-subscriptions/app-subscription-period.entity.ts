import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/**
 * A month of an app that a gateway of before has noted down. Nobody reads it any more: the entry that paid the month says the same. It is here as long as such a
 * gateway may run beside this one, and goes with the next version.
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
  /** From 1. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'app_subscription_periods_pkey' }) number!: number;
  /** Of `app_prices`: what it cost. */
  @Column('integer') priceVersion!: number;
  @Column('timestamptz') startsAt!: Date;
  @Column('timestamptz') endsAt!: Date;
}
