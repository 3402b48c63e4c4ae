import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** What clients of the platform offer with a plan. The platform itself asks for none of them. */
export const PLAN_FEATURES = ['voice', 'connectors', 'coding', 'connections', 'file_reader'] as const;
export type PlanFeature = (typeof PLAN_FEATURES)[number];

/** What a plan limits in a period, and of automations how many there are. What is absent is unlimited. */
export const PLAN_LIMITS = ['ai_tokens', 'tool_calls', 'automations'] as const;
export type PlanLimit = (typeof PLAN_LIMITS)[number];

/** A version of a plan. Written once; triggers refuse to change or delete it, since subscriptions were made by it. */
@Entity('plans')
@Check('plans_version_check', 'version >= 1')
@Check('plans_price_check', 'price_cents >= 0')
@Check('plans_interval_check', `"interval" = 'month'`)
@Check('plans_included_tokens_check', 'included_tokens BETWEEN 0 AND 1000000000000')
export class Plan {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'plans_pkey' }) id!: string;
  /** From 1. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'plans_pkey' }) version!: number;
  @Column('text') name!: string;
  /** US cents for an interval; null where a contract says it. */
  @Column('integer', { nullable: true }) priceCents!: number | null;
  @Column('text') interval!: 'month';
  /** Credits that each period brings. */
  @Column('bigint') includedTokens!: string;
  @Column('jsonb') features!: Record<PlanFeature, boolean>;
  @Column('jsonb') limits!: Partial<Record<PlanLimit, number>>;
  /** A plan with a higher one is an upgrade. */
  @Column('integer') rank!: number;
  /** Whether users may take it by themselves. */
  @Column('boolean') selfService!: boolean;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
