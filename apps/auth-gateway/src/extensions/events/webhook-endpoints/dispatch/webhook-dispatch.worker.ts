import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { JobsService, MaintenanceTasksService, BroadcastService } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { EventPositionsService, EVENTS_PLACED } from '../../../../kernel/events/event-positions.service.js';
import { NewDeliveriesService } from './new-deliveries.service.js';

/**
 * Interval for runs without a notification. It covers notifications that were lost, and processes
 * that stopped before they sent one.
 */
const SWEEP_MS = 10_000;
/**
 * Pause between two runs of a process. Under load, one run takes all events that arrived in
 * between.
 */
const PAUSE_MS = 100;
/**
 * Limit for waiting on locks of users who are being deleted, and of endpoints that are being
 * changed.
 */
const LOCK_TIMEOUT = '2s';
const PAGE = 200;
const PAGE_BYTES = 1024 * 1024;

/**
 * Creates a delivery for each event and endpoint that selects it, in the transaction that moves the
 * cursor past the event. So each delivery is created exactly once, even if processes stop or work
 * at the same time. Positions are assigned after the commit, so no event is skipped.
 */
@Injectable()
export class WebhookDispatchWorker implements OnApplicationShutdown {
  private dispatching: Promise<void> | undefined;
  private isWanted = false;
  private isStopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly positions: EventPositionsService,
    private readonly deliveries: NewDeliveriesService,
    private readonly jobs: JobsService,
    @Inject(LOGGER) private readonly logger: Logger,
    broadcast: BroadcastService,
    tasks: MaintenanceTasksService,
  ) {
    broadcast.subscribe(EVENTS_PLACED, () => this.dispatchSoon());
    tasks.scheduleTask(SWEEP_MS, 'webhook-events', () => this.placeAndDispatch(), { atStart: true });
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.dispatching;
  }

  /**
   * Creates the deliveries of all events that have a position now, unless another process holds the
   * cursor or this one stops.
   */
  async dispatchAll(): Promise<void> {
    while (!this.isStopped && (await this.outbox.transaction((em) => this.dispatchPage(em))));
  }

  /**
   * Gives positions to events that have none, and then creates the deliveries of all events. Unlike
   * `dispatchSoon`, it also moves the cursor forward while there are no endpoints.
   */
  private async placeAndDispatch(): Promise<void> {
    await this.positions.placeEvents();
    await this.dispatchAll();
  }

  private dispatchSoon(): void {
    if (!this.jobs.isWorking || this.isStopped) return;
    this.isWanted = true;
    this.dispatching ??= this.dispatchIfNeeded().finally(() => {
      this.dispatching = undefined;
      if (this.isWanted) setTimeout(() => this.dispatchSoon(), PAUSE_MS).unref();
    });
  }

  private async dispatchIfNeeded(): Promise<void> {
    this.isWanted = false;
    try {
      if (await this.hasEndpoints(this.dataSource.manager)) await this.dispatchAll();
    } catch (error) {
      if (!this.isStopped)
        this.logger.warn({ err: error }, 'could not create webhook deliveries; trying again at the next run');
    }
  }

  private async hasEndpoints(em: EntityManager): Promise<boolean> {
    const [row] = await em.query<[{ is_any: boolean }]>(
      "SELECT EXISTS (SELECT FROM webhook_endpoints WHERE status = 'enabled') AS is_any",
    );
    return row.is_any;
  }

  /**
   * Creates the deliveries of the next events, at most 200 and about 1 MiB, and moves the cursor
   * past them. True if there may be more events; false if there were none, and if another process
   * holds the cursor. Without an enabled endpoint, moves the cursor past all events, without
   * deliveries, and returns false.
   */
  private async dispatchPage(em: EntityManager): Promise<boolean> {
    const [cursor] = await em.query<{ position: string }[]>(
      'SELECT position FROM webhook_endpoint_cursors FOR UPDATE SKIP LOCKED',
    );
    if (!cursor) return false;
    if (!(await this.hasEndpoints(em))) {
      // The statement checks again that there are no endpoints: its snapshot has no event that is
      // newer than an endpoint.
      await em.query(
        `UPDATE webhook_endpoint_cursors SET position = head.position
         FROM (SELECT max(position) AS position FROM platform_events WHERE position > 0) AS head
         WHERE head.position > webhook_endpoint_cursors.position AND NOT EXISTS (SELECT FROM webhook_endpoints WHERE status = 'enabled')`,
      );
      return false;
    }
    // All endpoints wait while this transaction waits for locks.
    await em.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    const [page] = await em.query<[{ up_to: string | null }]>(
      `SELECT max(position) AS up_to FROM (
         SELECT position, sum(length) OVER (ORDER BY position) - length AS ahead
         FROM (SELECT position, payload_length AS length FROM platform_events WHERE position > 0 AND position > $1 ORDER BY position LIMIT ${PAGE}) AS next
       ) AS counted WHERE ahead < ${PAGE_BYTES}`,
      [cursor.position],
    );
    if (page.up_to === null) return false;
    await this.deliveries.createDeliveries(
      em,
      await this.deliveries.findSelectedEvents(em, [cursor.position, page.up_to]),
    );
    await em.query('UPDATE webhook_endpoint_cursors SET position = $1', [page.up_to]);
    return true;
  }
}
