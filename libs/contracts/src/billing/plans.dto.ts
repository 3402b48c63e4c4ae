import { ApiProperty } from '@nestjs/swagger';

const FLAGS = { type: 'object', additionalProperties: { type: 'boolean' } } as const;
const COUNTS = { type: 'object', additionalProperties: { type: 'integer' } } as const;

export const BILLING_MODES = ['card', 'manual', 'free'] as const;
export type BillingMode = (typeof BILLING_MODES)[number];

/** A plan that users can subscribe to now. */
export class PlanResponse {
  /**
   * Id of the plan.
   * @example pro
   */
  id!: string;
  /**
   * Version of the plan's terms. A subscriber keeps the version of the subscription when the plan
   * changes.
   */
  @ApiProperty({ type: 'integer' }) version!: number;
  /** Name of the plan, for people. */
  name!: string;
  /**
   * US dollars per interval. 0 for a free plan, and for `enterprise`, whose price is in a contract.
   */
  price!: number;
  /**
   * Length of a billing period.
   * @example month
   */
  interval!: string;
  /**
   * Credits that the user gets at the beginning of each interval. Unused ones expire at its end.
   */
  @ApiProperty({ type: 'integer' }) included_tokens!: number;
  /** Features of the plan. Clients of the platform decide what each one unlocks. */
  @ApiProperty({
    ...FLAGS,
    example: { voice: true, connectors: true, coding: true, connections: true, file_reader: true },
  })
  features!: Record<string, boolean>;
  /**
   * Limits per interval. `automations` limits the number of existing automations. A limit that is
   * absent is unlimited.
   */
  @ApiProperty({ ...COUNTS, example: { tool_calls: 20_000, automations: 100 } }) limits!: Record<string, number>;
  /** True if users can subscribe without an administrator. */
  self_service!: boolean;
}

/** The plan of a user. A user without a paid plan has the plan `free`. */
export class SubscriptionResponse {
  /**
   * Id of the plan.
   * @example free
   */
  plan!: string;
  /** Version of the plan's terms that applies to the user. */
  @ApiProperty({ type: 'integer' }) plan_version!: number;
  /**
   * Status of the subscription.
   * @example active
   */
  status!: string;
  /** Time at which the subscription started; null for a user who was just created. */
  started_at!: Date | null;
  /**
   * End of the paid time; null for `free`, which does not end. If it is not later than
   * `period_starts_at`, the current period is not paid yet: the platform charges it within an hour,
   * or `POST /v1/billing/renew` charges it now.
   */
  expires_at!: Date | null;
  /** Start of the current period. Limits count from here to `period_ends_at`. */
  period_starts_at!: Date;
  /** End of the current period. */
  period_ends_at!: Date;
  /** True if the user cancelled: the plan ends with the period. */
  cancel_at_period_end!: boolean;
  /**
   * Id of the smaller plan that starts when the period ends; null if no change is scheduled. `POST
   * /v1/billing/resume` cancels the change.
   */
  pending_plan!: string | null;
  /** `card`: a saved card pays. `manual`: the price is in a contract. `free`: nothing to pay. */
  @ApiProperty({ enum: BILLING_MODES }) billing_mode!: BillingMode;
  /** Always false; kept for older clients. */
  card_required!: boolean;
  /** Always null; kept for older clients. */
  @ApiProperty({ type: 'integer', nullable: true, required: true }) contract_amount_cents!: number | null;
  /** Always null; kept for older clients. */
  billing_note!: string | null;
}

/** Usage and limits of a user in the current period of the plan. */
export class LimitsResponse {
  /**
   * Id of the plan.
   * @example free
   */
  plan!: string;
  /** Usage by meter: the name of a counted thing, such as `tool_calls`. */
  @ApiProperty({ ...COUNTS, example: { ai_tokens: 0, tool_calls: 12, automations: 2 } }) usage!: Record<string, number>;
  /**
   * Limits of the plan by meter. The limit of `tool_calls` is the smaller one of the plan and the
   * role. A meter that is absent is unlimited.
   */
  @ApiProperty({ ...COUNTS, example: { tool_calls: 500, automations: 10 } }) limits!: Record<string, number>;
  /** Meters whose limit is used up. */
  exceeded!: string[];
  /**
   * End of the period. Then all meters restart at 0, except counts of existing objects such as
   * `automations`.
   */
  resets_at!: Date;
}
