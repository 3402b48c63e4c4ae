import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Features that clients offer with a plan. The platform itself checks none of them. */
export const PLAN_FEATURES = ['voice', 'connectors', 'coding', 'connections', 'file_reader'] as const;
export type PlanFeature = (typeof PLAN_FEATURES)[number];

/**
 * Limits of a plan. `automations` limits the number that exist, the others the use in a period.
 * Absent: unlimited.
 */
export const PLAN_LIMITS = ['ai_tokens', 'tool_calls', 'automations'] as const;
export type PlanLimit = (typeof PLAN_LIMITS)[number];

/**
 * Version of a plan. Written once; triggers refuse to change or delete it, because subscriptions
 * refer to it.
 */
@Entity('plans')
@Check('plans_version_check', 'version >= 1')
@Check('plans_price_check', 'price_cents >= 0')
@Check('plans_interval_check', `"interval" = 'month'`)
@Check('plans_included_tokens_check', 'included_tokens BETWEEN 0 AND 1000000000000')
export class Plan {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'plans_pkey' }) id!: string;
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'plans_pkey' }) version!: number;
  @Column('text') name!: string;
  /** US cents per interval; null if a contract sets the price. */
  @Column('integer', { nullable: true }) priceCents!: number | null;
  @Column('text') interval!: 'month';
  /** Credits that each period grants. */
  @Column('bigint') includedTokens!: string;
  @Column('jsonb') features!: Record<PlanFeature, boolean>;
  @Column('jsonb') limits!: Partial<Record<PlanLimit, number>>;
  /** A plan with a higher rank is an upgrade. */
  @Column('integer') rank!: number;
  /** True if clients may offer the plan to users. */
  @Column('boolean') selfService!: boolean;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
