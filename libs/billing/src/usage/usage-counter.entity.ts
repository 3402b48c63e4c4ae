import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** As the check says. */
export const MOST_USED = Number.MAX_SAFE_INTEGER;

/**
 * How much a user used in a period of their plan.
 *
 * It refers to the user by no foreign key, whose check would wait for the row of the user, which an erasure holds. Instead, whoever makes a counter locks
 * the row of its user, as the check would, and leaves out whom somebody else has locked. So an erasure, which locks the user before it deletes their counters,
 * leaves none behind.
 */
@Entity('usage_counters')
@Index('usage_counters_period_idx', ['periodStartsAt'])
@Check('usage_counters_meter_check', 'length(meter) BETWEEN 1 AND 200')
@Check('usage_counters_used_check', 'used BETWEEN 0 AND 9007199254740991')
export class UsageCounter {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'usage_counters_pkey' }) userId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'usage_counters_pkey' }) meter!: string;
  @PrimaryColumn('timestamptz', { primaryKeyConstraintName: 'usage_counters_pkey' }) periodStartsAt!: Date;
  @Column('bigint', { default: 0 }) used!: string;
}
