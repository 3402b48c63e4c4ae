import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsOptional, ValidateBy } from 'class-validator';
import { MAX_CREDITS } from './billing/credits.js';
import { IsTime, IsTimeOrDay } from './moments.js';
import { ACTION_TYPES, type ActionType } from './tool-manifest.js';
import {
  IsAppId,
  IsLine,
  IsOneOf,
  IsPattern,
  IsProse,
  IsQueryInteger,
  IsTenantId,
  IsWholeNumber,
} from './validators.js';

/** Statuses of an action. `success` and `completed` count as successes. */
export const ACTION_STATUSES = ['success', 'completed', 'error', 'failed', 'timeout', 'cancelled', 'rejected'] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];
export const isSuccess = (status: ActionStatus): boolean => status === 'success' || status === 'completed';

const MOST_STEPS = 200;
const MOST_STEPS_CHARACTERS = 64 * 1024;
const OPAQUE = /^[\w.:-]+$/;
const MOST = Number.MAX_SAFE_INTEGER;

const IsOpaqueId = (): PropertyDecorator =>
  IsPattern(OPAQUE, { minLength: 1, maxLength: 128, example: 'act_01h455vb4pex5vsknk084sn02q' });
const IsCount = (fallback?: number): PropertyDecorator => IsWholeNumber(0, MOST, fallback);
const IsPrice = (): PropertyDecorator => IsWholeNumber(0, MAX_CREDITS, 0);

/** A call of a function that a backend made and reports, to be recorded as an action. */
export class ActionCreateRequest {
  /** Id of the call, unique on the platform. A retry with the same id has no second effect. */
  @IsOpaqueId() trace_id!: string;
  /** Id of the user. */
  @IsPattern(/^[\w-]+$/, { minLength: 1, maxLength: 64, example: 'usr_01h455vb4pex5vsknk084sn02q' }) user_id!: string;
  /** Tenant of the user. `default` is accepted for every user. */
  @IsTenantId() tenant_id: string = 'default';
  /** Id of the app. */
  @IsAppId() app_id!: string;
  /** Name of the function. */
  @IsLine(128) tool_name!: string;
  /** Effect of the function. */
  @IsOneOf(ACTION_TYPES) action_type!: ActionType;
  /**
   * Result of the call. Only `success` and `completed` are charged. For every other status the
   * prices are ignored and stored as 0.
   */
  @IsOneOf(ACTION_STATUSES) status!: ActionStatus;
  /** Id of the chain of calls to which the action belongs. */
  @IsOptional() @IsOpaqueId() chain_id?: string | null;
  /** Id of the task that caused the action. */
  @IsOptional() @IsOpaqueId() parent_task_id?: string | null;
  /** Kind of request that caused the action, in the words of the backend. */
  @IsOptional() @IsLine(100) intent_type?: string | null;
  /** Beginning of the user's message that caused the action. */
  @IsOptional() @IsProse(500) message_preview?: string | null;
  /** Beginning of the result. */
  @IsOptional() @IsProse(500) result_preview?: string | null;
  /** Error message of an action without success. */
  @IsOptional() @IsProse(1_000) error?: string | null;
  /** Duration of the call. */
  @IsOptional() @IsCount() duration_ms?: number | null;
  /** AI tokens that the action used. */
  @IsCount(0) tokens_used: number = 0;
  /** Number of heartbeats of the worker. It is stored with the details of the action. */
  @IsCount(0) heartbeat_count: number = 0;
  /**
   * Credits to charge the user: the sum of `extension_price` and `platform_fee`. If the wallet has
   * fewer credits, the rest becomes a debt.
   */
  @IsPrice() action_price: number = 0;
  /**
   * Credits for the function. The developer of the app gets a share of them, unless the developer
   * is the user.
   */
  @IsPrice() extension_price: number = 0;
  /** Credits for the platform, such as for an AI model. */
  @IsPrice() platform_fee: number = 0;
  /** Id of the worker that ran the call. It is stored with the details of the action. */
  @IsOptional() @IsLine(200) worker_id?: string | null;
  /** Provider of the AI model. */
  @IsOptional() @IsLine(100) llm_provider?: string | null;
  /** Name of the AI model. */
  @IsOptional() @IsLine(100) llm_model?: string | null;
  /** Steps of an AI model during the call, in order, as the backend reports them. */
  @IsOptional() @AreSteps() llm_steps?: Record<string, unknown>[] | null;
  /** Number of calls of AI models. */
  @IsCount(0) llm_total_calls: number = 0;
  /**
   * AI tokens that count toward `ai_tokens` of the user's plan. If it is 0, `tokens_used` counts.
   */
  @IsCount(0) llm_total_tokens: number = 0;
  /** Time at which the call ended. */
  @IsOptional() @IsTime() completed_at?: Date | null;
}

export class CreatedAction {
  /** Id of the action. */
  id!: string;
  /** The `trace_id` of the request. */
  trace_id!: string;
}

export class ListActionsQuery {
  /** Only actions with this app. */
  @IsOptional() @IsAppId() app_id?: string;
  /** Only functions with this effect. */
  @IsOptional() @IsOneOf(ACTION_TYPES) action_type?: ActionType;
  /** Only actions with this status. */
  @IsOptional() @IsOneOf(ACTION_STATUSES) status?: ActionStatus;
  /**
   * Only actions at or after this time. A date alone means its start; without a time zone the time
   * is UTC.
   */
  @IsOptional() @IsTimeOrDay() from?: Date;
  /** Only actions before this time. Same formats as `from`. */
  @IsOptional() @IsTimeOrDay() to?: Date;
  /** Only actions with this text in the app id, the name of the function or the error. */
  @IsOptional() @IsLine(100) search?: string;
  /** Number of the page, from 1. */
  @IsQueryInteger({ minimum: 1, maximum: 10_000, default: 1 }) page: number = 1;
  /** Maximum number of items in a page. */
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) per_page: number = 50;
}

/** An action: the record of a call of a function of an app. */
export class ActionResponse {
  /** Id of the action. */
  id!: string;
  /** Id of the call, unique on the platform. */
  trace_id!: string;
  /** Id of the user. */
  user_id!: string;
  /** Id of the tenant. */
  tenant_id!: string;
  /** Id of the app. */
  app_id!: string;
  /** Name of the function. */
  function!: string;
  /** Same as `function`. */
  tool_name!: string;
  /** Null if the app has no function of this name. */
  @ApiProperty({ enum: ACTION_TYPES, nullable: true, required: true, type: String }) action_type!: ActionType | null;
  /**
   * Result of the call.
   * @example success
   */
  status!: string;
  /** Error code for programs; null on success. */
  error_code!: string | null;
  /** Error message for people; null on success. */
  error!: string | null;
  /** Duration of the call; null if it is not known. */
  @ApiProperty({ type: 'integer', nullable: true, required: true }) duration_ms!: number | null;
  /** AI tokens that the action used. */
  @ApiProperty({ type: 'integer' }) tokens_used!: number;
  /** Credits that the call cost: `extension_price` plus `platform_fee`. */
  @ApiProperty({ type: 'integer' }) action_price!: number;
  /** Credits for the function, shared by the developer and the platform. */
  @ApiProperty({ type: 'integer' }) extension_price!: number;
  /** Credits for the platform. */
  @ApiProperty({ type: 'integer' }) platform_fee!: number;
  /** Time of creation. */
  created_at!: Date;
  /** Time at which the call ended; null if it is not known. */
  completed_at!: Date | null;
}

export class ActionDetailResponse extends ActionResponse {
  /**
   * More data about the call: how it was called, its chain of calls, and the steps of an AI model.
   */
  @ApiProperty({ type: 'object', additionalProperties: true }) details!: Record<string, unknown>;
}

export class ActionPageResponse {
  /** Newest first. */
  items!: ActionResponse[];
  /** Number of actions that match. The count stops 1000 actions after this page. */
  @ApiProperty({ type: 'integer' }) total!: number;
  /**
   * False if more actions match than `total` says, or if the period has older actions than the list
   * searches.
   */
  total_is_exact!: boolean;
  /** Number of the page, from 1. */
  @ApiProperty({ type: 'integer' }) page!: number;
  /** Maximum number of items in a page. */
  @ApiProperty({ type: 'integer' }) per_page!: number;
}

export class AppActionCount {
  /** Id of the app. */
  app_id!: string;
  /** Number of actions. */
  @ApiProperty({ type: 'integer' }) actions!: number;
  /** AI tokens that the actions used. */
  @ApiProperty({ type: 'integer' }) tokens_used!: number;
  /** Credits that the actions cost. */
  @ApiProperty({ type: 'integer' }) credits!: number;
}

/**
 * Actions (recorded calls) of a user since the start of the calendar month (UTC). `limit` belongs
 * to the period of the plan, which can start on another day: `GET /v1/billing/usage` has the usage
 * that counts toward it.
 */
export class ActionStatsResponse {
  /** Number of actions. */
  @ApiProperty({ type: 'integer' }) actions!: number;
  /** AI tokens that the actions used. */
  @ApiProperty({ type: 'integer' }) tokens_used!: number;
  /** Credits that the actions cost. */
  @ApiProperty({ type: 'integer' }) credits!: number;
  /** Apps with the most actions first; at most 100. */
  by_app!: AppActionCount[];
  /**
   * Calls that the user can make in a period of the plan: the smaller limit of the plan and the
   * role. 0: no limit.
   */
  @ApiProperty({ type: 'integer' }) limit!: number;
  /** Start of the calendar month (UTC). */
  since!: Date;
}

/** Sums of an app's actions (recorded calls) since `since`, the start of a day (UTC). */
export class AppActionStats {
  /** Id of the app. */
  app_id!: string;
  /** Number of actions. */
  @ApiProperty({ type: 'integer' }) total_actions!: number;
  /** Number of users with at least one action. */
  @ApiProperty({ type: 'integer' }) active_users!: number;
  /** Share of successful actions, from 0 to 1; null without actions. */
  @ApiProperty({ type: 'number', nullable: true, required: true }) success_rate!: number | null;
  /** Average duration; null if no action has a duration. */
  @ApiProperty({ type: 'integer', nullable: true, required: true }) avg_duration_ms!: number | null;
  /** Time from which actions count. */
  since!: Date;
}

export class FunctionActionStats {
  /** Name of the function. */
  function!: string;
  /** Number of actions. */
  @ApiProperty({ type: 'integer' }) total_actions!: number;
  /** Number of actions without success. */
  @ApiProperty({ type: 'integer' }) errors!: number;
  /** Average duration; null if no action has a duration. */
  @ApiProperty({ type: 'integer', nullable: true, required: true }) avg_duration_ms!: number | null;
}

export class ExtensionActionStats extends AppActionStats {
  /**
   * Functions with the most actions first; at most 100. Actions with an unknown function count only
   * in the sums of the app.
   */
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
    ArrayMaxSize(MOST_STEPS, {
      message: `List should have at most ${MOST_STEPS} items`,
      context: { type: 'too_long' },
    }),
    ValidateBy(
      { name: 'areObjects', validator: { validate: (value) => !Array.isArray(value) || value.every(isObject) } },
      { message: 'Each item should be an object', context: { type: 'dict_type' } },
    ),
    ValidateBy(
      {
        name: 'areShort',
        validator: { validate: (value) => JSON.stringify(value ?? null).length <= MOST_STEPS_CHARACTERS },
      },
      {
        message: `The list should have at most ${MOST_STEPS_CHARACTERS} characters as JSON`,
        context: { type: 'too_long' },
      },
    ),
  );
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
