import { ApiProperty } from '@nestjs/swagger';
import { IsAppId, IsPattern } from '../validators.js';

/** `skipped`: the run before it was not finished. */
export const SCHEDULE_RUN_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'skipped'] as const;
export type ScheduleRunStatus = (typeof SCHEDULE_RUN_STATUSES)[number];
export const SCHEDULE_RUN_TRIGGERS = ['schedule', 'manual'] as const;
export type ScheduleRunTrigger = (typeof SCHEDULE_RUN_TRIGGERS)[number];

export class SchedulePath {
  @IsAppId() app_id!: string;
  @IsPattern(/^[A-Za-z0-9_][\w-]*$/, { minLength: 1, maxLength: 64 }) name!: string;
}

/** Of a run for each user. */
export class ScheduleRunUsers {
  /** As many as were found until now. */
  @ApiProperty({ type: 'integer' }) total!: number;
  @ApiProperty({ type: 'integer' }) succeeded!: number;
  @ApiProperty({ type: 'integer' }) failed!: number;
  /** For whom the app may not act, such as those who have removed it. */
  @ApiProperty({ type: 'integer' }) skipped!: number;
}

export class ScheduleRun {
  run_id!: string;
  @ApiProperty({ enum: SCHEDULE_RUN_TRIGGERS }) trigger!: ScheduleRunTrigger;
  /** By the schedule; of a run that was asked for, when that was. */
  @ApiProperty({ format: 'date-time' }) scheduled_for!: string;
  @ApiProperty({ enum: SCHEDULE_RUN_STATUSES }) status!: ScheduleRunStatus;
  @ApiProperty({ type: 'integer' }) attempts!: number;
  /** Null before it began. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) started_at!: string | null;
  /** Null before it was finished. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) finished_at!: string | null;
  /** Of the last attempt; null where there was none, or one for each user. */
  @ApiProperty({ type: 'integer', nullable: true }) duration_ms!: number | null;
  /** Why the last attempt failed; null when it did not. */
  error!: string | null;
  /** Null unless it is a run for each user. */
  @ApiProperty({ type: ScheduleRunUsers, nullable: true }) users!: ScheduleRunUsers | null;
}

/** A schedule of the version that runs. */
export class AppSchedule {
  name!: string;
  /** Five fields, UTC. */
  cron!: string;
  /** The collection whose users each get a run of their own; null for one run. */
  for_each_user!: string | null;
  /** Null while the app is suspended, and when there will be none. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) next_run_at!: string | null;
  /** The last five, the newest first. */
  @ApiProperty({ type: [ScheduleRun] }) recent_runs!: ScheduleRun[];
}

export class AppSchedulesResponse {
  /** By name. */
  items!: AppSchedule[];
}
