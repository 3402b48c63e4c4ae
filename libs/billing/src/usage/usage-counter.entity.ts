import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Upper bound of the check constraint. */
export const MOST_USED = Number.MAX_SAFE_INTEGER;

/**
 * Use of a meter by a user in a period of the user's plan.
 *
 * It has no foreign key to the user, because checking one would wait for the user's row during
 * account deletion. Instead, each transaction that inserts a counter locks that row first. Batches
 * skip locked users; all others wait. Account deletion locks the user before it deletes the
 * counters, so none is left.
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
