import { ApiProperty } from '@nestjs/swagger';
import { IsAppId, IsPattern } from '../validators.js';

/** Statuses of a scheduled run. `skipped`: the previous run had not finished. */
export const SCHEDULE_RUN_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'skipped'] as const;
export type ScheduleRunStatus = (typeof SCHEDULE_RUN_STATUSES)[number];
export const SCHEDULE_RUN_TRIGGERS = ['schedule', 'manual'] as const;
export type ScheduleRunTrigger = (typeof SCHEDULE_RUN_TRIGGERS)[number];

export class SchedulePath {
  /** Id of the app. */
  @IsAppId() app_id!: string;
  /** Name of the schedule. */
  @IsPattern(/^[A-Za-z0-9_][\w-]*$/, { minLength: 1, maxLength: 64 }) name!: string;
}

/** Progress of a run that runs once for each user. */
export class ScheduleRunUsers {
  /** Number of users found so far. */
  @ApiProperty({ type: 'integer' }) total!: number;
  /** Number of users whose run succeeded. */
  @ApiProperty({ type: 'integer' }) succeeded!: number;
  /** Number of users whose run failed. */
  @ApiProperty({ type: 'integer' }) failed!: number;
  /** Users for whom the app cannot act, such as users who have removed it. */
  @ApiProperty({ type: 'integer' }) skipped!: number;
}

export class ScheduleRun {
  /** Id of the run. */
  run_id!: string;
  /** `schedule`: started by the schedule. `manual`: started by a request. */
  @ApiProperty({ enum: SCHEDULE_RUN_TRIGGERS }) trigger!: ScheduleRunTrigger;
  /** Scheduled time; for a manual run, the time of the request. */
  @ApiProperty({ format: 'date-time' }) scheduled_for!: string;
  /** Status of the run. `skipped`: the previous run had not finished. */
  @ApiProperty({ enum: SCHEDULE_RUN_STATUSES }) status!: ScheduleRunStatus;
  /** Number of attempts so far. */
  @ApiProperty({ type: 'integer' }) attempts!: number;
  /** Time at which the run started; null before. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) started_at!: string | null;
  /** Time at which the run ended; null before. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) finished_at!: string | null;
  /** Duration of the last attempt; null if there was none or if it runs once for each user. */
  @ApiProperty({ type: 'integer', nullable: true }) duration_ms!: number | null;
  /** Error of the last attempt; null if it did not fail. */
  error!: string | null;
  /** Counts by user; null unless it runs once for each user. */
  @ApiProperty({ type: ScheduleRunUsers, nullable: true }) users!: ScheduleRunUsers | null;
}

/** A schedule of the version that runs. */
export class AppSchedule {
  /** Name of the schedule. */
  name!: string;
  /** Cron expression with five fields, in UTC. */
  cron!: string;
  /** Collection whose users each get a run; null for a single run. */
  for_each_user!: string | null;
  /** Time of the next run; null while the app is suspended, or if there is none. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true }) next_run_at!: string | null;
  /** Last five runs, newest first. */
  @ApiProperty({ type: [ScheduleRun] }) recent_runs!: ScheduleRun[];
}

export class AppSchedulesResponse {
  /** Schedules, ordered by name. */
  items!: AppSchedule[];
}
