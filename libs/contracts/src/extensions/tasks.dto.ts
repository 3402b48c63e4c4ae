import { ApiProperty } from '@nestjs/swagger';
import { CallResponse } from './calls.dto.js';

/** Statuses of a task. `cancelling`: it still runs and was told to stop. */
export const TASK_STATUSES = ['queued', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** A call that continues after its request. */
export class TaskAcceptedResponse {
  /** Id of the task. */
  task_id!: string;
  /** Status of the task. `cancelling`: it still runs and was told to stop. */
  @ApiProperty({ enum: TASK_STATUSES }) status!: TaskStatus;
}

export class TaskResponse extends TaskAcceptedResponse {
  /** Id of the app. */
  app_id!: string;
  /** Name of the function. */
  function!: string;
  /** Progress in percent, as the function reports it; 100 after success. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 }) progress!: number;
  /** Last progress message of the function; null if there is none. */
  message!: string | null;
  /** Result of the call; null until it has ended, and for a cancelled call. */
  @ApiProperty({ type: CallResponse, nullable: true, required: true }) result!: CallResponse | null;
  /** Time of creation. */
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  /** Time of the last change. */
  @ApiProperty({ format: 'date-time' }) updated_at!: string;
  /** Time at which the task ended; null before. */
  @ApiProperty({ format: 'date-time', nullable: true, required: true, type: String }) finished_at!: string | null;
}

export class ActiveTasksResponse {
  /** Tasks that wait or run, newest first. */
  tasks!: TaskResponse[];
}

export class CancelledTaskResponse {
  /** Id of the task. */
  task_id!: string;
  /** `cancelled`, or `cancelling` while the function still runs. */
  @ApiProperty({ enum: ['cancelling', 'cancelled'] }) status!: 'cancelling' | 'cancelled';
}
