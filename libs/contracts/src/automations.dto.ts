import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsOptional,
  Max,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { AUTOMATION_TRIGGERED, SCHEDULED_EVENT } from './automation-events.js';
import { HasNoIssues, isRecord, type IssueWithin } from './issues-within.js';
import { ActingUserBody } from './acting-user-body.dto.js';
import { APP_INSTALLED, APP_UNINSTALLED } from './runtime/app-event-rules.js';
import { hasAtMost } from './text-lengths.js';
import {
  isAppId,
  IsLine,
  IsOneOf,
  IsProse,
  IsQueryInteger,
  IsText,
  IsTrueOrFalse,
  IsWholeNumber,
} from './validators.js';

/**
 * Statuses of a rule. `error`: the rule failed five times in a row and does not run until it is
 * resumed.
 */
export const RULE_STATUSES = ['active', 'paused', 'error'] as const;
export type RuleStatus = (typeof RULE_STATUSES)[number];

/** Runs about which the owner is notified: all runs, failed runs, or none. */
export const NOTIFY_MODES = ['all', 'failures', 'off'] as const;
export type NotifyMode = (typeof NOTIFY_MODES)[number];

/** Event types that rules can wait for, in addition to the events that active apps declare. */
export const KNOWN_EVENT_TYPES = [
  SCHEDULED_EVENT,
  AUTOMATION_TRIGGERED,
  'billing.plan_changed',
  'billing.subscription_cancelled',
  'billing.topup_initiated',
  'email.received',
  APP_INSTALLED,
  APP_UNINSTALLED,
  'notes.created',
] as const;

export const MAX_RULE_ACTIONS = 10;
const MAX_PROMPT_LENGTH = 2_000;
const MAX_MESSAGE_LENGTH = 1_000;
const MAX_ARGS_LENGTH = 16_384;
const MAX_ARGS_DEPTH = 32;
const WEEK_SECONDS = 604_800;
const MAX_ID = 2_147_483_647;

const IsPrompt = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ minLength: 1, example: 'every day at 09:00: message "Good morning"' }),
    IsProse(MAX_PROMPT_LENGTH),
    MinLength(1, { message: 'String should have at least 1 character' }),
  );

/** Sends a message to the owner. */
export class MessageAction {
  /** Text of the message. Placeholders such as `{{ event.data.x }}` are replaced. */
  message!: string;
}

/** Calls a function on behalf of the owner. */
export class CallAction {
  /** Id of the app. */
  app_id!: string;
  /** Name of the function. */
  tool!: string;
  /**
   * Arguments of the function. Placeholders such as `{{ event.data.x }}` are replaced at any depth.
   */
  @ApiProperty({ type: 'object', additionalProperties: true }) args!: Record<string, unknown>;
}
export type RuleAction = MessageAction | CallAction;

export const isMessage = (action: RuleAction): action is MessageAction => 'message' in action;

/** The value must be a list of `{message}` and `{app_id, tool, args}` objects. */
const AreActions = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'object', additionalProperties: true },
      minItems: 1,
      maxItems: MAX_RULE_ACTIONS,
    }),
    Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key]),
    IsArray({ message: 'Input should be a valid list' }),
    ArrayMinSize(1, { message: 'List should have at least 1 item' }),
    ArrayMaxSize(MAX_RULE_ACTIONS, { message: `List should have at most ${MAX_RULE_ACTIONS} items` }),
    HasNoIssues('areActions', (value) => (Array.isArray(value) ? value.flatMap(actionIssues) : [])),
  );

function actionIssues(action: unknown, at: number): IssueWithin[] {
  const issue = (key: string | null, msg: string, type = 'value_error') => ({
    path: key === null ? [at] : [at, key],
    msg,
    type,
  });
  if (!isRecord(action)) return [issue(null, 'Input should be a valid dictionary', 'dict_type')];
  const allowed = 'message' in action ? ['message'] : ['app_id', 'tool', 'args'];
  const issues = Object.keys(action)
    .filter((key) => !allowed.includes(key))
    .map((key) => issue(key, 'Extra inputs are not permitted', 'extra_forbidden'));
  if ('message' in action) {
    if (!isFilled(MAX_MESSAGE_LENGTH, action['message']))
      issues.push(issue('message', `A message should have 1 to ${MAX_MESSAGE_LENGTH} characters`));
    return issues;
  }
  const { app_id, tool, args = {} } = action;
  if (!isAppId(app_id)) issues.push(issue('app_id', 'Input should be the id of an app'));
  if (!isFilled(128, tool)) issues.push(issue('tool', 'Input should be the name of a function'));
  if (!isRecord(args)) issues.push(issue('args', 'Input should be a valid dictionary', 'dict_type'));
  else if (depthOf(args) > MAX_ARGS_DEPTH)
    issues.push(issue('args', `Input should be at most ${MAX_ARGS_DEPTH} levels deep`));
  else if (JSON.stringify(args).length > MAX_ARGS_LENGTH)
    issues.push(issue('args', `Input should have at most ${MAX_ARGS_LENGTH} characters as JSON`));
  return issues;
}

const isFilled = (max: number, value: unknown): boolean =>
  typeof value === 'string' && value !== '' && hasAtMost(max, value);

/**
 * Number of levels of lists and objects in a value. It counts at most one level more than is
 * allowed.
 */
function depthOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > MAX_ARGS_DEPTH) return depth;
  return Object.values(value).reduce<number>((deepest, inner) => Math.max(deepest, depthOf(inner, depth + 1)), depth);
}

export class RuleCreateRequest extends ActingUserBody {
  /** Condition and action of the rule, in the language of docs/automations.md. */
  @IsPrompt() prompt!: string;
  /** Seconds after a run in which the rule does not run again. */
  @IsWholeNumber(0, WEEK_SECONDS, 60) cooldown_seconds: number = 60;
  /** Maximum number of runs in any hour. */
  @IsWholeNumber(1, 1_000, 10) max_per_hour: number = 10;
  /** Number of runs after which the rule is paused. 0: no limit. */
  @IsWholeNumber(0, 1_000_000, 0) max_iterations: number = 0;
}

/** The event that a rule waits for. */
export class RuleTrigger {
  /**
   * Type of the event.
   * @example notes.created
   */
  @IsLine(150) event_type!: string;
  /**
   * Cron expression in UTC: minute, hour, day of month, month, day of week. Required for
   * `system.scheduled`; not allowed for other events.
   * @example 0 9 * * 1-5
   */
  @IsOptional() @IsText(100) schedule: string | null = null;
}

/** The parts of a rule. Omit `trigger_filter` and `actions` if `prompt` describes them. */
export class RuleDefinition {
  /** Condition and action of the rule, in the language of docs/automations.md. */
  @IsOptional() @IsPrompt() prompt?: string | null;
  /** The event that the rule waits for. */
  @IsOptional()
  @ValidateNested({ message: 'Input should be a valid dictionary' })
  @Type(() => RuleTrigger)
  trigger_filter?: RuleTrigger | null;
  /** Actions, run in this order until one fails. Each is `{message}` or `{app_id, tool, args}`. */
  @IsOptional() @AreActions() actions?: RuleAction[] | null;
  /** Seconds after a run in which the rule does not run again. */
  @IsOptional() @IsWholeNumber(0, WEEK_SECONDS) cooldown_seconds?: number | null;
  /** Maximum number of runs in any hour. */
  @IsOptional() @IsWholeNumber(1, 1_000) max_per_hour?: number | null;
  /** Number of runs after which the rule is paused. 0: no limit. */
  @IsOptional() @IsWholeNumber(0, 1_000_000) max_iterations?: number | null;
  /** Runs about which the owner is notified. */
  @IsOptional() @IsOneOf(NOTIFY_MODES) notify_mode?: NotifyMode | null;
}

export class RuleIdParam {
  /** Id of the rule. */
  @IsQueryInteger({ minimum: 1, maximum: MAX_ID }) rule_id!: number;
}

/** Pages of rules. The default page is large enough for all rules that a plan allows. */
export class ListRulesQuery {
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 200 }) limit: number = 200;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 1_000_000, default: 0 }) offset: number = 0;
}

export const BULK_RULE_ACTIONS = ['pause', 'resume', 'delete'] as const;
export type BulkRuleAction = (typeof BULK_RULE_ACTIONS)[number];

export class BulkRulesRequest {
  /** Action for all selected rules. */
  @IsOneOf(BULK_RULE_ACTIONS) action!: BulkRuleAction;
  /** Ids of the rules. */
  @IsOptional()
  @ApiProperty({ type: [Number], minItems: 1, maxItems: 500 })
  @IsArray({ message: 'Input should be a valid list' })
  @ArrayMinSize(1, { message: 'List should have at least 1 item' })
  @ArrayMaxSize(500, { message: 'List should have at most 500 items' })
  @IsInt({ each: true, message: 'Each item should be a valid integer' })
  @Min(1, { each: true, message: 'Each item should be greater than or equal to 1' })
  @Max(MAX_ID, { each: true, message: `Each item should be less than or equal to ${MAX_ID}` })
  rule_ids?: number[] | null;
  /** True selects every rule of the user, instead of `rule_ids`. */
  @IsOptional() @IsTrueOrFalse() all?: boolean | null;
}

export class RuleResponse {
  /** Id of the rule. */
  @ApiProperty({ type: 'integer' }) id!: number;
  /** User id of the owner. */
  user_id!: string;
  /** Id of the tenant. */
  tenant_id!: string;
  /**
   * Text of the rule as the user wrote it. For a rule that was created only from its parts: the
   * interpretation.
   */
  prompt!: string;
  /** Meaning of the rule as the platform understood it, in at most 200 characters. */
  interpretation!: string;
  /**
   * Status of the rule. `error`: it failed five times in a row and does not run until it is
   * resumed.
   */
  @ApiProperty({ enum: RULE_STATUSES }) status!: RuleStatus;
  /** The event that the rule waits for. */
  trigger_filter!: RuleTrigger;
  /** Actions, run in this order until one fails. Each is `{message}` or `{app_id, tool, args}`. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } }) actions!: RuleAction[];
  /** Seconds after a run in which the rule does not run again. */
  @ApiProperty({ type: 'integer' }) cooldown_seconds!: number;
  /** Maximum number of runs in any hour. */
  @ApiProperty({ type: 'integer' }) max_per_hour!: number;
  /** Number of runs after which the rule is paused. 0: no limit. */
  @ApiProperty({ type: 'integer' }) max_iterations!: number;
  /** Runs about which the owner is notified. */
  @ApiProperty({ enum: NOTIFY_MODES }) notify_mode!: NotifyMode;
  /** Number of runs since the rule was created or last resumed. */
  @ApiProperty({ type: 'integer' }) trigger_count!: number;
  /** Number of successful runs since the rule was created. */
  @ApiProperty({ type: 'integer' }) success_count!: number;
  /** Number of failed runs since the rule was created. */
  @ApiProperty({ type: 'integer' }) fail_count!: number;
  /** Error of the last run; null if it succeeded. */
  last_error!: string | null;
  /** Time of the last run. For a schedule: the time for which it was due. */
  last_triggered!: Date | null;
  /** Next time of the schedule; null for a rule without a schedule or a rule that is not active. */
  next_at!: Date | null;
  /** Time of creation. */
  created_at!: Date;
}

export class RuleStatusResponse {
  /** Id of the rule. */
  @ApiProperty({ type: 'integer' }) id!: number;
  /**
   * Status of the rule. `error`: it failed five times in a row and does not run until it is
   * resumed.
   */
  @ApiProperty({ enum: RULE_STATUSES }) status!: RuleStatus;
}

export class DeletedRuleResponse {
  /** Id of the rule. */
  @ApiProperty({ type: 'integer' }) id!: number;
  /** True if the rule was deleted. */
  deleted!: boolean;
}
