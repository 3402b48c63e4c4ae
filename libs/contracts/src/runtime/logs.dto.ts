import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsOneOf, IsPattern, IsQueryInteger, IsText } from '../validators.js';

export const MAX_LOG_WAIT_SECONDS = 20;

export const APP_LOG_LEVELS = ['info', 'warning', 'error'] as const;
export type AppLogLevel = (typeof APP_LOG_LEVELS)[number];

/** Kinds of runs of an app. */
export const APP_LOG_KINDS = ['function', 'skeleton', 'webhook', 'schedule', 'event', 'lifecycle', 'health'] as const;
export type AppLogKind = (typeof APP_LOG_KINDS)[number];

export class AppLogsQuery {
  /** The `next` of the previous answer. Absent: the latest lines. */
  @IsOptional() @IsPattern(/^[\w-]+$/, { minLength: 1, maxLength: 64 }) after?: string;
  /** Maximum number of lines in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 100 }) limit: number = 100;
  /** Only lines of this level. */
  @IsOptional() @IsOneOf(APP_LOG_LEVELS) level?: AppLogLevel;
  /** Only lines of this kind of run, such as `function` or `webhook`. */
  @IsOptional() @IsOneOf(APP_LOG_KINDS) kind?: AppLogKind;
  /** Only lines of the handler with this name, or of the webhook with this path. */
  @IsOptional() @IsText(256) handler?: string;
  /** Only lines of the run of this request. */
  @IsOptional() @IsText(128) request_id?: string;
  /** Seconds to wait for a new line if there is none. */
  @IsQueryInteger({ minimum: 0, maximum: MAX_LOG_WAIT_SECONDS, default: 0 }) wait_seconds: number = 0;
}

/** A log line of a run. Values of secrets that the run has read are masked. */
export class AppLogLine {
  /** Id of the line. */
  id!: string;
  /** Time of the line. */
  @ApiProperty({ format: 'date-time' }) at!: string;
  /** Level of the line. */
  @ApiProperty({ enum: APP_LOG_LEVELS }) level!: AppLogLevel;
  /** Text of the line. */
  message!: string;
  /** Kind of the run, such as `function` or `webhook`. */
  kind!: string;
  /** Name of the handler, or path of the webhook. */
  handler!: string;
  /** Id of the request that started the run; null without a request. */
  request_id!: string | null;
  /** User of the run; null without a user. */
  user_id!: string | null;
}

export class AppLogsResponse {
  /** Oldest first. */
  items!: AppLogLine[];
  /** Value of `after` for the next request; null if the app has logged nothing yet. */
  next!: string | null;
}
