import { lastTime, nextTime } from '@platform/app-document';
import { Injectable } from '@nestjs/common';
import { JobsService } from '@platform/messaging';
import { columns, Outbox, type RowOf } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { ScheduleRunsService } from './schedule-runs.service.js';
import { jitterMs } from './schedule-jitter.js';
import { StoredSchedule } from './stored-schedule.entity.js';
import { scheduleClockQueue } from './schedules.jobs.js';

const TICK_EVERY_MS = 1_000;
const BATCH = 100;

const DUE = columns(StoredSchedule, ['appId', 'name', 'cron', 'forEachUser', 'nextFor']);

interface Due extends RowOf<typeof DUE> {
  next_for: Date;
  now: Date;
}

/** Starts the runs of schedules that are due. */
@Injectable()
export class ScheduleClockWorker {
  constructor(
    private readonly outbox: Outbox,
    private readonly runs: ScheduleRunsService,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(scheduleClockQueue, { tick: () => this.startDueRuns() });
    jobs.scheduleJob(scheduleClockQueue, 'tick', TICK_EVERY_MS);
  }

  /**
   * Starts the runs of all schedules that are due. Safe in several processes at once: one of them
   * starts each schedule, and only once for each of its times.
   */
  async startDueRuns(): Promise<void> {
    while ((await this.outbox.transaction((em) => this.beginSome(em))) === BATCH);
  }

  private async beginSome(em: EntityManager): Promise<number> {
    const schedules = await em.query<Due[]>(
      `SELECT ${DUE}, now() AS now FROM schedules
       WHERE due_at <= now() ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
    );
    for (const schedule of schedules) await this.begin(em, schedule);
    return schedules.length;
  }

  /**
   * Starts a run of a schedule, and sets its next time. If several times were missed because no
   * worker ran, only the last one counts. If the previous run by the clock is not finished, the
   * time is recorded as skipped; a manual run does not matter.
   */
  private async begin(
    em: EntityManager,
    { app_id: appId, name, cron, for_each_user: forEachUser, next_for, now }: Due,
  ): Promise<void> {
    const jitter = jitterMs(appId, name, cron, next_for);
    const missed = lastTime(cron, new Date(now.getTime() - jitter));
    const scheduledFor = missed && missed > next_for ? missed : next_for;
    const run = { appId, name, forEachUser, trigger: 'schedule' as const, scheduledFor };
    if (!(await this.runs.createRun(em, run))) await this.runs.recordSkippedRun(em, run);
    const next = nextTime(cron, scheduledFor);
    const due = next && new Date(next.getTime() + jitterMs(appId, name, cron, next));
    await em.query('UPDATE schedules SET next_for = $3, due_at = $4 WHERE app_id = $1 AND name = $2', [
      appId,
      name,
      next,
      due,
    ]);
  }
}
