import { Inject, Injectable } from '@nestjs/common';
import type { AppRuntimeChange } from '@platform/contracts';
import { JobsService, type QueueDefinition } from '@platform/messaging';
import { isUnavailable, isUnreachable, LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource, TypeORMError } from 'typeorm';
import { AppDocumentsService } from '../documents/app-documents.service.js';
import { EventSubscriptionsService } from '../events/event-subscriptions.service.js';
import { GatewayClient } from '../kernel/gateway/gateway.client.js';
import type { CompiledApp } from '../handlers/handler-runtime.js';
import { SchedulesService } from '../schedules/schedules.service.js';

const FOLLOW_EVERY_MS = 2_000;

const runtimeFeedQueue: QueueDefinition<{ follow: Record<string, never> }> = {
  name: 'runtime-feed',
  attempts: 1,
  backoff: () => FOLLOW_EVERY_MS,
  concurrency: 1,
  isRoutine: true,
};

/**
 * Follows the gateway's list of running versions, so that the schedules and event subscriptions of
 * each app are those of its current version.
 */
@Injectable()
export class RuntimeFeedWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly gateway: GatewayClient,
    private readonly documents: AppDocumentsService,
    private readonly schedules: SchedulesService,
    private readonly subscribers: EventSubscriptionsService,
    @Inject(LOGGER) private readonly logger: Logger,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(runtimeFeedQueue, { follow: () => this.applyChanges() });
    jobs.scheduleJob(runtimeFeedQueue, 'follow', FOLLOW_EVERY_MS, { atStart: true });
  }

  /**
   * Applies all changes of running versions since the last time: replaces the schedules and event
   * subscriptions of the changed apps. Several processes can do this at once: each page is applied
   * by one of them. If the gateway is unreachable, the next run continues.
   */
  async applyChanges(): Promise<void> {
    try {
      while (await this.takePage());
    } catch (error) {
      if (!isUnavailable(error, 'gateway')) throw error;
      this.logger.debug({ err: error }, 'could not read the changes of running versions; will try again');
    }
  }

  /**
   * Applies the next page of changes: replaces the schedules and event subscriptions of its apps,
   * and stores how far it came. Returns true if there are more; false if there are none, or if
   * another process has applied the page.
   *
   * @throws ServiceUnavailable if the gateway is unreachable.
   */
  private async takePage(): Promise<boolean> {
    const [{ revision }] = await this.dataSource.query<[{ revision: string }]>('SELECT revision FROM runtime_feed');
    const { items, next, has_more } = await this.gateway.listRuntimeChanges(Number(revision));
    if (String(next) === revision) return false;
    const changes: [AppRuntimeChange, CompiledApp | null][] = [];
    for (const change of items) changes.push([change, await this.documentOf(change)]);
    return this.dataSource.transaction(async (em) => {
      const [, taken] = await em.query<[unknown[], number]>(
        'UPDATE runtime_feed SET revision = $2 WHERE revision = $1',
        [revision, next],
      );
      if (!taken) return false;
      // The same order in all processes prevents deadlocks.
      changes.sort(([{ app_id: one }], [{ app_id: other }]) => (one < other ? -1 : 1));
      for (const [{ app_id, runtime }, compiled] of changes) {
        const { schedules = [], events } = compiled?.document.app ?? {};
        await this.schedules.replaceSchedules(em, app_id, compiled && runtime, schedules);
        await this.subscribers.replaceSubscriptions(em, app_id, compiled && runtime, events?.subscribes ?? []);
      }
      return has_more;
    });
  }

  /**
   * Compiled document of a changed version, with its schedules and event handlers; null if the app
   * runs no version, or if the document is missing or invalid, which is logged: one app must not
   * block the others.
   *
   * @throws ServiceUnavailable if the gateway is unreachable; the error of the database if that
   * fails.
   */
  private async documentOf({ app_id, runtime }: AppRuntimeChange): Promise<CompiledApp | null> {
    if (!runtime) return null;
    return this.documents.loadCompiledApp(runtime).catch((error: unknown) => {
      if (isUnavailable(error, 'gateway') || error instanceof TypeORMError || isUnreachable(error)) throw error;
      this.logger.error({ err: error, app_id, version: runtime.version }, 'could not load the document of a version');
      return null;
    });
  }
}
