import { ApiProperty } from '@nestjs/swagger';

const FLAGS = { type: 'object', additionalProperties: { type: 'boolean' } } as const;
const COUNTS = { type: 'object', additionalProperties: { type: 'integer' } } as const;

export const BILLING_MODES = ['card', 'manual', 'free'] as const;
export type BillingMode = (typeof BILLING_MODES)[number];

/** A plan as it is sold now. */
export class PlanResponse {
  /** @example pro */
  id!: string;
  /** Who has the plan keeps the version that they took. */
  @ApiProperty({ type: 'integer' }) version!: number;
  name!: string;
  /** US dollars for an interval. 0 as well where a contract says the price: of `enterprise`. */
  price!: number;
  /** @example month */
  interval!: string;
  /** Credits that each interval brings. What is left of them is gone when the next begins. */
  @ApiProperty({ type: 'integer' }) included_tokens!: number;
  /** What clients of the platform offer with it. */
  @ApiProperty({ ...FLAGS, example: { voice: true, connectors: true, coding: true, connections: true, file_reader: true } })
  features!: Record<string, boolean>;
  /** For an interval; of automations how many there are. What is absent is unlimited. */
  @ApiProperty({ ...COUNTS, example: { tool_calls: 20_000, automations: 100 } }) limits!: Record<string, number>;
  /** Whether users may take it by themselves. */
  self_service!: boolean;
}

/** The plan of a user. Everybody has one; who has no other has `free`. */
export class SubscriptionResponse {
  /** @example free */
  plan!: string;
  @ApiProperty({ type: 'integer' }) plan_version!: number;
  /** @example active */
  status!: string;
  /** Null for a user who has just been made. */
  started_at!: Date | null;
  /**
   * Until when it is paid; null for `free`, which has no end. It is not after `period_starts_at` where the period of now is still to be paid: by itself within the hour, or
   * by `POST /v1/billing/renew`.
   */
  expires_at!: Date | null;
  /** Limits count from here to the end of the period. */
  period_starts_at!: Date;
  period_ends_at!: Date;
  /** Whether it ends with the period. */
  cancel_at_period_end!: boolean;
  /** The smaller plan that it becomes when the period ends; null where it stays. `POST /v1/billing/resume` takes that back. */
  pending_plan!: string | null;
  /** `manual` is by contract. */
  @ApiProperty({ enum: BILLING_MODES }) billing_mode!: BillingMode;
  /** Whether it needs a card that there is not. */
  card_required!: boolean;
  @ApiProperty({ type: 'integer', nullable: true, required: true }) contract_amount_cents!: number | null;
  billing_note!: string | null;
}

/** What a user has used in the period of their plan, and may use. */
export class LimitsResponse {
  /** @example free */
  plan!: string;
  /** By meters. */
  @ApiProperty({ ...COUNTS, example: { ai_tokens: 0, tool_calls: 12, automations: 2 } }) usage!: Record<string, number>;
  /** Of the plan, and of `tool_calls` that of the role where it is smaller. What is absent is unlimited. */
  @ApiProperty({ ...COUNTS, example: { tool_calls: 500, automations: 10 } }) limits!: Record<string, number>;
  /** The meters of which nothing is left. */
  exceeded!: string[];
  /** When the period ends, and all but what there is of something counts from 0. */
  resets_at!: Date;
}
