import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsOptional, ValidateBy } from 'class-validator';
import { MAX_CREDITS } from './billing/credits.js';
import { IsTime, IsTimeOrDay } from './moments.js';
import { ACTION_TYPES, type ActionType } from './tool-manifest.js';
import { IsAppId, IsLine, IsOneOf, IsPattern, IsProse, IsQueryInteger, IsTenantId, IsWholeNumber } from './validators.js';

/** What can become of an action; `success` and `completed` count as successes. */
export const ACTION_STATUSES = ['success', 'completed', 'error', 'failed', 'timeout', 'cancelled', 'rejected'] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];
export const isSuccess = (status: ActionStatus): boolean => status === 'success' || status === 'completed';

const MOST_STEPS = 200;
const MOST_STEPS_CHARACTERS = 64 * 1024;
const OPAQUE = /^[\w.:-]+$/;
const MOST = Number.MAX_SAFE_INTEGER;

const IsOpaqueId = (): PropertyDecorator => IsPattern(OPAQUE, { minLength: 1, maxLength: 128, example: 'act_01h455vb4pex5vsknk084sn02q' });
const IsCount = (fallback?: number): PropertyDecorator => IsWholeNumber(0, MOST, fallback);
const IsPrice = (): PropertyDecorator => IsWholeNumber(0, MAX_CREDITS, 0);

/** One call of a function, as whoever made it reports it. */
export class ActionCreateRequest {
  /** Unique on the platform: the same one again changes nothing. */
  @IsOpaqueId() trace_id!: string;
  @IsPattern(/^[\w-]+$/, { minLength: 1, maxLength: 64, example: 'usr_01h455vb4pex5vsknk084sn02q' }) user_id!: string;
  /** Of the user. `default` is taken for it, too. */
  @IsTenantId() tenant_id: string = 'default';
  @IsAppId() app_id!: string;
  @IsLine(128) tool_name!: string;
  @IsOneOf(ACTION_TYPES) action_type!: ActionType;
  /** `success` and `completed` count as successes. What is none costs nothing, whatever the prices say, and is recorded so. */
  @IsOneOf(ACTION_STATUSES) status!: ActionStatus;
  @IsOptional() @IsOpaqueId() chain_id?: string | null;
  @IsOptional() @IsOpaqueId() parent_task_id?: string | null;
  @IsOptional() @IsLine(100) intent_type?: string | null;
  @IsOptional() @IsProse(500) message_preview?: string | null;
  @IsOptional() @IsProse(500) result_preview?: string | null;
  @IsOptional() @IsProse(1_000) error?: string | null;
  @IsOptional() @IsCount() duration_ms?: number | null;
  @IsCount(0) tokens_used: number = 0;
  @IsCount(0) heartbeat_count: number = 0;
  /** Credits that the user is charged, once: `extension_price` and `platform_fee` together. What they do not have becomes a debt. */
  @IsPrice() action_price: number = 0;
  /** Credits for the function. Of these the developer of the app has a share, unless it is the user. */
  @IsPrice() extension_price: number = 0;
  /** Credits for the platform, such as for a model. */
  @IsPrice() platform_fee: number = 0;
  @IsOptional() @IsLine(200) worker_id?: string | null;
  @IsOptional() @IsLine(100) llm_provider?: string | null;
  @IsOptional() @IsLine(100) llm_model?: string | null;
  /** What a model did for it, one after the other, as the backend tells it. */
  @IsOptional() @AreSteps() llm_steps?: Record<string, unknown>[] | null;
  @IsCount(0) llm_total_calls: number = 0;
  /** Counts for `ai_tokens` of the user's plan; where it is 0, `tokens_used` does. */
  @IsCount(0) llm_total_tokens: number = 0;
  @IsOptional() @IsTime() completed_at?: Date | null;
}

export class CreatedAction {
  id!: string;
  trace_id!: string;
}

export class ListActionsQuery {
  @IsOptional() @IsAppId() app_id?: string;
  @IsOptional() @IsOneOf(ACTION_TYPES) action_type?: ActionType;
  @IsOptional() @IsOneOf(ACTION_STATUSES) status?: ActionStatus;
  /** From this moment on. Without a time it is the beginning of the day, and without a time zone UTC. */
  @IsOptional() @IsTimeOrDay() from?: Date;
  /** Before this moment, read as `from`. */
  @IsOptional() @IsTimeOrDay() to?: Date;
  /** A part of the app's id, of the function's name or of the error. */
  @IsOptional() @IsLine(100) search?: string;
  @IsQueryInteger({ minimum: 1, maximum: 10_000, default: 1 }) page: number = 1;
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) per_page: number = 50;
}

/** A call of a function that was made. */
export class ActionResponse {
  id!: string;
  trace_id!: string;
  user_id!: string;
  tenant_id!: string;
  app_id!: string;
  function!: string;
  /** The same as `function`. */
  tool_name!: string;
  /** Null when the app has no such function. */
  @ApiProperty({ enum: ACTION_TYPES, nullable: true, required: true, type: String }) action_type!: ActionType | null;
  /** @example success */
  status!: string;
  /** For a program; null on success. */
  error_code!: string | null;
  /** For a person; null on success. */
  error!: string | null;
  @ApiProperty({ type: 'integer', nullable: true, required: true }) duration_ms!: number | null;
  @ApiProperty({ type: 'integer' }) tokens_used!: number;
  /** Credits that it cost: of the developer and the platform together. */
  @ApiProperty({ type: 'integer' }) action_price!: number;
  @ApiProperty({ type: 'integer' }) extension_price!: number;
  @ApiProperty({ type: 'integer' }) platform_fee!: number;
  created_at!: Date;
  completed_at!: Date | null;
}

export class ActionDetailResponse extends ActionResponse {
  /** What else is known of it: how it was called, of which chain it is a part, and what a model did for it. */
  @ApiProperty({ type: 'object', additionalProperties: true }) details!: Record<string, unknown>;
}

export class ActionPageResponse {
  /** The newest first. */
  items!: ActionResponse[];
  /** How many match; counted up to 1000 beyond this page. */
  @ApiProperty({ type: 'integer' }) total!: number;
  /** False when there are more than `total`, or when the time that is asked for has older actions than those that the list looks at. */
  total_is_exact!: boolean;
  @ApiProperty({ type: 'integer' }) page!: number;
  @ApiProperty({ type: 'integer' }) per_page!: number;
}

export class AppActionCount {
  app_id!: string;
  @ApiProperty({ type: 'integer' }) actions!: number;
  @ApiProperty({ type: 'integer' }) tokens_used!: number;
  @ApiProperty({ type: 'integer' }) credits!: number;
}

/**
 * What a user has done since the calendar month began (UTC). `limit` is of the period of their plan, which may begin on another day: what counts for it
 * is in `GET /v1/billing/usage`.
 */
export class ActionStatsResponse {
  @ApiProperty({ type: 'integer' }) actions!: number;
  @ApiProperty({ type: 'integer' }) tokens_used!: number;
  @ApiProperty({ type: 'integer' }) credits!: number;
  /** The most used first, 100 at most. */
  by_app!: AppActionCount[];
  /** How many calls the plan and the role allow in a period of the plan, the smaller number; 0: any number. */
  @ApiProperty({ type: 'integer' }) limit!: number;
  since!: Date;
}

/** Sums of the actions with an app since `since`, the beginning of a day (UTC). */
export class AppActionStats {
  app_id!: string;
  @ApiProperty({ type: 'integer' }) total_actions!: number;
  @ApiProperty({ type: 'integer' }) active_users!: number;
  /** From 0 to 1; null when there were no actions. */
  @ApiProperty({ type: 'number', nullable: true, required: true }) success_rate!: number | null;
  /** Null when no duration is known. */
  @ApiProperty({ type: 'integer', nullable: true, required: true }) avg_duration_ms!: number | null;
  since!: Date;
}

export class FunctionActionStats {
  function!: string;
  @ApiProperty({ type: 'integer' }) total_actions!: number;
  @ApiProperty({ type: 'integer' }) errors!: number;
  @ApiProperty({ type: 'integer', nullable: true, required: true }) avg_duration_ms!: number | null;
}

export class ExtensionActionStats extends AppActionStats {
  /** The most used first, 100 at most. Calls of names that the app does not have are in the sums alone. */
  by_function!: FunctionActionStats[];
}

function AreSteps(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'object', additionalProperties: true },
      maxItems: MOST_STEPS,
      required: false,
      nullable: true,
    }),
    IsArray({ message: 'Input should be a valid list', context: { type: 'list_type' } }),
    ArrayMaxSize(MOST_STEPS, { message: `List should have at most ${MOST_STEPS} items`, context: { type: 'too_long' } }),
    ValidateBy(
      { name: 'areObjects', validator: { validate: (value) => !Array.isArray(value) || value.every(isObject) } },
      { message: 'Each item should be an object', context: { type: 'dict_type' } },
    ),
    ValidateBy(
      { name: 'areShort', validator: { validate: (value) => JSON.stringify(value ?? null).length <= MOST_STEPS_CHARACTERS } },
      { message: `The list should have at most ${MOST_STEPS_CHARACTERS} characters as JSON`, context: { type: 'too_long' } },
    ),
  );
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
