import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The moment before which all actions are in the sums. The table has one row. */
@Entity('action_sums_mark')
@Check('action_sums_mark_one_check', 'id = 1')
export class ActionSumsMark {
  @PrimaryColumn('integer', { default: 1 }) id!: number;
  /** In whole milliseconds, as JavaScript has them. */
  @Column({ type: 'timestamptz', precision: 3 }) summedUntil!: Date;
}
