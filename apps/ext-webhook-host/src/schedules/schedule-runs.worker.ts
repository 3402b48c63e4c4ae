import { Inject, Injectable } from '@nestjs/common';
import { JobsService, Postponed, type JobInfo } from '@platform/messaging';
import { columns, Outbox, type RowOf } from '@platform/persistence';
import { isUnavailable, LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { GATEWAY_RETRY } from '../kernel/gateway/gateway-retry.js';
import { RunGrantsClient } from '../kernel/gateway/run-grants.client.js';
import { failureText } from '../runs/failure-text.js';
import { RunsService } from '../runs/runs.service.js';
import { StoredScheduleRun } from './stored-schedule-run.entity.js';
import { DocumentStore } from '../kernel/store/document-store.js';
import { ScheduleRunsService } from './schedule-runs.service.js';
import { MAX_ATTEMPTS, scheduleQueue } from './schedules.jobs.js';

const USERS_AT_ONCE = 100;

const OF_RUN = columns(
  StoredScheduleRun,
  ['appId', 'name', 'trigger', 'scheduledFor', 'forEachUser', 'userCursor'],
  'k',
);

interface Taken extends RowOf<typeof OF_RUN> {
  attempts: number;
  /** Running version of the app; null if the app is suspended or no longer has the schedule. */
  app: { app_id: string; version: string; sha256: string; tenant_id: string } | null;
}

const FOUND = `LEFT JOIN schedules s ON s.app_id = k.app_id AND s.name = k.name AND NOT s.is_suspended`;
const RETURNED = `${OF_RUN}, CASE WHEN s.app_id IS NOT NULL THEN to_jsonb(s) END AS app`;

/** Outcome of an attempt. */
interface Outcome {
  /** Null if it succeeded. */
  error: string | null;
  durationMs: number;
  /** True if the app may not act for the user: nothing was done. */
  isLeftOut?: boolean;
}

/** Does the runs of schedules, each with the version of its app that runs at that time. */
@Injectable()
export class ScheduleRunsWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly grants: RunGrantsClient,
    private readonly runs: RunsService,
    private readonly scheduleRuns: ScheduleRunsService,
    private readonly store: DocumentStore,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly jobs: JobsService,
  ) {
    jobs.registerHandlers(scheduleQueue, {
      run: ({ run_id }, job) => this.run(run_id, job),
      'run-user': ({ run_id, user_id }, job) => this.runForUser(run_id, user_id, job),
    });
  }

  private async run(id: string, { id: jobId, attempt }: JobInfo): Promise<void> {
    // A process that died leaves its run `running`.
    const [[taken]] = await this.dataSource.query<[Taken[], number]>(
      `UPDATE schedule_runs r SET status = 'running', attempts = r.attempts + 1, started_at = coalesce(r.started_at, now())
       FROM schedule_runs k ${FOUND}
       WHERE r.id = $1 AND k.id = r.id AND r.job_id = $2 AND r.status IN ('pending', 'running')
       RETURNING ${RETURNED}, r.attempts`,
      [id, jobId],
    );
    if (!taken) return;
    const isForUsers = taken.for_each_user !== null && taken.app !== null;
    const { error, durationMs } = isForUsers
      ? await this.mayGiveToUsers(taken)
      : await this.attempt(taken, null, jobId);
    if (isForUsers && error === null) return this.giveToUsers(id, taken, taken.for_each_user ?? '');
    const isOver = error === null || !taken.app || Math.max(taken.attempts, attempt) >= MAX_ATTEMPTS;
    await this.dataSource.query(
      `UPDATE schedule_runs SET status = $3, error = $4, duration_ms = $5, finished_at = CASE WHEN $3 = 'pending' THEN NULL ELSE now() END
       WHERE id = $1 AND job_id = $2 AND status = 'running'`,
      [id, jobId, error === null ? 'succeeded' : isOver ? 'failed' : 'pending', error, durationMs],
    );
    if (!isOver) throw new Error(`The run ${id} of a schedule failed and will be tried again.`);
  }

  private async runForUser(id: string, userId: string, { id: jobId, attempt }: JobInfo): Promise<void> {
    const [[taken]] = await this.dataSource.query<[Taken[], number]>(
      `UPDATE schedule_user_runs u SET status = 'running', attempts = u.attempts + 1
       FROM schedule_runs k ${FOUND}
       WHERE u.run_id = $1 AND u.user_id = $2 AND k.id = u.run_id AND u.job_id = $3 AND u.status IN ('pending', 'running')
       RETURNING ${RETURNED}, u.attempts`,
      [id, userId, jobId],
    );
    if (!taken) return;
    const { error, isLeftOut } = await this.attempt(taken, userId, jobId).catch(async (failure: unknown) => {
      if (!isUnavailable(failure, 'gateway')) throw failure;
      await this.putBack(id, userId, jobId);
      throw new Postponed(`The gateway is unreachable; it must permit the run ${id} for a user.`, GATEWAY_RETRY.waitMs);
    });
    if (isLeftOut) {
      await this.dataSource.query(
        `WITH done AS (DELETE FROM schedule_user_runs WHERE run_id = $1 AND user_id = $2 AND job_id = $3 AND status = 'running' RETURNING run_id)
         UPDATE schedule_runs SET users_skipped = users_skipped + 1 FROM done WHERE id = run_id`,
        [id, userId, jobId],
      );
      return this.scheduleRuns.finishRuns(id);
    }
    if (error === null) {
      await this.dataSource.query(
        `WITH done AS (DELETE FROM schedule_user_runs WHERE run_id = $1 AND user_id = $2 AND job_id = $3 AND status = 'running' RETURNING run_id)
         UPDATE schedule_runs SET users_succeeded = users_succeeded + 1 FROM done WHERE id = run_id`,
        [id, userId, jobId],
      );
      return this.scheduleRuns.finishRuns(id);
    }
    const isOver = !taken.app || Math.max(taken.attempts, attempt) >= MAX_ATTEMPTS;
    await this.dataSource.query(
      `WITH tried AS (
         UPDATE schedule_user_runs SET status = $4, error = $5
         WHERE run_id = $1 AND user_id = $2 AND job_id = $3 AND status = 'running' RETURNING run_id)
       UPDATE schedule_runs SET error = $5, users_failed = users_failed + CASE WHEN $4 = 'failed' THEN 1 ELSE 0 END FROM tried WHERE id = run_id`,
      [id, userId, jobId, isOver ? 'failed' : 'pending', error],
    );
    if (!isOver) throw new Error(`The run ${id} of a schedule failed for a user and will be tried again.`);
    await this.scheduleRuns.finishRuns(id);
  }

  /** Restores the state before the attempt, which then does not count. */
  private async putBack(id: string, userId: string, jobId: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE schedule_user_runs SET status = 'pending', attempts = attempts - 1
       WHERE run_id = $1 AND user_id = $2 AND job_id = $3 AND status = 'running'`,
      [id, userId, jobId],
    );
  }

  private async mayGiveToUsers({ app_id, app, name }: Taken): Promise<Outcome> {
    try {
      if (app) await this.runs.assertMayActForUsers({ ...app, app_id });
      return { error: null, durationMs: 0 };
    } catch (error) {
      return { error: failureText(error, this.logger, { app_id, schedule: name }), durationMs: 0 };
    }
  }

  /**
   * Adds a job for each user who has documents in the collection, one page of users at a time, and
   * finishes the run if no user is left. If two processes work on a run, because one of them seemed
   * dead, the later one stops.
   */
  private async giveToUsers(id: string, { app_id: appId, app, user_cursor }: Taken, collection: string): Promise<void> {
    let cursor = user_cursor;
    let isMine = true;
    do {
      const options = { limit: USERS_AT_ONCE, cursor };
      const page = await this.store.listUsers({ tenantId: app?.tenant_id ?? '', appId }, collection, options);
      isMine = await this.outbox.transaction(async (em) => {
        const [, changed] = await em.query<[unknown[], number]>(
          `UPDATE schedule_runs SET user_cursor = $3, has_all_users = $4, users_total = users_total + $5
           WHERE id = $1 AND status = 'running' AND NOT has_all_users AND user_cursor IS NOT DISTINCT FROM $2`,
          [id, cursor, page.cursor, page.cursor === null, page.data.length],
        );
        if (!changed) return false;
        const payloads = page.data.map((user_id) => ({ run_id: id, app_id: appId, user_id }));
        const jobIds = await this.jobs.enqueueAll(em, scheduleQueue, 'run-user', payloads);
        await em.query(
          'INSERT INTO schedule_user_runs (run_id, user_id, job_id) SELECT $1, user_id, job_id FROM unnest($2::text[], $3::text[]) AS given (user_id, job_id)',
          [id, page.data, jobIds],
        );
        return true;
      });
      ({ cursor } = page);
    } while (isMine && cursor !== null);
    await this.scheduleRuns.finishRuns(id);
  }

  /**
   * Runs a schedule once, without a user or for one user. A failure is an outcome, too. Nothing
   * runs, and `isLeftOut` is true, if the app may not act for the user.
   *
   * @throws ServiceUnavailable if the gateway is unreachable, or ApiError if it refuses the
   * request, before a run for a user has begun.
   */
  private async attempt(
    { app_id, app, name, trigger, scheduled_for, attempts }: Taken,
    userId: string | null,
    jobId: string,
  ): Promise<Outcome> {
    const started = performance.now();
    const durationMs = () => Math.round(performance.now() - started);
    if (!app) return { error: 'The app is suspended, or no longer has this schedule.', durationMs: 0 };
    if (attempts > MAX_ATTEMPTS) return { error: 'The process that handled it died in each attempt.', durationMs: 0 };
    const { version, sha256 } = app;
    const ofUser =
      userId === null
        ? null
        : await this.grants.authorizeScheduleForUser(userId, { app_id, version, sha256, handler: name });
    if (userId !== null && !ofUser) return { error: null, durationMs: 0, isLeftOut: true };
    try {
      const event = { name, trigger, scheduled_for: scheduled_for.toISOString(), user_id: userId };
      await this.runs.runSchedule(app, name, event, jobId, ofUser);
      return { error: null, durationMs: durationMs() };
    } catch (error) {
      return { error: failureText(error, this.logger, { app_id, schedule: name }), durationMs: durationMs() };
    }
  }
}
