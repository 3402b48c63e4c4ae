import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** One row: how far the time of billing (`billing_now()` in SQL) is ahead of the clock. */
@Entity('billing_clock')
@Check('billing_clock_one_row_check', 'singleton')
@Check('billing_clock_fixed_check', "NOT is_fixed OR ahead = '0'")
export class BillingClock {
  @PrimaryColumn('boolean', { default: true }) singleton!: true;
  @Column('interval', { default: '00:00:00' }) ahead!: string;
  /** Whether a gateway in production has run on this database: then the database refuses to move it. */
  @Column('boolean', { default: false }) isFixed!: boolean;
}
