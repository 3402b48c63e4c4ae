import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsOneOf, IsPattern, IsQueryInteger, IsText } from '../validators.js';

export const MAX_LOG_WAIT_SECONDS = 20;

export const APP_LOG_LEVELS = ['info', 'warning', 'error'] as const;
export type AppLogLevel = (typeof APP_LOG_LEVELS)[number];

/** What is run of an app. */
export const APP_LOG_KINDS = ['function', 'skeleton', 'webhook', 'schedule', 'event', 'lifecycle', 'health'] as const;
export type AppLogKind = (typeof APP_LOG_KINDS)[number];

export class AppLogsQuery {
  /** The `next` of the answer before. Absent: the latest lines. */
  @IsOptional() @IsPattern(/^[\w-]+$/, { minLength: 1, maxLength: 64 }) after?: string;
  @IsQueryInteger({ minimum: 1, maximum: 500, default: 100 }) limit: number = 100;
  /** Only lines of this level. */
  @IsOptional() @IsOneOf(APP_LOG_LEVELS) level?: AppLogLevel;
  /** Only of runs of this kind: `function`, `webhook`, …. */
  @IsOptional() @IsOneOf(APP_LOG_KINDS) kind?: AppLogKind;
  /** Only of runs of the handler of this name, or of the webhook of this path. */
  @IsOptional() @IsText(256) handler?: string;
  /** Only of the run of this request. */
  @IsOptional() @IsText(128) request_id?: string;
  /** How long to wait for a line where there is none. */
  @IsQueryInteger({ minimum: 0, maximum: MAX_LOG_WAIT_SECONDS, default: 0 }) wait_seconds: number = 0;
}

/** What a run has logged. Values of secrets that it has read are blacked out. */
export class AppLogLine {
  id!: string;
  @ApiProperty({ format: 'date-time' }) at!: string;
  @ApiProperty({ enum: APP_LOG_LEVELS }) level!: AppLogLevel;
  message!: string;
  /** What was run: `function`, `webhook`, …. */
  kind!: string;
  /** Its name, or the path of the webhook. */
  handler!: string;
  request_id!: string | null;
  user_id!: string | null;
}

export class AppLogsResponse {
  /** The oldest first. */
  items!: AppLogLine[];
  /** Where to go on; null while the app has logged nothing. */
  next!: string | null;
}
