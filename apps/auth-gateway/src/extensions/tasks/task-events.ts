import type { CallResponse } from '@platform/contracts';
import type { EntityManager } from 'typeorm';
import { publishEvent } from '../../kernel/events/publish-event.js';
import type { TaskRow } from './task-rows.js';

/**
 * Publishes the event `task_update` with the task's state to the task's user, in the transaction
 * `em` that changes the task. A failed task has the error code of its result.
 */
export async function publishTaskUpdate(em: EntityManager, task: TaskRow): Promise<void> {
  const {
    id: task_id,
    status,
    progress,
    message,
    app_id,
    function: name,
    result,
    user_id: userId,
    tenant_id: tenantId,
  } = task;
  const error_code = status === 'failed' && result !== null ? (JSON.parse(result) as CallResponse).error_code : null;
  await publishEvent(em, {
    type: 'task_update',
    tenantId,
    userId,
    data: { task_id, status, progress, message, app_id, function: name, error_code },
  });
}

/**
 * Locks the task's user against account deletion until the transaction ends; does nothing for an
 * unknown task. Call it first in a transaction that changes a task: an account deletion also locks
 * the user before the user's rows.
 */
export async function lockUserOfTask(em: EntityManager, taskId: string): Promise<void> {
  await em.query('SELECT FROM users u JOIN tasks t ON t.user_id = u.id WHERE t.id = $1 FOR KEY SHARE OF u', [taskId]);
}
