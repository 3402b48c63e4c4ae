import { ApiProperty } from '@nestjs/swagger';
import { CallResponse } from './calls.dto.js';

/** A task waits, runs, or is over; `cancelling` still runs, and is told that nobody wants it any more. */
export const TASK_STATUSES = ['queued', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** A call that goes on after its request. */
export class TaskAcceptedResponse {
  task_id!: string;
  @ApiProperty({ enum: TASK_STATUSES }) status!: TaskStatus;
}

export class TaskResponse extends TaskAcceptedResponse {
  app_id!: string;
  function!: string;
  /** In percent, as the function says it; 100 once it has succeeded. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 }) progress!: number;
  /** What the function said last of what it is at; null for nothing. */
  message!: string | null;
  /** What became of the call; null until it is over, and of a call that was cancelled. */
  @ApiProperty({ type: CallResponse, nullable: true, required: true }) result!: CallResponse | null;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({ format: 'date-time' }) updated_at!: string;
  @ApiProperty({ format: 'date-time', nullable: true, required: true, type: String }) finished_at!: string | null;
}

export class ActiveTasksResponse {
  /** Those that wait or run, the newest first. */
  tasks!: TaskResponse[];
}

export class CancelledTaskResponse {
  task_id!: string;
  @ApiProperty({ enum: ['cancelling', 'cancelled'] }) status!: 'cancelling' | 'cancelled';
}
