import { Inject, Injectable } from '@nestjs/common';
import { truncateText, type BusEvent } from '@platform/contracts';
import { JobsService } from '@platform/messaging';
import { Outbox, countEventBytes } from '@platform/persistence';
import { isUnavailable, type Keyring } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { DeployedAppsService } from '../deployed/deployed-apps.service.js';
import { SECRET_KEYRING } from '../secrets/secret-vault.service.js';
import type { StoredEvent } from './stored-event.entity.js';
import { EmitErrors } from './emit.errors.js';
import { eventQueue, eventsToGatewayQueue } from './events.jobs.js';

/**
 * Largest number of unfinished items that an app has published: events that were not yet given to
 * their subscribers, and deliveries to apps of the same developer.
 */
export const MAX_BACKLOG = 10_000;
/** More events than all processes publish at the same moment. */
const MARGIN = 500;
const MAX_REASON = 500;
const GRANT_PURPOSE = 'event-grant';

/** Bytes that the apps of one developer may publish in a day. */
export const EVENT_QUOTA_BYTES = Symbol('EVENT_QUOTA_BYTES');

/**
 * Stores events of apps and of the platform, enqueues the jobs that give them to their subscribers,
 * and records their state.
 */
@Injectable()
export class EventBusService {
  maxBacklog = MAX_BACKLOG;

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: JobsService,
    @Inject(EVENT_QUOTA_BYTES) public quotaBytes: number,
    private readonly apps: DeployedAppsService,
    @Inject(SECRET_KEYRING) private readonly keyring: Keyring,
  ) {}

  /**
   * Stores an event that the gateway has published, and enqueues the job that gives it to its
   * subscribers. A retry with the same event does nothing.
   */
  async storePlatformEvent(event: BusEvent): Promise<void> {
    await this.outbox.transaction(async (em) => {
      const { event_id, user_id: owner } = event;
      if (await this.store(em, event, null)) await this.jobs.enqueue(em, eventQueue, 'give', { event_id, owner });
    });
  }

  /**
   * Stores an event of an app. Jobs then post it to the gateway with the grant of the run (the
   * proof for which user it acts), and give it to its subscribers. A retry with the same event does
   * nothing.
   *
   * @throws ExtensionError EVENT_BACKLOG_FULL, retryable, if 10,000 events and deliveries of the
   * app are not handled yet; EVENT_QUOTA_EXCEEDED if the apps of its developer have published too
   * much today, in total or for the user of the event.
   */
  async publishEvent(event: BusEvent, grant: string): Promise<void> {
    const { event_id, source } = event;
    const sealed = this.keyring.seal(GRANT_PURPOSE, grant, event_id);
    const owner = await this.developerOf(source);
    await this.outbox.transaction(async (em) => {
      await this.assertRoom(em, source, event_id);
      if (!(await this.store(em, event, sealed))) return;
      await this.jobs.enqueue(em, eventsToGatewayQueue, 'post', { event_id, owner });
      const limit = await countEventBytes(em, { owner, userId: event.user_id }, event.data, this.quotaBytes);
      if (limit) throw EmitErrors.quotaExceeded(limit);
    });
  }

  /**
   * Developer of the app. It is the app itself if there is no such app, or if the gateway is
   * unreachable and its last answer, if there was one, named no version: publishing does not wait
   * for the gateway.
   */
  private async developerOf(source: string): Promise<string> {
    try {
      return (await this.apps.findApp(source))?.developer_id ?? source;
    } catch (error) {
      if (!isUnavailable(error, 'gateway')) throw error;
      return source;
    }
  }

  /**
   * The grant of a run (the proof for which user it acts) with which an event of an app is posted
   * to the gateway; null if the gateway knows the event, or the event was dropped.
   */
  grantOf({ id, sealedGrant }: Pick<StoredEvent, 'id' | 'sealedGrant'>): string | null {
    return sealedGrant && this.keyring.open(GRANT_PURPOSE, sealedGrant, id);
  }

  /**
   * Records that the gateway knows this event of an app, but that its subscribers were not found.
   * Removes the grant and adds a `give` job that looks for them. Do not retry the `post` job
   * instead: its grant may have ended, and the event would be dropped. `owner` is that of the job.
   * Safe to retry.
   */
  async markPosted(id: string, owner: string | null): Promise<void> {
    await this.outbox.transaction(async (em) => {
      const [, changed] = await em.query<[unknown[], number]>(
        'UPDATE events SET sealed_grant = NULL WHERE id = $1 AND sealed_grant IS NOT NULL',
        [id],
      );
      if (changed) await this.jobs.enqueue(em, eventQueue, 'give', { event_id: id, owner });
    });
  }

  /**
   * Records that the gateway will never accept an event of an app, with the reason, and removes its
   * grant. No subscriber gets it. Does nothing if the gateway knows the event, or it was already
   * dropped.
   */
  async markDropped(id: string, reason: string): Promise<void> {
    await this.dataSource.query(
      'UPDATE events SET sealed_grant = NULL, given_at = now(), dropped = $2 WHERE id = $1 AND sealed_grant IS NOT NULL',
      [id, truncateText(reason, MAX_REASON)],
    );
  }

  /**
   * Marks an event that the gateway knows as given to its subscribers, and removes its grant. Must
   * run in the transaction that adds the deliveries. Returns false if the event was already given,
   * dropped or deleted.
   */
  async markDispatched(em: EntityManager, id: string): Promise<boolean> {
    const [, given] = await em.query<[unknown[], number]>(
      'UPDATE events SET given_at = now(), sealed_grant = NULL WHERE id = $1 AND given_at IS NULL',
      [id],
    );
    return given > 0;
  }

  /** Stores an event. Returns false if it is already stored. */
  private async store(
    em: EntityManager,
    { event_id, type, tenant_id, user_id, source, data, hop, timestamp }: BusEvent,
    sealedGrant: string | null,
  ): Promise<boolean> {
    const stored = await em.query<unknown[]>(
      `INSERT INTO events (id, type, tenant_id, user_id, source, data, hop, at, sealed_grant) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT DO NOTHING RETURNING id`,
      [event_id, type, tenant_id, user_id, source, JSON.stringify(data), hop, timestamp, sealedGrant],
    );
    return stored.length > 0;
  }

  /**
   * Checks that the app may publish another event. Events of the app wait for each other only while
   * little room is left. An event that is already stored passes.
   *
   * @throws ExtensionError EVENT_BACKLOG_FULL if 10,000 events and deliveries of the app are not
   * handled yet.
   */
  private async assertRoom(em: EntityManager, source: string, eventId: string): Promise<void> {
    if (!(await hasBacklog(em, source, this.maxBacklog - MARGIN))) return;
    await em.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`events of ${source}`]);
    if (!(await hasBacklog(em, source, this.maxBacklog))) return;
    const [known] = await em.query<unknown[]>('SELECT FROM events WHERE id = $1', [eventId]);
    if (!known) throw EmitErrors.backlogFull(this.maxBacklog);
  }
}

/**
 * True if an app has published at least `count` unfinished items: events that were not yet given to
 * their subscribers, and unfinished deliveries to apps of its own developer. Reads no more than
 * that.
 */
async function hasBacklog(em: EntityManager, source: string, count: number): Promise<boolean> {
  const found = await em.query<unknown[]>(
    `SELECT FROM (
       SELECT FROM events WHERE source = $1 AND given_at IS NULL UNION ALL
       SELECT FROM event_deliveries WHERE source = $1 AND finished_at IS NULL) backlog OFFSET $2 LIMIT 1`,
    [source, Math.max(0, count - 1)],
  );
  return found.length > 0;
}
