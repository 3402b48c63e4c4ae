import { Injectable } from '@nestjs/common';
import { beginningOf, type CallResponse } from '@platform/contracts';
import type { Narrowing } from '@platform/guards';
import { Outbox } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { keyIsGone } from '../../identity/api-keys/key-is-gone.js';
import { failed } from '../calls/function-error.js';
import { lockUserOfTask, publishTaskUpdate } from './task-events.js';
import { BEGINS_WITHIN, LEASE, MOST_ATTEMPTS, MOST_RESULT_BYTES } from './task-limits.js';
import { TASK_COLUMNS, type TaskRow } from './task-rows.js';
import { TaskFailures } from './tasks.errors.js';

/** A task that a process has begun to run. */
export interface BegunTask extends TaskRow {
  params: string;
  narrowing: Narrowing | null;
  attempts: number;
  is_key_gone: boolean;
}

const LEASE_ENDS = `now() + interval '${LEASE.seconds} seconds'`;
const IS_LOST = "status IN ('running', 'cancelling') AND lease_until < now()";
/** The process that ran it has ended, and the function may run again. */
const IS_AGAIN = `status = 'running' AND lease_until < now() AND is_repeatable AND attempts < ${MOST_ATTEMPTS}`;

/** How tasks go from one status to the next, each step by one statement that says from which. */
@Injectable()
export class TaskStates {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
  ) {}

  /** Null where it is over, another process runs it, or it must not run again. */
  begin(id: string, runId: string): Promise<BegunTask | null> {
    return this.change<BegunTask>(
      `UPDATE tasks SET status = 'running', run_id = $2, attempts = attempts + 1, lease_until = ${LEASE_ENDS}, updated_at = now()
       WHERE id = $1 AND (status = 'queued' OR ${IS_AGAIN})
       RETURNING ${TASK_COLUMNS}, params, narrowing, attempts, ${keyIsGone("narrowing -> 'key'")} AS is_key_gone`,
      [id, runId],
    );
  }

  /** Those of these runs that go on; the others are over, or the user is gone. */
  async renew(runIds: readonly string[]): Promise<{ run_id: string; is_cancelled: boolean }[]> {
    const [rows] = await this.dataSource.query<[{ run_id: string; is_cancelled: boolean }[], number]>(
      `UPDATE tasks SET lease_until = ${LEASE_ENDS} WHERE run_id = ANY ($1) AND finished_at IS NULL
       RETURNING run_id, status = 'cancelling' AS is_cancelled`,
      [runIds],
    );
    return rows;
  }

  /** What became of it, from the run that has it. What failed when nobody wanted it any more was cancelled. */
  async finish(id: string, runId: string, answer: CallResponse): Promise<void> {
    await this.change(
      `UPDATE tasks SET status = CASE WHEN $3 THEN 'succeeded' WHEN status = 'cancelling' THEN 'cancelled' ELSE 'failed' END,
         result = CASE WHEN $3 OR status <> 'cancelling' THEN $4 END, progress = CASE WHEN $3 THEN 100 ELSE progress END, ${OVER}
       WHERE id = $1 AND run_id = $2 AND finished_at IS NULL RETURNING ${TASK_COLUMNS}`,
      [id, runId, answer.status === 'success', textOf(answer)],
    );
  }

  /** For how long another process has it, in milliseconds; null where none does. */
  async leasedFor(id: string): Promise<number | null> {
    const [row] = await this.dataSource.query<{ ms: number }[]>(
      `SELECT extract(epoch FROM lease_until - now())::float8 * 1000 AS ms FROM tasks WHERE id = $1 AND finished_at IS NULL AND lease_until > now()`,
      [id],
    );
    return row?.ms ?? null;
  }

  /** The process that ran it has ended, and it does not run again. */
  async giveUp(id: string): Promise<void> {
    await this.change(
      `UPDATE tasks SET status = CASE status WHEN 'cancelling' THEN 'cancelled' ELSE 'failed' END,
         result = CASE status WHEN 'cancelling' THEN NULL ELSE $2 END, ${OVER}
       WHERE id = $1 AND ${IS_LOST} AND NOT (${IS_AGAIN}) RETURNING ${TASK_COLUMNS}`,
      [id, textOf(failed(TaskFailures.interrupted()))],
    );
  }

  /** Those that nobody runs, nor will: their places are free again. A task that may run again has a minute for its job to come again. */
  async sweep(): Promise<void> {
    const rows = await this.dataSource.query<{ id: string; status: string }[]>(
      `SELECT id, status FROM tasks WHERE finished_at IS NULL
         AND (lease_until < now() - interval '1 minute' OR (status = 'queued' AND created_at < now() - interval '${BEGINS_WITHIN}')) LIMIT 500`,
    );
    for (const { id, status } of rows) {
      await this.change(
        `UPDATE tasks SET status = CASE status WHEN 'cancelling' THEN 'cancelled' ELSE 'failed' END,
           result = CASE status WHEN 'cancelling' THEN NULL ELSE $3 END, ${OVER}
         WHERE id = $1 AND status = $2 AND (lease_until IS NULL OR lease_until < now()) RETURNING ${TASK_COLUMNS}`,
        [id, status, textOf(failed(status === 'queued' ? TaskFailures.notStarted() : TaskFailures.interrupted()))],
      );
    }
  }

  /** Publishes what has changed, with it. */
  private change<Changed extends TaskRow>(statement: string, values: [id: string, ...unknown[]]): Promise<Changed | null> {
    return this.outbox.transaction(async (em) => {
      await lockUserOfTask(em, values[0]);
      const [[row]] = await em.query<[Changed[], number]>(statement, values);
      if (row) await publishTaskUpdate(em, row);
      return row ?? null;
    });
  }
}

const OVER = 'params = NULL, lease_until = NULL, updated_at = now(), finished_at = now()';

function textOf(answer: CallResponse): string {
  const text = JSON.stringify(answer);
  if (Buffer.byteLength(text) <= MOST_RESULT_BYTES) return text;
  const { status, summary, error, error_code, retryable } = answer;
  const left = { status, summary, error, error_code, retryable, data: null, ui: null };
  const note = `What the function answered is longer than ${MOST_RESULT_BYTES / 1024} KiB, so only this is kept of it.`;
  return JSON.stringify({ ...left, summary: note, error: error ? beginningOf(error, 1_000) : null });
}
