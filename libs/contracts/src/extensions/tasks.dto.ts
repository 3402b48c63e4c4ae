import { ApiProperty } from '@nestjs/swagger';
import { CallResponse } from './calls.dto.js';

/** Statuses of a task. `cancelling`: it still runs and was told to stop. */
export const TASK_STATUSES = ['queued', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** A call that continues after its request. */
export class TaskAcceptedResponse {
  task_id!: string;
  @ApiProperty({ enum: TASK_STATUSES }) status!: TaskStatus;
}

export class TaskResponse extends TaskAcceptedResponse {
  app_id!: string;
  function!: string;
  /** Progress in percent, as the function reports it; 100 after success. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 }) progress!: number;
  /** Last progress message of the function; null if there is none. */
  message!: string | null;
  /** Result of the call; null until it has ended, and for a cancelled call. */
  @ApiProperty({ type: CallResponse, nullable: true, required: true }) result!: CallResponse | null;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({ format: 'date-time' }) updated_at!: string;
  @ApiProperty({ format: 'date-time', nullable: true, required: true, type: String }) finished_at!: string | null;
}

export class ActiveTasksResponse {
  /** Tasks that wait or run, newest first. */
  tasks!: TaskResponse[];
}

export class CancelledTaskResponse {
  task_id!: string;
  @ApiProperty({ enum: ['cancelling', 'cancelled'] }) status!: 'cancelling' | 'cancelled';
}
