import { Inject, Injectable } from '@nestjs/common';
import type { GivenKey } from '@platform/guards';
import { MAX_EVENT_HOPS, PLATFORM_SOURCE, type BusEventType, type PublishedEventRequest } from '@platform/contracts';
import { Jobs } from '@platform/messaging';
import { columns, Expiries, onViolation, Outbox, PAST_EVENT_USAGE, type RowOf } from '@platform/persistence';
import { AppError, newUuid } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { Erasures, rowsOfUser } from '../../kernel/erasure/erasures.js';
import { CONFIG, type Config } from '../../config.js';
import { storeEvent, type TypedEvent } from '../../kernel/events/publish-event.js';
import { ExtensionHostClient } from '../../kernel/peers/extension-host/extension-host-client.js';
import type { RunGrant } from '../run-grants/run-grant.js';
import { RunGrants, TOLD_AFTERWARDS_MS } from '../run-grants/run-grants.service.js';
import { eventOwnerOf, takeEventQuota } from './event-quota.js';
import { eventQueue, eventsToHostQueue, type HandleJob } from './events.jobs.js';
import { StoredPlatformEvent } from './platform-event.entity.js';

/** What led to an event. */
interface Cause {
  /** Of what an event has caused: one more than its `hop`. Beyond 8 nothing is published. */
  hop: number;
  /** What whatever it causes for its user may use at most: of an event that another one caused, those of that. Null: all that the user holds. */
  scopes: readonly string[] | null;
  /** The API key that led to it; only with `scopes`. */
  key: GivenKey | null;
  /** The apps that led to it, beside the one that publishes it; only with `scopes`. */
  apps: readonly string[] | null;
}

/** As features publish it. */
export interface NewEvent<Type extends BusEventType = BusEventType> extends TypedEvent<Type>, Partial<Cause> {}

/** As those who listen get it. */
export interface PlatformEvent extends Cause {
  id: string;
  type: string;
  tenantId: string;
  /** Null for an event that is nobody's. */
  userId: string | null;
  data: Record<string, unknown>;
  /** The app that has published it, or `platform`. */
  source: string;
  at: Date;
}

/**
 * May be called again with the same event, and must then change nothing. What it throws has it called again, up to 30 times. With much to do for an
 * event it does a part, and returns after what it is to go on: with that it is called by a job of its own, for which the owner waits for their turn.
 */
export type EventListener = (event: PlatformEvent, after?: string) => Promise<string | void>;

/**
 * Whether the listener may have work for an event. Runs in the transaction that publishes it, for every event: one read by an index, no writes; what it
 * throws undoes that transaction. It may say true too often. Where one filter says true, all listeners are called. Where all say false there is no job, and no listener ever hears of the event, also
 * if a rule is made a moment later.
 */
export type EventFilter = (em: EntityManager, event: PlatformEvent) => Promise<boolean>;

interface Registration {
  listener: EventListener;
  filter: EventFilter;
}

const STORED = ['type', 'tenantId', 'userId', 'source', 'payload', 'hop', 'scopes', 'key', 'apps', 'at'] as const;
const COLUMNS = columns(StoredPlatformEvent, STORED);

/** The events of the bus, as the gateway has them: kept for 8 days, told to its features and, the platform's own, to the host. */
@Injectable()
export class PlatformEvents {
  private readonly listeners = new Map<string, Registration>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
    private readonly host: ExtensionHostClient,
    private readonly grants: RunGrants,
    @Inject(CONFIG) private readonly config: Config,
    expiries: Expiries,
    erasures: Erasures,
  ) {
    jobs.process(eventQueue, { handle: (job) => this.handle(job) });
    jobs.process(eventsToHostQueue, { post: ({ event_id }) => this.post(event_id) });
    // Longer than the host may be away, and than a client may come back to what it has missed.
    expiries.add({ table: 'platform_events', key: 'id', where: "created_at < now() - interval '8 days'" }, PAST_EVENT_USAGE);
    erasures.addDataStep(rowsOfUser('platform_events'));
  }

  /**
   * Calls the listener for events, also those that apps publish, in a job soon after their transaction. Without a filter: for all of them. With one: for those
   * that its filter or that of another listener lets through. Call it in the constructor of a provider. Jobs, also those of a release before, name the
   * listener. A process of a release before asks only the filters that it knows: a new listener misses what such a process publishes.
   */
  onEvent(name: string, listener: EventListener, filter: EventFilter = () => Promise.resolve(true)): void {
    if (this.listeners.has(name)) throw new Error(`Two listeners are called ${name}.`);
    this.listeners.set(name, { listener, filter });
  }

  /**
   * An event of the platform that apps and automations may handle, if and only if the transaction commits. Needs `outbox.transaction`, or `outbox.wake()` after the commit,
   * to be told at once. Returns the id of the event; null when nothing is published: once more, of a user or tenant that is not there,
   * and beyond the last hop.
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
   * An event that an app has published, from the host: the app's, and the user's or nobody's, of the run that the grant is of, up to a day
   * afterwards. Again it changes nothing, also where the run may not publish any more.
   *
   * @throws AppError 403 for the grant, and for the type of another app; 400 when too many others led to it, or its data is longer than 128 KiB as PostgreSQL writes it; 429 when the apps of its
   *   developer have published too much today, in all or for this user, so that it is to be told again later.
   */
  async accept({ grant, event_id, type, data, timestamp }: PublishedEventRequest): Promise<void> {
    // The host may have ended before it heard that the event was taken: what became of the user's apps since then does not change it.
    const run = await this.grants.allowUnlessDone(grant, TOLD_AFTERWARDS_MS, (told) => this.isStored(event_id, told));
    if (!run) return;
    const { appId, tenantId, userId, hop, narrowing: scopes, key, apps = null } = run;
    if (!type.startsWith(`${appId}.`)) return this.grants.refuse(run, 'other_app');
    if (hop > MAX_EVENT_HOPS) throw new AppError(400, 'event.too_many_hops', 'Too many handlers of events led to this event.');
    const event = { id: event_id, type, tenantId, userId, source: appId, data, hop, scopes, key, apps, at: timestamp };
    await this.outbox.transaction(async (em) => {
      const owner = await eventOwnerOf(em, appId);
      const isStored = await this.store(em, event, owner).catch(
        onViolation('platform_events_payload_check', () => new AppError(400, 'event.too_large', 'The data of an event is too long.')),
      );
      if (isStored) await takeEventQuota(em, { owner, userId }, data, this.config.EVENT_QUOTA_MB);
    });
  }

  /** For `owner`, whose it is among the jobs. False when it is there already, or nobody is there whose it could be. */
  private async store(em: EntityManager, event: PlatformEvent, owner: string | null): Promise<boolean> {
    if (!(await storeEvent(em, event))) return false;
    if (await this.isAwaited(em, event)) await this.jobs.enqueue(em, eventQueue, 'handle', { event_id: event.id, owner });
    return true;
  }

  private async isAwaited(em: EntityManager, event: PlatformEvent): Promise<boolean> {
    for (const { filter } of this.listeners.values()) if (await filter(em, event)) return true;
    return false;
  }

  private async handle(job: HandleJob): Promise<void> {
    const event = await this.find(job.event_id);
    if (!event) return;
    const { rest } = job;
    for (const listener of rest ? [rest.listener] : this.listeners.keys()) {
      const after = await this.listeners.get(listener)?.listener(event, rest?.after);
      if (typeof after !== 'string') continue;
      await this.outbox.transaction((em) => this.jobs.enqueue(em, eventQueue, 'handle', { ...job, rest: { listener, after } }));
    }
  }

  private async post(id: string): Promise<void> {
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

  /** Null when it is no longer kept. */
  private async find(id: string): Promise<PlatformEvent | null> {
    const [row] = await this.dataSource.query<RowOf<typeof COLUMNS>[]>(`SELECT ${COLUMNS} FROM platform_events WHERE id = $1`, [id]);
    if (!row) return null;
    const { type, tenant_id: tenantId, user_id: userId, source, payload: data, hop, scopes, key, apps, at } = row;
    return { id, type, tenantId, userId, source, data, hop, scopes, key, apps, at };
  }
}
