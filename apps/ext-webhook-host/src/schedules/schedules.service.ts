import { Injectable } from '@nestjs/common';
import { nextTime, type Schedule } from '@platform/app-document';
import type { AppSchedulesResponse, ScheduleRun } from '@platform/contracts';
import { columns, Outbox, type RowOf } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import type { AppRuntime } from '../kernel/gateway/gateway.client.js';
import { jitterMs } from './schedule-jitter.js';
import { ScheduleRunsService } from './schedule-runs.service.js';
import { StoredSchedule } from './stored-schedule.entity.js';
import { ScheduleErrors } from './schedules.errors.js';

const SHOWN_RUNS = 5;

const KNOWN = columns(StoredSchedule, ['name', 'cron', 'nextFor', 'dueAt']);
const LISTED = columns(StoredSchedule, ['name', 'cron', 'forEachUser', 'dueAt']);
const RUN_NOW = columns(StoredSchedule, ['forEachUser', 'isSuspended']);

/** Schedules of the running versions. */
@Injectable()
export class SchedulesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly runs: ScheduleRunsService,
  ) {}

  /**
   * Replaces the schedules of an app; an app that runs no version (null) has none. A schedule that
   * keeps its name and its cron expression keeps its next time. The schedules of a suspended app
   * stay, but are never due; after the suspension each continues with its first time from then on,
   * and missed times are not made up for.
   */
  async replaceSchedules(
    em: EntityManager,
    appId: string,
    runtime: AppRuntime | null,
    declared: readonly Schedule[],
  ): Promise<void> {
    const schedules = runtime ? declared : [];
    const known = await em.query<RowOf<typeof KNOWN>[]>(`SELECT ${KNOWN} FROM schedules WHERE app_id = $1 FOR UPDATE`, [
      appId,
    ]);
    await em.query('DELETE FROM schedules WHERE app_id = $1 AND name <> ALL ($2)', [
      appId,
      schedules.map(({ name }) => name),
    ]);
    const now = new Date();
    for (const { name, cron, for_each_user } of schedules) {
      const same = known.find((before) => before.name === name && before.cron === cron && before.next_for !== null);
      const next = runtime?.is_suspended ? null : (same?.next_for ?? nextTime(cron, now));
      const due = next && (same?.due_at ?? new Date(next.getTime() + jitterMs(appId, name, cron, next)));
      await em.query(
        `INSERT INTO schedules (app_id, name, cron, for_each_user, version, sha256, tenant_id, is_suspended, next_for, due_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (app_id, name) DO UPDATE SET cron = excluded.cron, for_each_user = excluded.for_each_user,
           version = excluded.version, sha256 = excluded.sha256, tenant_id = excluded.tenant_id,
           is_suspended = excluded.is_suspended, next_for = excluded.next_for, due_at = excluded.due_at`,
        [
          appId,
          name,
          cron,
          for_each_user,
          runtime?.version,
          runtime?.sha256,
          runtime?.tenant_id,
          runtime?.is_suspended,
          next,
          due,
        ],
      );
    }
  }

  /** Schedules of an app, by name, each with its last 5 runs. */
  async listSchedules(appId: string): Promise<AppSchedulesResponse> {
    const rows = await this.dataSource.query<RowOf<typeof LISTED>[]>(
      `SELECT ${LISTED} FROM schedules WHERE app_id = $1 ORDER BY name`,
      [appId],
    );
    const names = rows.map(({ name }) => name);
    const runs = await this.runs.listRecentRuns(appId, names, SHOWN_RUNS);
    const items = rows.map(({ name, cron, for_each_user, due_at }) => ({
      name,
      cron,
      for_each_user,
      next_run_at: due_at?.toISOString() ?? null,
      recent_runs: runs.get(name) ?? [],
    }));
    return { items };
  }

  /**
   * Runs a schedule now, in addition to its times. Returns the run, which a job does.
   *
   * @throws AppError 404 `schedule.not_found` if the running version has no such schedule; 409
   * `schedule.app_suspended` while the app is suspended; 409 `schedule.unfinished` if an earlier
   * manual run is not finished.
   */
  async runScheduleNow(appId: string, name: string): Promise<ScheduleRun> {
    return this.outbox.transaction(async (em) => {
      const [schedule] = await em.query<RowOf<typeof RUN_NOW>[]>(
        `SELECT ${RUN_NOW} FROM schedules WHERE app_id = $1 AND name = $2`,
        [appId, name],
      );
      if (!schedule) throw ScheduleErrors.notFound();
      if (schedule.is_suspended) throw ScheduleErrors.suspended();
      const { for_each_user: forEachUser } = schedule;
      const run = await this.runs.createRun(em, {
        appId,
        name,
        forEachUser,
        trigger: 'manual',
        scheduledFor: new Date(),
      });
      if (!run) throw ScheduleErrors.unfinished();
      return run;
    });
  }
}
