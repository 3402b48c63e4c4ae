import { Injectable } from '@nestjs/common';
import {
  isRemoval,
  type EventDeliveriesQuery,
  type EventDeliveriesResponse,
  type EventDelivery,
} from '@platform/contracts';
import { JobsService } from '@platform/messaging';
import {
  columns,
  deleteExpired,
  RetentionService,
  Outbox,
  PAST_EVENT_USAGE,
  type Row,
  type RowOf,
} from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import type { Subscriber } from './event-subscriptions.service.js';
import { StoredEventDelivery } from './stored-event-delivery.entity.js';
import type { StoredEventSubscription } from './stored-event-subscription.entity.js';
import { StoredEvent } from '../kernel/event-bus/stored-event.entity.js';
import { EventDeliveryErrors } from './event-deliveries.errors.js';
import { eventDeliveryQueue } from './event-deliveries.jobs.js';

/** Deliveries that may wait for an app, of events of other developers and of the platform. */
export const MAX_WAITING_DELIVERIES = 10_000;
const RETENTION = '7 days';

const OF_WHOM = columns(StoredEventDelivery, ['eventId', 'appId'], 'd');
const OF_EVENT = columns(StoredEvent, ['type', 'source', 'userId', 'at'], 'e');
const STATE = columns(StoredEventDelivery, ['status', 'attempts', 'error', 'nextAttemptAt', 'finishedAt'], 'd');
const COLUMNS = `${OF_WHOM}, ${OF_EVENT}, ${STATE}`;
type Delivery = RowOf<typeof OF_WHOM> & RowOf<typeof OF_EVENT> & RowOf<typeof STATE>;

/** Deliveries of events to apps: unfinished ones, and those of the last 7 days. */
@Injectable()
export class EventDeliveriesService {
  maxBehind = MAX_WAITING_DELIVERIES;

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: JobsService,
    retention: RetentionService,
  ) {
    retention.registerPreparation(() => this.failLostDeliveries());
    retention.registerExpiredRows(
      () => this.deleteOldDeliveries(),
      () => this.deleteOldEvents(),
      () => this.deletePastUsage(),
    );
  }

  /**
   * Adds deliveries of an event with their jobs. A delivery to an app of the publisher's own
   * developer counts among the unfinished items of the publisher, which are limited. If 10,000
   * deliveries of events of others (other developers and the platform) wait for an app, its
   * delivery of such an event is added as dead, so that a slow app does not delay others.
   */
  async createDeliveries(
    em: EntityManager,
    event: Pick<StoredEvent, 'id' | 'source'>,
    subscribers: Subscriber[],
  ): Promise<void> {
    const foreign = subscribers.filter(({ isOwn }) => !isOwn).map(({ appId }) => appId);
    const behind = foreign.length ? await this.behind(em, foreign) : [];
    const given = subscribers.filter(({ appId }) => !behind.includes(appId));
    if (given.length) await this.addPending(em, event, given);
    if (behind.length) await this.addDead(em, event.id, behind);
  }

  private async addPending(
    em: EntityManager,
    { id, source }: Pick<StoredEvent, 'id' | 'source'>,
    given: Subscriber[],
  ): Promise<void> {
    const payloads = given.map(({ appId, developerId: owner }) => ({ event_id: id, app_id: appId, owner }));
    const jobIds = await this.jobs.enqueueAll(em, eventDeliveryQueue, 'deliver', payloads);
    await em.query(
      `INSERT INTO event_deliveries (event_id, source, app_id, job_id)
       SELECT $1, CASE WHEN is_own THEN $2 END, app_id, job_id
       FROM unnest($3::text[], $4::boolean[], $5::text[]) AS given (app_id, is_own, job_id)`,
      [id, source, given.map(({ appId }) => appId), given.map(({ isOwn }) => isOwn), jobIds],
    );
  }

  private async addDead(em: EntityManager, eventId: string, appIds: string[]): Promise<void> {
    await em.query(
      `INSERT INTO event_deliveries (event_id, app_id, job_id, status, finished_at, error)
       SELECT $1, app_id, '', 'dead', now(), $3 FROM unnest($2::text[]) AS app_id`,
      [eventId, appIds, `${this.maxBehind} events were already waiting for the app.`],
    );
  }

  /**
   * Apps for which 10,000 deliveries (`maxBehind`) of events of other developers or of the platform
   * are unfinished, so that they get no more of these. Approximate, because events that are given
   * at the same time add deliveries.
   */
  private async behind(em: EntityManager, appIds: string[]): Promise<string[]> {
    if (!appIds.length) return [];
    const found = await em.query<{ app_id: string }[]>(
      `SELECT app_id FROM unnest($1::text[]) AS asked (app_id) WHERE EXISTS (
         SELECT FROM event_deliveries d WHERE d.app_id = asked.app_id AND d.status IN ('pending', 'running') AND d.source IS NULL
         OFFSET $2 LIMIT 1)`,
      [appIds, this.maxBehind - 1],
    );
    return found.map(({ app_id }) => app_id);
  }

  /** Deliveries of events to an app, newest first. */
  async listDeliveries(
    appId: string,
    { status, cursor, limit }: EventDeliveriesQuery,
  ): Promise<EventDeliveriesResponse> {
    const rows = await this.dataSource.query<Delivery[]>(
      `SELECT ${COLUMNS} FROM event_deliveries d JOIN events e ON e.id = d.event_id
       WHERE d.app_id = $1 ${status ? 'AND d.status = $4' : ''} AND ($2::uuid IS NULL OR d.event_id < $2)
       ORDER BY d.event_id DESC LIMIT $3`,
      [appId, cursor ?? null, limit + 1, ...(status ? [status] : [])],
    );
    const items = rows.slice(0, limit).map(toDelivery);
    return { items, cursor: rows.length > limit ? (items.at(-1)?.event_id ?? null) : null };
  }

  /**
   * Makes a finished delivery of an event to an app pending again, and adds the job that delivers
   * it: to the version that runs then, with as many attempts as a new delivery.
   *
   * @throws AppError 404 `event_delivery.not_found` if there is no delivery; 409
   * `event_delivery.not_finished` if it is still being tried; 409 `event_delivery.told_once` if the
   * event is the removal of the app by its user.
   */
  async replayDelivery(appId: string, eventId: string): Promise<EventDelivery> {
    return this.outbox.transaction(async (em) => {
      const [known] = await em.query<Pick<StoredEvent, 'source' | 'type'>[]>(
        'SELECT e.source, e.type FROM event_deliveries d JOIN events e ON e.id = d.event_id WHERE d.app_id = $1 AND d.event_id = $2',
        [appId, eventId],
      );
      if (!known) throw EventDeliveryErrors.notFound();
      if (isRemoval(known)) throw EventDeliveryErrors.toldOnce();
      const [app] = await em.query<Row<StoredEventSubscription, 'developerId'>[]>(
        'SELECT developer_id FROM event_subscriptions WHERE app_id = $1 LIMIT 1',
        [appId],
      );
      const job = { event_id: eventId, app_id: appId, owner: app?.developer_id ?? appId };
      const [[row]] = await em.query<[Delivery[], number]>(
        `UPDATE event_deliveries d SET status = 'pending', attempts = 0, finished_at = NULL, next_attempt_at = now(), job_id = $3
         FROM events e WHERE d.app_id = $1 AND d.event_id = $2 AND e.id = d.event_id AND d.status IN ('succeeded', 'dead')
         RETURNING ${COLUMNS}`,
        [appId, eventId, await this.jobs.enqueue(em, eventDeliveryQueue, 'deliver', job)],
      );
      if (!row) throw EventDeliveryErrors.notFinished();
      return toDelivery(row);
    });
  }

  /** Deletes a batch of deliveries that finished more than 7 days ago. Returns how many. */
  deleteOldDeliveries(): Promise<number> {
    const where = `finished_at < now() - interval '${RETENTION}' ORDER BY finished_at`;
    return deleteExpired(this.dataSource, { table: 'event_deliveries', key: 'event_id, app_id', where });
  }

  /**
   * Deletes a batch of events that are older than 7 days and have no deliveries. Returns how many.
   */
  deleteOldEvents(): Promise<number> {
    return deleteExpired(this.dataSource, {
      table: 'events',
      key: 'id',
      where: `created_at < now() - interval '${RETENTION}' AND NOT EXISTS (SELECT FROM event_deliveries d WHERE d.event_id = events.id)`,
    });
  }

  /** Deletes a batch of usage counts of past days. Returns how many. */
  deletePastUsage(): Promise<number> {
    return deleteExpired(this.dataSource, PAST_EVENT_USAGE);
  }

  /**
   * Marks unfinished deliveries as dead if their job has failed for good or is no longer in the
   * outbox.
   */
  async failLostDeliveries(): Promise<void> {
    await this.dataSource.query(
      `UPDATE event_deliveries SET status = 'dead', finished_at = now(), next_attempt_at = NULL, error = coalesce(error, 'Its job was lost.')
       WHERE finished_at IS NULL AND NOT EXISTS (SELECT FROM outbox WHERE outbox.id = job_id AND failed_at IS NULL)`,
    );
  }
}

const toDelivery = ({ at, next_attempt_at, finished_at, ...delivery }: Delivery): EventDelivery => ({
  ...delivery,
  timestamp: at.toISOString(),
  next_attempt_at: next_attempt_at?.toISOString() ?? null,
  finished_at: finished_at?.toISOString() ?? null,
});
