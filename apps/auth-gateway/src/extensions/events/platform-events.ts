import { Inject, Injectable } from '@nestjs/common';
import type { GivenKey } from '@platform/guards';
import { MAX_EVENT_HOPS, PLATFORM_SOURCE, type PublishedEventRequest } from '@platform/contracts';
import { Jobs } from '@platform/messaging';
import {
  columns,
  describeEventLimit,
  Expiries,
  Outbox,
  PAST_EVENT_USAGE,
  takeEventBytes,
  TenantData,
  type Row,
  type RowOf,
} from '@platform/persistence';
import { AppError, Errors, newUuid } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { Erasures, rowsOfUser } from '../../kernel/erasure/erasures.js';
import { CONFIG, type Config } from '../../config.js';
import type { App } from '../../apps/model/app.entity.js';
import { ExtensionHostClient } from '../../kernel/peers/extension-host/extension-host-client.js';
import { RunGrants, TOLD_AFTERWARDS_MS } from '../run-grants/run-grants.service.js';
import { eventQueue, eventsToHostQueue, type HandleJob } from './events.jobs.js';
import { StoredPlatformEvent } from './platform-event.entity.js';

/** As features publish it. */
export interface NewEvent {
  /** Such as `marketplace.app_installed`. */
  type: string;
  tenantId: string;
  /** Null for an event that is nobody's. */
  userId: string | null;
  data: Record<string, unknown>;
  /** Of what an event has caused: one more than its `hop`. Beyond 8 nothing is published. */
  hop?: number;
  /** What whatever it causes for its user may use at most: of an event that another one caused, those of that. Null: all that the user holds. */
  scopes?: readonly string[] | null;
  /** The API key that led to it; only with `scopes`. */
  key?: GivenKey | null;
  /** The apps that led to it, beside the one that publishes it; only with `scopes`. */
  apps?: readonly string[] | null;
  /** For work that may be done again: with the same id the event is published once. A new one unless told. */
  id?: string;
}

/** As those who listen get it. */
export interface PlatformEvent extends Required<NewEvent> {
  id: string;
  /** The app that has published it, or `platform`. */
  source: string;
  at: Date;
}

/**
 * May be called again with the same event, and must then change nothing. What it throws has it called again, up to 30 times. With much to do for an
 * event it does a part, and returns after what it is to go on: with that it is called by a job of its own, for which the owner waits for their turn.
 */
export type EventListener = (event: PlatformEvent, after?: string) => Promise<string | void>;

const STORED = ['type', 'tenantId', 'userId', 'source', 'payload', 'hop', 'scopes', 'key', 'apps', 'at'] as const;
const COLUMNS = columns(StoredPlatformEvent, STORED);

/** The events of the bus, as the gateway has them: kept for 8 days, told to its features and, the platform's own, to the host. */
@Injectable()
export class PlatformEvents {
  private readonly listeners = new Map<string, EventListener>();

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
   * Tells the listener of every event, also of those that apps publish, soon after its transaction. Call it in the constructor of a provider. Jobs name
   * the listener, also those of a release before.
   */
  onEvent(name: string, listener: EventListener): void {
    if (this.listeners.has(name)) throw new Error(`Two listeners are called ${name}.`);
    this.listeners.set(name, listener);
  }

  /**
   * An event of the platform, if and only if the transaction commits. Needs `outbox.transaction`, or `outbox.wake()` after the commit,
   * to be told at once. Returns the id of the event; null when nothing is published: once more, of a user or tenant that is not there,
   * and beyond the last hop.
   */
  async publish(
    em: EntityManager,
    { type, tenantId, userId, data, hop = 0, scopes = null, key = null, apps = null, id = newUuid() }: NewEvent,
  ): Promise<string | null> {
    if (hop > MAX_EVENT_HOPS) return null;
    const event = { id, type, tenantId, userId, data, hop, scopes, key, apps, source: PLATFORM_SOURCE, at: new Date() };
    if (!(await this.store(em, event, userId))) return null;
    await this.jobs.enqueue(em, eventsToHostQueue, 'post', { event_id: event.id, owner: userId });
    return event.id;
  }

  /**
   * An event that an app has published, from the host: the app's, and the user's or nobody's, of the run that the grant is of, up to a day
   * afterwards. Again it changes nothing.
   *
   * @throws AppError 403 for the grant, and for the type of another app; 400 when too many others led to it; 429 when the apps of its
   *   developer have published too much today, in all or for this user, so that it is to be told again later.
   */
  async accept({ grant, event_id, type, data, timestamp }: PublishedEventRequest): Promise<void> {
    const run = await this.grants.allow(grant, TOLD_AFTERWARDS_MS);
    const { appId, tenantId, userId, hop, narrowing: scopes, key, apps = null } = run;
    if (!type.startsWith(`${appId}.`)) return this.grants.refuse(run, 'other_app');
    if (hop > MAX_EVENT_HOPS) throw new AppError(400, 'event.too_many_hops', 'Too many handlers of events led to this event.');
    const event = { id: event_id, type, tenantId, userId, source: appId, data, hop, scopes, key, apps, at: new Date(timestamp) };
    await this.outbox.transaction(async (em) => {
      const [app] = await em.query<Row<App, 'developerId'>[]>('SELECT developer_id FROM apps WHERE app_id = $1', [appId]);
      const owner = app?.developer_id ?? appId;
      if (!(await this.store(em, event, owner))) return;
      const limit = await takeEventBytes(em, { owner, userId }, data, this.config.EVENT_QUOTA_MB * 1024 * 1024);
      if (limit) throw Errors.limited('event.quota_exceeded', describeEventLimit(limit), secondsOfDayLeft());
    });
  }

  /** For `owner`, whose it is among the jobs. False when it is there already, or nobody is there whose it could be. */
  private async store(em: EntityManager, event: PlatformEvent, owner: string | null): Promise<boolean> {
    const { id, type, tenantId, userId, source, data, hop, scopes, key, apps, at } = event;
    const sourceType = source === PLATFORM_SOURCE ? type.slice(0, type.search(/[.:]/)) : 'extension';
    const stored = await new TenantData(em, tenantId).query(
      `INSERT INTO platform_events (id, tenant_id, user_id, source_type, source, type, payload, hop, scopes, key, apps, at)
       SELECT $1, t.id, u.id, $3, $4, $5, $6, $7, $8, $9, $10, $11
       FROM tenants t LEFT JOIN users u ON u.id = $2 AND u.tenant_id = t.id AND u.erased_at IS NULL
       WHERE t.id = $tenant AND ($2::text IS NULL OR u.id IS NOT NULL)
       ON CONFLICT DO NOTHING RETURNING id`,
      [id, userId, sourceType, source, type, JSON.stringify(data), hop, scopes, key && JSON.stringify(key), apps, at],
    );
    if (!stored.length) return false;
    await this.jobs.enqueue(em, eventQueue, 'handle', { event_id: id, owner });
    return true;
  }

  private async handle(job: HandleJob): Promise<void> {
    const event = await this.find(job.event_id);
    if (!event) return;
    const { rest } = job;
    for (const listener of rest ? [rest.listener] : this.listeners.keys()) {
      const after = await this.listeners.get(listener)?.(event, rest?.after);
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
      timestamp: at.toISOString(),
    });
  }

  /** Null when it is no longer kept. */
  private async find(id: string): Promise<PlatformEvent | null> {
    const [row] = await this.dataSource.query<RowOf<typeof COLUMNS>[]>(`SELECT ${COLUMNS} FROM platform_events WHERE id = $1`, [id]);
    if (!row) return null;
    const { type, tenant_id: tenantId, user_id: userId, source, payload: data, hop, scopes, key, apps, at } = row;
    return { id, type, tenantId, userId, source, data, hop, scopes, key, apps, at };
  }
}

const DAY_SECONDS = 86_400;

/** Until the next day (UTC) begins. */
const secondsOfDayLeft = (): number => DAY_SECONDS - ((Date.now() / 1_000) % DAY_SECONDS);
