import { Injectable } from '@nestjs/common';
import type { ScheduleRun, ScheduleRunTrigger } from '@platform/contracts';
import { JobsService } from '@platform/messaging';
import { columns, deleteExpired, RetentionService, type RowOf } from '@platform/persistence';
import { newId } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { StoredScheduleRun } from './stored-schedule-run.entity.js';
import { scheduleQueue } from './schedules.jobs.js';

const RETENTION = '14 days';

const COLUMNS = columns(StoredScheduleRun, [
  'id',
  'trigger',
  'scheduledFor',
  'status',
  'attempts',
  'startedAt',
  'finishedAt',
  'durationMs',
  'error',
  'forEachUser',
  'usersTotal',
  'usersSucceeded',
  'usersFailed',
  'usersSkipped',
]);
type StoredRun = RowOf<typeof COLUMNS>;

export interface NewRun {
  appId: string;
  name: string;
  forEachUser: string | null;
  trigger: ScheduleRunTrigger;
  scheduledFor: Date;
}

/** Runs of schedules: unfinished ones, and those of the last 14 days. */
@Injectable()
export class ScheduleRunsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    retention: RetentionService,
  ) {
    retention.registerPreparation(() => this.failLostRuns());
    retention.registerExpiredRows(() => this.deleteOldRuns());
  }

  /**
   * Adds a run with its job, and returns it. Returns null if the schedule already has a run for
   * this time, or an unfinished run with the same trigger (`schedule` or `manual`).
   */
  async createRun(
    em: EntityManager,
    { appId, name, forEachUser, trigger, scheduledFor }: NewRun,
  ): Promise<ScheduleRun | null> {
    const id = newId('srn');
    const [row] = await em.query<StoredRun[]>(
      `INSERT INTO schedule_runs (id, app_id, name, for_each_user, trigger, scheduled_for)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
      [id, appId, name, forEachUser, trigger, scheduledFor],
    );
    if (!row) return null;
    const jobId = await this.jobs.enqueue(em, scheduleQueue, 'run', { run_id: id, app_id: appId });
    await em.query('UPDATE schedule_runs SET job_id = $2 WHERE id = $1', [id, jobId]);
    return toRun(row);
  }

  /**
   * Records that no run started at a time, because the previous one was not finished. Does nothing
   * if there is a run for this time.
   */
  async recordSkippedRun(
    em: EntityManager,
    { appId, name, forEachUser, trigger, scheduledFor }: NewRun,
  ): Promise<void> {
    await em.query(
      `INSERT INTO schedule_runs (id, app_id, name, for_each_user, trigger, scheduled_for, status, finished_at, error)
       VALUES ($1, $2, $3, $4, $5, $6, 'skipped', now(), 'The run before it was not finished.') ON CONFLICT DO NOTHING`,
      [newId('srn'), appId, name, forEachUser, trigger, scheduledFor],
    );
  }

  /** Up to `limit` runs of each schedule of an app, by the name of the schedule, newest first. */
  async listRecentRuns(
    appId: string,
    names: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, ScheduleRun[]>> {
    const rows = await this.dataSource.query<(StoredRun & { schedule: string })[]>(
      `SELECT s.name AS schedule, r.* FROM unnest($2::text[]) AS s(name) CROSS JOIN LATERAL (
         SELECT ${COLUMNS} FROM schedule_runs WHERE app_id = $1 AND name = s.name ORDER BY id DESC LIMIT $3) r
       ORDER BY r.id DESC`,
      [appId, names, limit],
    );
    const runs = new Map<string, ScheduleRun[]>(names.map((name) => [name, []]));
    for (const { schedule, ...row } of rows) runs.get(schedule)?.push(toRun(row));
    return runs;
  }

  /** Deletes a batch of runs that finished more than 14 days ago. Returns how many. */
  deleteOldRuns(): Promise<number> {
    const where = `finished_at < now() - interval '${RETENTION}' ORDER BY finished_at`;
    return deleteExpired(this.dataSource, { table: 'schedule_runs', key: 'id', where });
  }

  /**
   * Marks unfinished runs, and unfinished runs for single users, as failed if their job has failed
   * for good or is no longer in the outbox. Then finishes the runs for each user in which no user
   * is left.
   */
  async failLostRuns(): Promise<void> {
    const lost = (job: string) => `NOT EXISTS (SELECT FROM outbox WHERE outbox.id = ${job} AND failed_at IS NULL)`;
    await this.dataSource.query(
      `UPDATE schedule_runs SET status = 'failed', finished_at = now(), error = coalesce(error, 'Its job was lost.')
       WHERE status IN ('pending', 'running') AND (for_each_user IS NULL OR NOT has_all_users) AND ${lost('job_id')}`,
    );
    await this.dataSource.query(
      `WITH given_up AS (
         UPDATE schedule_user_runs SET status = 'failed', error = coalesce(error, 'Its job was lost.')
         WHERE status IN ('pending', 'running') AND ${lost('job_id')} RETURNING run_id
       ), counted AS (SELECT run_id, count(*)::int AS users FROM given_up GROUP BY run_id)
       UPDATE schedule_runs SET users_failed = users_failed + users FROM counted WHERE id = run_id`,
    );
    await this.finishRuns(null);
  }

  /**
   * Finishes a run for each user, or all of them if `id` is null, when all users were found and all
   * their runs have ended: as failed if the run of any user failed, otherwise as succeeded.
   */
  async finishRuns(id: string | null): Promise<void> {
    await this.dataSource.query(
      `UPDATE schedule_runs SET status = CASE WHEN users_failed > 0 THEN 'failed' ELSE 'succeeded' END, finished_at = now()
       WHERE status = 'running' AND has_all_users AND users_succeeded + users_failed + users_skipped = users_total AND ($1::text IS NULL OR id = $1)`,
      [id],
    );
  }
}

function toRun({
  id,
  scheduled_for,
  started_at,
  finished_at,
  for_each_user,
  users_total,
  users_succeeded,
  users_failed,
  users_skipped,
  ...run
}: StoredRun): ScheduleRun {
  return {
    run_id: id,
    trigger: run.trigger,
    scheduled_for: scheduled_for.toISOString(),
    status: run.status,
    attempts: run.attempts,
    started_at: started_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
    duration_ms: run.duration_ms,
    error: run.error,
    users:
      for_each_user === null
        ? null
        : { total: users_total, succeeded: users_succeeded, failed: users_failed, skipped: users_skipped },
  };
}
