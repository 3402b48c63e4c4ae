import { Inject, Injectable } from '@nestjs/common';
import type { OriginKey } from '@platform/guards';
import { MAX_EVENT_HOPS, PLATFORM_SOURCE, type BusEventType, type PublishedEventRequest } from '@platform/contracts';
import { JobsService } from '@platform/messaging';
import { columns, RetentionService, onViolation, Outbox, PAST_EVENT_USAGE, type RowOf } from '@platform/persistence';
import { AppError, newUuid } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountDeletionService, rowsOfUser } from '../../kernel/account-deletion/account-deletion.service.js';
import { CONFIG, type Config } from '../../config.js';
import { storeEvent, type TypedEvent } from '../../kernel/events/publish-event.js';
import { ExtensionHostClient } from '../../kernel/peers/extension-host/extension-host.client.js';
import type { RunGrant } from '../run-grants/run-grant.js';
import { RunGrantsService, REPORT_PERIOD_MS } from '../run-grants/run-grants.service.js';
import { findEventOwner, consumeEventQuota } from './event-quota.js';
import { eventQueue, eventsToHostQueue, type HandleJob } from './events.jobs.js';
import { StoredPlatformEvent } from './stored-platform-event.entity.js';

/** Origin of an event. */
interface Cause {
  /**
   * Hop count: one more than that of the event that caused this one. Above 8 nothing is published.
   */
  hop: number;
  /**
   * Scopes that runs caused by the event can use at most; an event passes them on to the events
   * that it causes. Null: all scopes of the user.
   */
  scopes: readonly string[] | null;
  /** API key that led to the event; only with `scopes`. */
  key: OriginKey | null;
  /** Apps that led to the event, without the app that publishes it; only with `scopes`. */
  apps: readonly string[] | null;
}

/** An event as features publish it. */
export interface NewEvent<Type extends BusEventType = BusEventType> extends TypedEvent<Type>, Partial<Cause> {}

/** An event as listeners receive it. */
export interface PlatformEvent extends Cause {
  id: string;
  type: string;
  tenantId: string;
  /** Null for an event without a user. */
  userId: string | null;
  data: Record<string, unknown>;
  /** ID of the app that published the event, or `platform`. */
  source: string;
  at: Date;
}

/**
 * Handles an event. It can be called again with the same event, and must change nothing then. If it
 * throws, it is called again, up to 30 times. For an event with much work it does a part, and
 * returns the position after which to continue; a separate job, in the owner's turn, then calls it
 * with this value as `after`.
 */
export type EventListener = (event: PlatformEvent, after?: string) => Promise<string | void>;

/**
 * True if the listener may have work for the event; it can say true too often. It runs in the
 * transaction that publishes the event, for every event: make it one indexed read without writes.
 * If it throws, that transaction is rolled back. If one filter is true, all listeners are called.
 * If all are false, there is no job, and no listener ever receives the event, even if a rule is
 * created a moment later.
 */
export type EventFilter = (em: EntityManager, event: PlatformEvent) => Promise<boolean>;

interface Registration {
  listener: EventListener;
  filter: EventFilter;
}

const STORED = ['type', 'tenantId', 'userId', 'source', 'payload', 'hop', 'scopes', 'key', 'apps', 'at'] as const;
const COLUMNS = columns(StoredPlatformEvent, STORED);

/**
 * Events of the bus in the gateway: keeps them for 8 days, calls the listening features, and sends
 * events of the platform to the host.
 */
@Injectable()
export class PlatformEventsService {
  private readonly listeners = new Map<string, Registration>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: JobsService,
    private readonly host: ExtensionHostClient,
    private readonly grants: RunGrantsService,
    @Inject(CONFIG) private readonly config: Config,
    retention: RetentionService,
    accountDeletion: AccountDeletionService,
  ) {
    jobs.registerHandlers(eventQueue, { handle: (job) => this.callListeners(job) });
    jobs.registerHandlers(eventsToHostQueue, { post: ({ event_id }) => this.postToHost(event_id) });
    // Longer than the host can be unavailable, and longer than clients can ask for missed events.
    retention.registerExpiredRows(
      { table: 'platform_events', key: 'id', where: "created_at < now() - interval '8 days'" },
      PAST_EVENT_USAGE,
    );
    accountDeletion.addDataStep(rowsOfUser('platform_events'));
  }

  /**
   * Registers a listener for events, including those of apps. It is called in a job soon after the
   * transaction of the event. Without a filter it receives all events. With one, it receives those
   * that its own filter or that of another listener accepts. Call this in the constructor of a
   * provider. Jobs contain the name of the listener, so a name must stay the same in later
   * releases. Processes of an older release do not know new filters: a new listener misses events
   * that these processes publish.
   */
  onEvent(name: string, listener: EventListener, filter: EventFilter = () => Promise.resolve(true)): void {
    if (this.listeners.has(name)) throw new Error(`Two listeners have the name ${name}.`);
    this.listeners.set(name, { listener, filter });
  }

  /**
   * Publishes an event of the platform for apps and automations, if the transaction commits. Use
   * `outbox.transaction`, or call `outbox.wake()` after the commit; otherwise the delivery is
   * delayed. Returns the ID of the event, or null if nothing is published: for a repeated ID, for
   * an unknown user or tenant, and if more than 8 event handlers led to it.
   */
  async publish<Type extends BusEventType>(
    em: EntityManager,
    { type, tenantId, userId, data, hop = 0, scopes = null, key = null, apps = null, id = newUuid() }: NewEvent<Type>,
  ): Promise<string | null> {
    if (hop > MAX_EVENT_HOPS) return null;
    const event = { id, type, tenantId, userId, data, hop, scopes, key, apps, source: PLATFORM_SOURCE, at: new Date() };
    if (!(await this.store(em, event, userId))) return null;
    await this.jobs.enqueue(em, eventsToHostQueue, 'post', { event_id: event.id, owner: userId });
    return event.id;
  }

  /**
   * Stores an event that an app published, as the host reports it: for the app and the user of the
   * run's grant, up to a day after the run. A retry changes nothing, even if the app can no longer
   * act.
   *
   * @throws AppError 403 `run_grant.*` if the grant is not valid or too old, if the app can no
   * longer act, and for a type of another app; 400 `event.too_many_hops` if more than 8 event
   * handlers led to it, `event.too_large` if its data is longer than 128 KiB as PostgreSQL writes
   * it; 429 `event.quota_exceeded` if the daily quota of the developer's apps, or the share of this
   * user, is used up: the host must retry later.
   */
  async acceptEvent({ grant, event_id, type, data, timestamp }: PublishedEventRequest): Promise<void> {
    // The host retries if it stopped before it received the answer. Changes of the user's apps
    // since then must not refuse a stored event.
    const run = await this.grants.authorizeUnlessDone(grant, REPORT_PERIOD_MS, (told) => this.isStored(event_id, told));
    if (!run) return;
    const { appId, tenantId, userId, hop, narrowing: scopes, key, apps = null } = run;
    if (!type.startsWith(`${appId}.`)) return this.grants.refuse(run, 'other_app');
    if (hop > MAX_EVENT_HOPS)
      throw new AppError(400, 'event.too_many_hops', 'Too many handlers of events led to this event.');
    const event = { id: event_id, type, tenantId, userId, source: appId, data, hop, scopes, key, apps, at: timestamp };
    await this.outbox.transaction(async (em) => {
      const owner = await findEventOwner(em, appId);
      const isStored = await this.store(em, event, owner).catch(
        onViolation(
          'platform_events_payload_check',
          () => new AppError(400, 'event.too_large', 'The data of the event is longer than 128 KiB.'),
        ),
      );
      if (isStored) await consumeEventQuota(em, { owner, userId }, data, this.config.EVENT_QUOTA_MB);
    });
  }

  /**
   * Stores an event, and enqueues the job that calls the listeners if one of their filters accepts
   * it. Returns false if the event is stored already, or if its user or tenant does not exist.
   *
   * @param owner owner of the job; null for none.
   */
  private async store(em: EntityManager, event: PlatformEvent, owner: string | null): Promise<boolean> {
    if (!(await storeEvent(em, event))) return false;
    if (await this.isAwaited(em, event))
      await this.jobs.enqueue(em, eventQueue, 'handle', { event_id: event.id, owner });
    return true;
  }

  private async isAwaited(em: EntityManager, event: PlatformEvent): Promise<boolean> {
    for (const { filter } of this.listeners.values()) if (await filter(em, event)) return true;
    return false;
  }

  private async callListeners(job: HandleJob): Promise<void> {
    const event = await this.find(job.event_id);
    if (!event) return;
    const { rest } = job;
    for (const listener of rest ? [rest.listener] : this.listeners.keys()) {
      const after = await this.listeners.get(listener)?.listener(event, rest?.after);
      if (typeof after !== 'string') continue;
      await this.outbox.transaction((em) =>
        this.jobs.enqueue(em, eventQueue, 'handle', { ...job, rest: { listener, after } }),
      );
    }
  }

  private async postToHost(id: string): Promise<void> {
    const event = await this.find(id);
    if (!event) return;
    const { type, tenantId, userId, source, data, hop, at } = event;
    await this.host.postEvent({
      event_id: id,
      type,
      tenant_id: tenantId,
      user_id: userId,
      source,
      data,
      hop,
      timestamp: at,
    });
  }

  private async isStored(id: string, { appId, tenantId, userId }: RunGrant): Promise<boolean> {
    const found = await this.dataSource.query<unknown[]>(
      'SELECT FROM platform_events WHERE id = $1 AND source = $2 AND tenant_id = $3 AND user_id IS NOT DISTINCT FROM $4',
      [id, appId, tenantId, userId],
    );
    return found.length > 0;
  }

  /** Returns the stored event with this ID; null if it was deleted. */
  private async find(id: string): Promise<PlatformEvent | null> {
    const [row] = await this.dataSource.query<RowOf<typeof COLUMNS>[]>(
      `SELECT ${COLUMNS} FROM platform_events WHERE id = $1`,
      [id],
    );
    if (!row) return null;
    const { type, tenant_id: tenantId, user_id: userId, source, payload: data, hop, scopes, key, apps, at } = row;
    return { id, type, tenantId, userId, source, data, hop, scopes, key, apps, at };
  }
}
