import type { CallResponse, TaskResponse } from '@platform/contracts';
import { columns, type RowOf } from '@platform/persistence';
import { Task } from './task.entity.js';

export const TASK_COLUMNS = columns(Task, [
  'id',
  'userId',
  'tenantId',
  'appId',
  'function',
  'status',
  'progress',
  'message',
  'result',
  'createdAt',
  'updatedAt',
  'finishedAt',
]);
export type TaskRow = RowOf<typeof TASK_COLUMNS>;

export const toTask = (row: TaskRow): TaskResponse => ({
  task_id: row.id,
  status: row.status,
  app_id: row.app_id,
  function: row.function,
  progress: row.progress,
  message: row.message,
  result: row.result === null ? null : (JSON.parse(row.result) as CallResponse),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
});
