import { Injectable } from '@nestjs/common';
import type { RunProgressRequest, RunProgressResponse } from '@platform/contracts';
import { Outbox, TenantData } from '@platform/persistence';
import { RunGrantsService } from '../run-grants/run-grants.service.js';
import { lockUserOfTask, publishTaskUpdate } from './task-events.js';
import { PROGRESS_EVENT_INTERVAL } from './task-limits.js';
import { TASK_COLUMNS, type TaskRow } from './task-rows.js';
import { TaskErrors } from './tasks.errors.js';

/** Progress of tasks, as their functions report it. */
@Injectable()
export class TaskProgressService {
  constructor(
    private readonly outbox: Outbox,
    private readonly grants: RunGrantsService,
  ) {}

  /**
   * Stores the progress that a function reports for its task, and publishes it at most every 10
   * seconds. `is_cancelled` is true if the task is being cancelled, is finished or was deleted; in
   * the last two cases nothing is stored.
   *
   * @throws AppError 403 `run_grant.*` if the run has ended, or if its app can no longer act for
   * the user; 409 `task.none` if the run belongs to no task.
   */
  async recordProgress({ grant, percent, message }: RunProgressRequest): Promise<RunProgressResponse> {
    const { taskId, tenantId } = await this.grants.authorize(grant);
    if (taskId === undefined) throw TaskErrors.noTask();
    return this.outbox.transaction(async (em) => {
      await lockUserOfTask(em, taskId);
      const [row] = await new TenantData(em, tenantId).query<TaskRow & { is_due: boolean }>(
        `UPDATE tasks SET progress = $2, message = coalesce($3, message), updated_at = now(),
           told_at = CASE WHEN told_at > now() - interval '${PROGRESS_EVENT_INTERVAL}' THEN told_at ELSE now() END
         WHERE tenant_id = $tenant AND id = $1 AND status IN ('running', 'cancelling') RETURNING ${TASK_COLUMNS}, told_at = now() AS is_due`,
        [taskId, percent, message ?? null],
      );
      if (row?.is_due) await publishTaskUpdate(em, row);
      return { is_cancelled: row?.status !== 'running' };
    });
  }
}
