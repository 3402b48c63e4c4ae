import { Injectable } from '@nestjs/common';
import type {
  ActiveTasksResponse,
  CallRequest,
  CancelledTaskResponse,
  TaskAcceptedResponse,
  TaskResponse,
} from '@platform/contracts';
import { lastingNarrowing, type UserCaller } from '@platform/guards';
import { JobsService, BroadcastService } from '@platform/messaging';
import { RetentionService, Outbox, TenantData } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { lockAccount } from '../../identity/accounts/lock-account.js';
import { UserErrors } from '../../identity/accounts/users.errors.js';
import { AccountDeletionService, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';
import { CallAdmissionService } from '../calls/call-admission.service.js';
import { CallChargesService } from '../calls/call-charges.service.js';
import { CallQuotasService } from '../calls/call-quotas.service.js';
import { CallTargetsService, type CallTarget } from '../calls/call-targets.service.js';
import { assertTenant } from '../calls/calls.service.js';
import { FunctionCallsService } from '../calls/function-calls.service.js';
import { CallRefusal, FunctionError } from '../calls/function-error.js';
import type { CalledFunction } from '../calls/system-extensions.registry.js';
import { publishTaskUpdate } from './task-events.js';
import { MAX_FINISHED_TASKS } from './task-limits.js';
import { TASK_COLUMNS, toTask, type TaskRow } from './task-rows.js';
import { taskQueue } from './tasks.jobs.js';
import { TaskErrors } from './tasks.errors.js';

/** Notification channel for cancelled tasks. */
export const TASK_CANCELLED = 'task-cancelled';

interface NewTask {
  appId: string;
  developerId: string | undefined;
  function: string;
  params: string;
  isRepeatable: boolean;
}

/** Starts, lists and cancels tasks: calls that continue after their request. */
@Injectable()
export class TasksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: JobsService,
    private readonly broadcast: BroadcastService,
    private readonly targets: CallTargetsService,
    private readonly functions: FunctionCallsService,
    private readonly quotas: CallQuotasService,
    private readonly admission: CallAdmissionService,
    private readonly charges: CallChargesService,
    retention: RetentionService,
    accountDeletion: AccountDeletionService,
  ) {
    retention.registerExpiredRows({ table: 'tasks', key: 'id', where: "finished_at < now() - interval '1 day'" });
    accountDeletion.addDataStep(rowsOfUser('tasks'));
  }

  /**
   * Starts a task for a call, and returns its ID and status. Returns null for a function of the
   * platform, a version without a document, and a call that `FunctionCallsService.validateCall`
   * refuses: make the call at once then.
   *
   * @throws AppError 404 or 403 like `CallTargetsService.getTarget` if the user cannot call the
   * app, 403 `other_tenant` if `tenant_id` names another tenant; 402 or 409 if they cannot pay or
   * did not agree to the price; 429 above a rate limit, or `task.too_many` if the user has as many
   * tasks as their role allows.
   */
  async startTask(user: UserCaller, appId: string, request: CallRequest): Promise<TaskAcceptedResponse | null> {
    assertTenant(user, request.tenant_id);
    await this.quotas.consumeOfUser(user);
    const target = await this.targets.getTarget(user, appId);
    const params = request.params ?? {};
    const called = this.findAllowedFunction(target, request, user);
    if (target.isSystem || !target.version || !called) return null;
    const asked = { target, function: request.function, user, fromApp: undefined };
    const refusal = await this.charges.findRefusal(asked, await this.charges.getCurrentPrice(asked));
    if (refusal instanceof CallRefusal) throw refusal.response;
    await this.admission.admit(target, [{ function: request.function, params }], { user });
    const isRepeatable = called.action_type === 'read';
    return this.outbox.transaction((em) =>
      this.insertTask(em, user, {
        appId,
        developerId: target.developer?.id,
        function: request.function,
        params: JSON.stringify(params),
        isRepeatable,
      }),
    );
  }

  async listActive({ userId, tenantId }: UserCaller): Promise<ActiveTasksResponse> {
    const rows = await new TenantData(this.dataSource.manager, tenantId).query<TaskRow>(
      `SELECT ${TASK_COLUMNS} FROM tasks WHERE tenant_id = $tenant AND user_id = $1 AND finished_at IS NULL ORDER BY created_at DESC, id DESC`,
      [userId],
    );
    return { tasks: rows.map(toTask) };
  }

  /**
   * Returns a task of the user, with its result if it is finished.
   *
   * @throws AppError 404 `task.not_found` if it does not exist or belongs to another user.
   */
  async getTask({ userId, tenantId }: UserCaller, id: string): Promise<TaskResponse> {
    const [row] = await new TenantData(this.dataSource.manager, tenantId).query<TaskRow>(
      `SELECT ${TASK_COLUMNS} FROM tasks WHERE tenant_id = $tenant AND user_id = $1 AND id = $2`,
      [userId, id],
    );
    if (!row) throw TaskErrors.notFound();
    return toTask(row);
  }

  /**
   * Cancels a task of the user. A waiting task becomes `cancelled`; a running task becomes
   * `cancelling`, and its process ends it if the call is free. A paid call continues, and can still
   * succeed. A retry changes nothing.
   *
   * @throws AppError 404 `task.not_found` if the task does not exist or belongs to another user;
   * 409 `task.finished` if it has succeeded or failed.
   */
  async cancelTask(user: UserCaller, id: string): Promise<CancelledTaskResponse> {
    const row = await this.outbox.transaction(async (em) => {
      await lockAccount(em, user.userId);
      const [cancelled] = await new TenantData(em, user.tenantId).query<TaskRow>(
        `UPDATE tasks SET updated_at = now(),
           status = CASE status WHEN 'queued' THEN 'cancelled' ELSE 'cancelling' END,
           finished_at = CASE status WHEN 'queued' THEN now() END,
           params = CASE status WHEN 'queued' THEN NULL ELSE params END
         WHERE tenant_id = $tenant AND user_id = $1 AND id = $2 AND status IN ('queued', 'running') RETURNING ${TASK_COLUMNS}`,
        [user.userId, id],
      );
      if (cancelled) await publishTaskUpdate(em, cancelled);
      return cancelled;
    });
    if (row?.status === 'cancelling') await this.broadcast.publish(TASK_CANCELLED, [id]);
    const status = row?.status ?? (await this.getTask(user, id)).status;
    if (status !== 'cancelling' && status !== 'cancelled') throw TaskErrors.finished();
    return { task_id: id, status };
  }

  /**
   * Returns the called function; null if `FunctionCallsService.validateCall` refuses the call. The
   * caller then makes the call at once, which answers with the refusal.
   */
  private findAllowedFunction(target: CallTarget, call: CallRequest, user: UserCaller): CalledFunction | null {
    try {
      return this.functions.validateCall(target, call, { user });
    } catch (error) {
      if (error instanceof FunctionError) return null;
      throw error;
    }
  }

  /**
   * Inserts a task with a free slot of the user, enqueues its job, and deletes the user's oldest
   * finished tasks beyond 100. The lock of the user admits one insertion at a time, so that two
   * tasks do not take the same slot.
   *
   * @throws AppError 404 `user.not_found` for a deleted user; 429 `task.too_many` if all slots of
   * the user's role are taken.
   */
  private async insertTask(em: EntityManager, user: UserCaller, task: NewTask): Promise<TaskAcceptedResponse> {
    const { userId } = user;
    const tenant = new TenantData(em, user.tenantId);
    const [role] = await tenant.query<{ max_concurrent_tasks: number }>(
      `SELECT r.max_concurrent_tasks FROM users u JOIN roles r ON r.tenant_id = u.tenant_id AND r.name = u.role
       WHERE u.tenant_id = $tenant AND u.id = $1 AND u.erased_at IS NULL FOR NO KEY UPDATE OF u`,
      [userId],
    );
    if (!role) throw UserErrors.notFound();
    const limit = role.max_concurrent_tasks;
    const narrowing = lastingNarrowing(user);
    const [row] = await tenant.query<TaskRow>(
      `INSERT INTO tasks (id, user_id, tenant_id, app_id, function, params, narrowing, is_repeatable, slot)
       SELECT $1, $2, $tenant, $3, $4, $5, $6, $7, min(place) FROM generate_series(1, $8::int) AS place
       WHERE place NOT IN (SELECT slot FROM tasks WHERE user_id = $2 AND finished_at IS NULL)
       HAVING (SELECT count(*) FROM tasks WHERE user_id = $2 AND finished_at IS NULL) < $8::int
       RETURNING ${TASK_COLUMNS}`,
      [
        newId('tsk'),
        userId,
        task.appId,
        task.function,
        task.params,
        narrowing && JSON.stringify(narrowing),
        task.isRepeatable,
        limit,
      ],
    );
    if (!row) throw TaskErrors.tooMany(limit);
    await tenant.query(
      `DELETE FROM tasks WHERE id IN (SELECT id FROM tasks WHERE tenant_id = $tenant AND user_id = $1 AND finished_at IS NOT NULL
         ORDER BY finished_at DESC OFFSET ${MAX_FINISHED_TASKS} LIMIT ${MAX_FINISHED_TASKS})`,
      [userId],
    );
    await publishTaskUpdate(em, row);
    await this.jobs.enqueue(em, taskQueue, 'run', { task_id: row.id, owner: task.developerId ?? row.app_id });
    return { task_id: row.id, status: row.status };
  }
}
