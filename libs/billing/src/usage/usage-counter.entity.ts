import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** As the check says. */
export const MOST_USED = Number.MAX_SAFE_INTEGER;

/**
 * How much a user used in a period of their plan.
 *
 * It has no foreign key to the user: the check of one would wait for the user's row while an erasure holds it. Instead, whoever inserts a counter locks
 * that row first. Batches skip users who are locked; all others wait. An erasure locks the user before it deletes the counters, so none is left.
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
