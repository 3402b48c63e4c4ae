import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Time before which the sums contain all actions. The table has one row. */
@Entity('action_sums_mark')
@Check('action_sums_mark_one_check', 'id = 1')
export class ActionSumsMark {
  @PrimaryColumn('integer', { default: 1 }) id!: number;
  /** Milliseconds, the precision of JavaScript dates. */
  @Column({ type: 'timestamptz', precision: 3 }) summedUntil!: Date;
}
