import { Injectable } from '@nestjs/common';
import { truncateText, type CallResponse } from '@platform/contracts';
import type { Narrowing } from '@platform/guards';
import { Outbox } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { keyIsInvalid } from '../../identity/api-keys/invalid-keys.js';
import { failureResponse } from '../calls/function-error.js';
import { lockUserOfTask, publishTaskUpdate } from './task-events.js';
import { START_TIMEOUT, LEASE, MOST_ATTEMPTS, MOST_RESULT_BYTES } from './task-limits.js';
import { TASK_COLUMNS, type TaskRow } from './task-rows.js';
import { TaskFailures } from './tasks.errors.js';

/** A task that a process has begun to run. */
export interface StartedTask extends TaskRow {
  params: string;
  narrowing: Narrowing | null;
  attempts: number;
  is_key_gone: boolean;
}

const LEASE_ENDS = `now() + interval '${LEASE.seconds} seconds'`;
const IS_LOST = "status IN ('running', 'cancelling') AND lease_until < now()";
/** True if the process of the task stopped, and the function can run again. */
const CAN_RUN_AGAIN = `status = 'running' AND lease_until < now() AND is_repeatable AND attempts < ${MOST_ATTEMPTS}`;

/** Changes the status of tasks. Each step is one statement that checks the previous status. */
@Injectable()
export class TaskStatesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Marks the task as running in the run `runId`, and returns it. Null if the task does not exist
   * or is finished, another process runs it, or it must not run again after its process stopped:
   * its function does not only read, it had 3 attempts, or the user cancelled it.
   */
  startTask(id: string, runId: string): Promise<StartedTask | null> {
    return this.changeTask<StartedTask>(
      `UPDATE tasks SET status = 'running', run_id = $2, attempts = attempts + 1, lease_until = ${LEASE_ENDS}, updated_at = now()
       WHERE id = $1 AND (status = 'queued' OR ${CAN_RUN_AGAIN})
       RETURNING ${TASK_COLUMNS}, params, narrowing, attempts, ${keyIsInvalid("narrowing -> 'key'")} AS is_key_gone`,
      [id, runId],
    );
  }

  /**
   * Extends the leases of these runs, which show that their process is alive. Returns the runs that
   * continue; `is_cancelled` is true if the user cancelled the task. For a missing run, the task is
   * finished, has a newer run, or was deleted with its user.
   */
  async renewLeases(runIds: readonly string[]): Promise<{ run_id: string; is_cancelled: boolean }[]> {
    const [rows] = await this.dataSource.query<[{ run_id: string; is_cancelled: boolean }[], number]>(
      `UPDATE tasks SET lease_until = ${LEASE_ENDS} WHERE run_id = ANY ($1) AND finished_at IS NULL
       RETURNING run_id, status = 'cancelling' AS is_cancelled`,
      [runIds],
    );
    return rows;
  }

  /**
   * Ends the task with the answer of its function; does nothing if the task has ended or has a
   * newer run. A cancelled task that failed counts as cancelled, without a result. A result above
   * 256 KiB is stored without its data.
   */
  async finishTask(id: string, runId: string, answer: CallResponse): Promise<void> {
    await this.changeTask(
      `UPDATE tasks SET status = CASE WHEN $3 THEN 'succeeded' WHEN status = 'cancelling' THEN 'cancelled' ELSE 'failed' END,
         result = CASE WHEN $3 OR status <> 'cancelling' THEN $4 END, progress = CASE WHEN $3 THEN 100 ELSE progress END, ${FINISHED_VALUES}
       WHERE id = $1 AND run_id = $2 AND finished_at IS NULL RETURNING ${TASK_COLUMNS}`,
      [id, runId, answer.status === 'success', textOf(answer)],
    );
  }

  /**
   * Returns the milliseconds for which a process still has the task; null if none has it, or if the
   * task is finished.
   */
  async findLeaseMs(id: string): Promise<number | null> {
    const [row] = await this.dataSource.query<{ ms: number }[]>(
      `SELECT extract(epoch FROM lease_until - now())::float8 * 1000 AS ms FROM tasks WHERE id = $1 AND finished_at IS NULL AND lease_until > now()`,
      [id],
    );
    return row?.ms ?? null;
  }

  /**
   * Ends a task whose process stopped and that must not run again: as cancelled if the user
   * cancelled it, else as failed with `TASK_INTERRUPTED`. Does nothing to other tasks.
   */
  async endLostTask(id: string): Promise<void> {
    await this.changeTask(
      `UPDATE tasks SET status = CASE status WHEN 'cancelling' THEN 'cancelled' ELSE 'failed' END,
         result = CASE status WHEN 'cancelling' THEN NULL ELSE $2 END, ${FINISHED_VALUES}
       WHERE id = $1 AND ${IS_LOST} AND NOT (${CAN_RUN_AGAIN}) RETURNING ${TASK_COLUMNS}`,
      [id, textOf(failureResponse(TaskFailures.interrupted()))],
    );
  }

  /**
   * Ends at most 500 tasks that no process runs or will run, which frees their slots: tasks whose
   * lease ended a minute ago, and tasks that waited for an hour. They fail, or count as cancelled
   * if the user cancelled them. A task that can run again has that minute for its job to start it.
   */
  async endAbandonedTasks(): Promise<void> {
    const rows = await this.dataSource.query<{ id: string; status: string }[]>(
      `SELECT id, status FROM tasks WHERE finished_at IS NULL
         AND (lease_until < now() - interval '1 minute' OR (status = 'queued' AND created_at < now() - interval '${START_TIMEOUT}')) LIMIT 500`,
    );
    for (const { id, status } of rows) {
      await this.changeTask(
        `UPDATE tasks SET status = CASE status WHEN 'cancelling' THEN 'cancelled' ELSE 'failed' END,
           result = CASE status WHEN 'cancelling' THEN NULL ELSE $3 END, ${FINISHED_VALUES}
         WHERE id = $1 AND status = $2 AND (lease_until IS NULL OR lease_until < now()) RETURNING ${TASK_COLUMNS}`,
        [
          id,
          status,
          textOf(failureResponse(status === 'queued' ? TaskFailures.notStarted() : TaskFailures.interrupted())),
        ],
      );
    }
  }

  /**
   * Runs the statement, and publishes the changed task in the same transaction. Returns the task;
   * null if the statement changed none.
   */
  private changeTask<Changed extends TaskRow>(
    statement: string,
    values: [id: string, ...unknown[]],
  ): Promise<Changed | null> {
    return this.outbox.transaction(async (em) => {
      await lockUserOfTask(em, values[0]);
      const [[row]] = await em.query<[Changed[], number]>(statement, values);
      if (row) await publishTaskUpdate(em, row);
      return row ?? null;
    });
  }
}

const FINISHED_VALUES = 'params = NULL, lease_until = NULL, updated_at = now(), finished_at = now()';

function textOf(answer: CallResponse): string {
  const text = JSON.stringify(answer);
  if (Buffer.byteLength(text) <= MOST_RESULT_BYTES) return text;
  const { status, summary, error, error_code, retryable } = answer;
  const left = { status, summary, error, error_code, retryable, data: null, ui: null };
  const note = `The answer of the function is longer than ${MOST_RESULT_BYTES / 1024} KiB, so only this part is stored.`;
  return JSON.stringify({ ...left, summary: note, error: error ? truncateText(error, 1_000) : null });
}
