import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Single row: how far the billing time (`billing_now()` in SQL) is ahead of the real time. */
@Entity('billing_clock')
@Check('billing_clock_one_row_check', 'singleton')
@Check('billing_clock_fixed_check', "NOT is_fixed OR ahead = '0'")
export class BillingClock {
  @PrimaryColumn('boolean', { default: true }) singleton!: true;
  @Column('interval', { default: '00:00:00' }) ahead!: string;
  /**
   * True if a gateway in production has run on this database. The database then refuses to move the
   * clock.
   */
  @Column('boolean', { default: false }) isFixed!: boolean;
}
