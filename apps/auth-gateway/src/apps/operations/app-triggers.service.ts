import { Injectable } from '@nestjs/common';
import type {
  AppSchedule,
  AppSchedulesResponse,
  EventDeliveriesQuery,
  EventDeliveriesResponse,
  EventDelivery,
  ScheduleRun,
} from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { DataSource } from 'typeorm';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import { ExtensionHostClient } from '../../kernel/peers/extension-host/extension-host.client.js';
import { forwardHostErrors } from '../../kernel/peers/extension-host/host-errors.js';
import { assertOwnApp } from './own-app.js';

/**
 * Schedules and events of an app. Every method throws AppError 404 `app.not_found` for an app of
 * another developer, and 503 if the host is unreachable.
 */
@Injectable()
export class AppTriggersService {
  constructor(
    private readonly host: ExtensionHostClient,
    private readonly dataSource: DataSource,
  ) {}

  async listSchedules(user: UserCaller, appId: string): Promise<AppSchedulesResponse> {
    await assertOwnApp(this.dataSource, user, appId);
    const { items } = await forwardHostErrors(this.host.listSchedules(appId));
    return { items: items.map(toSchedule) };
  }

  /**
   * Starts a run of a schedule of the caller's app now, in addition to its times. Returns before
   * the run has ended.
   *
   * @throws AppError 404 `app.not_found` if there is no such app or it belongs to another
   * developer, `schedule.not_found` if the served version has no such schedule; 409
   * `schedule.app_suspended` while the app is suspended, `schedule.unfinished` while another run
   * that was started in this way is not finished; 503 if the host is unreachable.
   */
  async runSchedule(user: UserCaller, appId: string, name: string): Promise<ScheduleRun> {
    await assertOwnApp(this.dataSource, user, appId);
    const run = toRun(await forwardHostErrors(this.host.runSchedule(appId, name)));
    await this.recordAudit(user, appId, 'schedule.run', { schedule: name, run_id: run.run_id });
    return run;
  }

  async listEventDeliveries(
    user: UserCaller,
    appId: string,
    query: EventDeliveriesQuery,
  ): Promise<EventDeliveriesResponse> {
    await assertOwnApp(this.dataSource, user, appId);
    const { items, cursor } = await forwardHostErrors(this.host.listEventDeliveries(appId, query));
    return { items: items.map(toDelivery), cursor };
  }

  /**
   * Delivers an event to the caller's app again. Returns before its handler has run.
   *
   * @throws AppError 404 `app.not_found` if there is no such app or it belongs to another
   * developer, `event_delivery.not_found` if the app never got this event; 409
   * `event_delivery.not_finished` while it is being delivered, `event_delivery.told_once` for the
   * removal of the app by a user; 503 if the host is unreachable.
   */
  async replayEventDelivery(user: UserCaller, appId: string, eventId: string): Promise<EventDelivery> {
    await assertOwnApp(this.dataSource, user, appId);
    const delivery = toDelivery(await forwardHostErrors(this.host.replayEventDelivery(appId, eventId)));
    await this.recordAudit(user, appId, 'event_delivery.replayed', { event_id: eventId, type: delivery.type });
    return delivery;
  }

  private recordAudit(
    { tenantId }: UserCaller,
    appId: string,
    action: string,
    metadata: Record<string, string>,
  ): Promise<void> {
    return recordAudit(this.dataSource.manager, { action, target: { type: 'app', id: appId }, tenantId, metadata });
  }
}

const toSchedule = ({ name, cron, for_each_user, next_run_at, recent_runs }: AppSchedule): AppSchedule => ({
  name,
  cron,
  for_each_user,
  next_run_at,
  recent_runs: recent_runs.map(toRun),
});

const toRun = (run: ScheduleRun): ScheduleRun => ({
  run_id: run.run_id,
  trigger: run.trigger,
  scheduled_for: run.scheduled_for,
  status: run.status,
  attempts: run.attempts,
  started_at: run.started_at,
  finished_at: run.finished_at,
  duration_ms: run.duration_ms,
  error: run.error,
  users: run.users && {
    total: run.users.total,
    succeeded: run.users.succeeded,
    failed: run.users.failed,
    skipped: run.users.skipped,
  },
});

const toDelivery = (delivery: EventDelivery): EventDelivery => ({
  event_id: delivery.event_id,
  app_id: delivery.app_id,
  type: delivery.type,
  source: delivery.source,
  user_id: delivery.user_id,
  status: delivery.status,
  attempts: delivery.attempts,
  error: delivery.error,
  timestamp: delivery.timestamp,
  next_attempt_at: delivery.next_attempt_at,
  finished_at: delivery.finished_at,
});
