import { Injectable } from '@nestjs/common';
import type { AppHealthStatus, KnownHealthStatus } from '@platform/contracts';
import { MaintenanceTasksService } from '@platform/messaging';
import { runInTurn } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { AppOutcomesRepository } from '../../extensions/actions/app-outcomes.repository.js';
import { publishEvent } from '../../kernel/events/publish-event.js';
import { APPS_WITH_HEALTH } from './app-health.service.js';
import { rateReportedHealth } from './health-status.js';

const MINUTE_MS = 60_000;
/**
 * Small, because a transaction that records changes blocks account deletions of the developers of
 * these apps.
 */
const APPS_AT_ONCE = 100;
/** Longest duration of a run. Other tasks of the process wait for it. */
const MAX_MS = 2_000;

interface HealthChange {
  app_id: string;
  /** `unknown` at the first check. */
  previous_status: AppHealthStatus;
  status: KnownHealthStatus;
}

/**
 * Checks the health of the apps in the marketplace every minute and notifies developers of changes.
 * The first check of an app reports only `unhealthy`. Other states than `unhealthy` are reported at
 * the earliest 10 minutes after the last change.
 */
@Injectable()
export class AppHealthWorker {
  /**
   * Id after which the next batch begins. It also moves past a failed batch, which is checked again
   * in the next round.
   */
  private after = '';

  constructor(
    private readonly dataSource: DataSource,
    private readonly outcomes: AppOutcomesRepository,
    tasks: MaintenanceTasksService,
  ) {
    tasks.scheduleTask(MINUTE_MS, 'app-health', () => this.checkApps());
  }

  /**
   * Checks apps, batch after batch, for about 2 seconds at most; the next call continues. Safe to
   * run in several processes at once: each change is reported once.
   */
  async checkApps(): Promise<void> {
    await runInTurn([() => this.checkBatch()], { full: APPS_AT_ONCE, maxMs: MAX_MS });
  }

  /**
   * Checks the next batch of apps, and records and publishes changes. Returns the number of apps in
   * the batch.
   */
  private async checkBatch(): Promise<number> {
    const apps = await this.dataSource.query<{ app_id: string; status: KnownHealthStatus | null }[]>(
      `SELECT a.app_id, s.status FROM ${APPS_WITH_HEALTH} LEFT JOIN app_health_states s ON s.app_id = a.app_id
       WHERE a.app_id > $1 ORDER BY a.app_id LIMIT ${APPS_AT_ONCE}`,
      [this.after],
    );
    const last = apps.at(-1);
    this.after = last && apps.length === APPS_AT_ONCE ? last.app_id : '';
    const outcomes = await this.outcomes.findRecentOutcomes(apps.map(({ app_id }) => app_id));
    const changes = apps.flatMap(({ app_id, status: before }): HealthChange[] => {
      const found = outcomes.get(app_id);
      const status = found ? rateReportedHealth(found) : null;
      return status === null || status === before ? [] : [{ app_id, previous_status: before ?? 'unknown', status }];
    });
    if (changes.length) await this.recordChanges(changes);
    return apps.length;
  }

  private async recordChanges(changes: readonly HealthChange[]): Promise<void> {
    await this.dataSource.transaction(async (em) => {
      // Sorted by id to avoid deadlocks. Skips apps that were deleted meanwhile, and changes that
      // another process has already recorded.
      const recorded = await em.query<(HealthChange & { developer_id: string; tenant_id: string })[]>(
        `WITH changes AS (
           SELECT a.app_id, c.previous_status, c.status FROM unnest($1::text[], $2::text[], $3::text[]) AS c (app_id, previous_status, status)
           JOIN apps a ON a.app_id = c.app_id ORDER BY a.app_id FOR KEY SHARE OF a
         ), recorded AS (
           INSERT INTO app_health_states AS s (app_id, previous_status, status) SELECT app_id, previous_status, status FROM changes
           ON CONFLICT (app_id) DO UPDATE SET previous_status = excluded.previous_status, status = excluded.status, changed_at = now()
             WHERE s.status = excluded.previous_status
               AND (excluded.status = 'unhealthy' OR s.changed_at < now() - interval '10 minutes')
           RETURNING s.app_id, s.previous_status, s.status
         )
         SELECT r.app_id, r.previous_status, r.status, a.developer_id, u.tenant_id
         FROM recorded r JOIN apps a ON a.app_id = r.app_id JOIN users u ON u.id = a.developer_id ORDER BY r.app_id`,
        [
          changes.map(({ app_id }) => app_id),
          changes.map(({ previous_status: before }) => before),
          changes.map(({ status }) => status),
        ],
      );
      for (const { developer_id: userId, tenant_id: tenantId, ...data } of recorded) {
        if (data.previous_status === 'unknown' && data.status !== 'unhealthy') continue;
        await publishEvent(em, { type: 'app.health_changed', tenantId, userId, data });
      }
    });
  }
}
