import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { CallResponse } from '@platform/contracts';
import { callerFieldsOfKey, commonScopes, type Narrowing, type UserCaller } from '@platform/guards';
import { JobsService, BroadcastService, Postponed } from '@platform/messaging';
import { Cancellation, LOGGER, newId } from '@platform/platform';
import { ExponentialBackoff, handleAll, retry } from 'cockatiel';
import type { Logger } from 'pino';
import { CONFIG, type Config } from '../../config.js';
import { GatewayCredentialsService } from '../../identity/credentials/gateway-credentials.service.js';
import { CallTargetsService } from '../calls/call-targets.service.js';
import { FunctionCallsService } from '../calls/function-calls.service.js';
import { failureResponse } from '../calls/function-error.js';
import { LEASE, TASK_SECONDS } from './task-limits.js';
import { TaskStatesService, type StartedTask } from './task-states.service.js';
import { TaskFailures } from './tasks.errors.js';
import { taskQueue, taskSweepQueue } from './tasks.jobs.js';
import { TASK_CANCELLED } from './tasks.service.js';

const SWEEP_MS = 30_000;

/** A task that runs in this process. */
interface Running {
  taskId: string;
  /** Aborted when the user cancels the task. */
  cancelled: InstanceType<typeof Cancellation>;
  /** Aborted when the run must end at once, even if it is paid. */
  ended: InstanceType<typeof Cancellation>;
}

/** Runs tasks: calls their functions for their users. */
@Injectable()
export class TasksWorker implements OnModuleDestroy {
  private readonly running = new Map<string, Running>();
  private timer: NodeJS.Timeout | null = null;
  private isStopping = false;
  private readonly again = retry(handleAll, {
    maxAttempts: 6,
    backoff: new ExponentialBackoff({ initialDelay: 200, maxDelay: 2_000 }),
  });

  constructor(
    private readonly states: TaskStatesService,
    private readonly targets: CallTargetsService,
    private readonly functions: FunctionCallsService,
    private readonly credentials: GatewayCredentialsService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    jobs: JobsService,
    broadcast: BroadcastService,
  ) {
    jobs.registerHandlers(taskQueue, { run: ({ task_id }) => this.runTask(task_id) });
    jobs.registerHandlers(taskSweepQueue, { sweep: () => this.states.endAbandonedTasks() });
    jobs.scheduleJob(taskSweepQueue, 'sweep', SWEEP_MS);
    broadcast.subscribe(TASK_CANCELLED, (id) => {
      for (const { taskId, cancelled } of this.running.values()) if (taskId === id) cancelled.abort();
    });
  }

  /** Running tasks get half of the shutdown time to finish; then they are interrupted. */
  onModuleDestroy(): void {
    const endAll = (): void => {
      this.isStopping = true;
      for (const { ended } of this.running.values()) ended.abort();
    };
    setTimeout(endAll, this.config.SHUTDOWN_TIMEOUT_SECONDS * 500).unref();
  }

  /**
   * Runs a task once and stores its result; an error of the function is a result, too. If the
   * process stops, the task runs again only if its function just reads, at most 3 times in all;
   * otherwise it ends as interrupted, because it is unknown which effects it already had.
   *
   * @throws Postponed if another process runs the task, or stopped while it ran the task: the job
   * runs again later.
   */
  private async runTask(id: string): Promise<void> {
    const runId = newId('run');
    const task = await this.states.startTask(id, runId);
    if (!task) return this.postponeOrEnd(id);
    const run: Running = { taskId: id, cancelled: new Cancellation(), ended: new Cancellation() };
    run.ended.addEventListener('abort', () => run.cancelled.abort(), { once: true });
    this.addRun(runId, run);
    try {
      const answer = await this.callFunction(task, run).catch(failureResponse);
      const result =
        run.ended.aborted && answer.status === 'error' ? failureResponse(TaskFailures.interrupted()) : answer;
      await this.again.execute(() => this.states.finishTask(id, runId, result));
    } finally {
      this.running.delete(runId);
    }
  }

  private async postponeOrEnd(id: string): Promise<void> {
    const waitMs = await this.states.findLeaseMs(id);
    if (waitMs !== null)
      throw new Postponed('Another process runs the task, or stopped while it ran the task.', waitMs + 1_000);
    await this.states.endLostTask(id);
  }

  /**
   * Calls the task's function with the scopes that both the user has now and the credential that
   * requested the task had then. The call takes no slot of the concurrency limit of calls, because
   * the queue has its own limit.
   *
   * @throws FunctionError `KEY_GONE` if the API key that requested the task is gone,
   * `TASK_INTERRUPTED` if this is a further attempt and the function no longer only reads; AppError
   * if the user cannot sign in or cannot call the app.
   */
  private async callFunction(task: StartedTask, { cancelled, ended }: Running): Promise<CallResponse> {
    if (task.is_key_gone) throw TaskFailures.keyGone();
    const { id, app_id: appId, function: name, narrowing, attempts } = task;
    const user = withNarrowing(await this.credentials.authenticateActingUser(task.user_id), narrowing);
    const target = await this.targets.getTarget(user, appId);
    // The current version may have changed the type of the function.
    if (attempts > 1 && target.functions.get(name)?.action_type !== 'read') throw TaskFailures.interrupted();
    const call = { function: name, params: JSON.parse(task.params) as Record<string, unknown> };
    return this.functions.callNow(target, call, {
      ...{ via: 'task', user, narrowing, tenantId: user.tenantId, signal: cancelled, chargeKey: `task:${id}` },
      task: { id, seconds: TASK_SECONDS, ended },
    });
  }

  private addRun(runId: string, run: Running): void {
    this.running.set(runId, run);
    if (this.isStopping) run.ended.abort();
    this.timer ??= setInterval(() => void this.renewLeases(), LEASE.renewMs).unref();
  }

  private async renewLeases(): Promise<void> {
    const runIds = [...this.running.keys()];
    if (!runIds.length) {
      if (this.timer) clearInterval(this.timer);
      this.timer = null;
      return;
    }
    try {
      const alive = new Map((await this.states.renewLeases(runIds)).map((row) => [row.run_id, row]));
      for (const runId of runIds) {
        const run = this.running.get(runId);
        const row = alive.get(runId);
        if (!row) run?.ended.abort();
        else if (row.is_cancelled) run?.cancelled.abort();
      }
    } catch (err) {
      this.logger.warn({ err, tasks: runIds.length }, 'could not renew the tasks that run here');
    }
  }
}

function withNarrowing(user: UserCaller, narrowing: Narrowing | null): UserCaller {
  if (!narrowing) return user;
  const { scopes, key } = narrowing;
  return { ...user, scopes: commonScopes(user.scopes, scopes), narrowedTo: scopes, ...callerFieldsOfKey(key) };
}
