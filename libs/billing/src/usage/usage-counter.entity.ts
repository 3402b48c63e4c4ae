import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How much a user used in a period of their plan. It refers to the user by no foreign key: see `UsageCounts`. */
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
