import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** One row: how far the time of billing (`billing_now()` in SQL) is ahead of the clock. Zero in production. */
@Entity('billing_clock')
@Check('billing_clock_one_row_check', 'singleton')
export class BillingClock {
  @PrimaryColumn('boolean', { default: true }) singleton!: true;
  @Column('interval', { default: '00:00:00' }) ahead!: string;
}
