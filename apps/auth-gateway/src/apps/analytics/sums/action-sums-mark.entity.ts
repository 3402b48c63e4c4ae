import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Time before which the daily sums contain all actions (records of calls of functions). The table
 * has one row.
 */
@Entity('action_sums_mark')
@Check('action_sums_mark_one_check', 'id = 1')
export class ActionSumsMark {
  @PrimaryColumn('integer', { default: 1 }) id!: number;
  /** Milliseconds, the precision of JavaScript dates. */
  @Column({ type: 'timestamptz', precision: 3 }) summedUntil!: Date;
}
