import { Inject, Injectable } from '@nestjs/common';
import { MAX_EVENT_HOPS, PLATFORM_SOURCE, type BusEvent } from '@platform/contracts';
import { Jobs } from '@platform/messaging';
import { Outbox, TenantData } from '@platform/persistence';
import { newUuid } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { ExtensionHostClient } from '../extension-host/extension-host-client.js';
import { eventQueue, eventsToHostQueue } from './events.jobs.js';

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

/** May be called again with the same event, and must then change nothing. What it throws has it called again, up to 30 times. */
export type EventListener = (event: PlatformEvent) => Promise<void>;

const COLUMNS = 'id, type, tenant_id, user_id, source, payload, hop, at';

interface Row {
  id: string;
  type: string;
  tenant_id: string;
  user_id: string | null;
  source: string;
  payload: Record<string, unknown>;
  hop: number;
  at: Date;
}

/** The events of the bus, as the gateway has them: kept for 48 hours, told to its features and, the platform's own, to the host. */
@Injectable()
export class PlatformEvents {
  private readonly listeners: EventListener[] = [];

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Outbox) private readonly outbox: Outbox,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(ExtensionHostClient) private readonly host: ExtensionHostClient,
  ) {
    jobs.process(eventQueue, { handle: ({ event_id }) => this.handle(event_id) });
    jobs.process(eventsToHostQueue, { post: ({ event_id }) => this.post(event_id) });
  }

  /** Call it while the feature is made. It is told of every event, also of those that apps publish, soon after their transaction. */
  onEvent(listener: EventListener): void {
    this.listeners.push(listener);
  }

  /**
   * An event of the platform, if and only if the transaction commits. Needs `outbox.transaction`, or `outbox.wake()` after the commit,
   * to be told at once. Returns the id of the event; null when nothing is published: once more, of a user or tenant that is not there,
   * and beyond the last hop.
   */
  async publish(em: EntityManager, { type, tenantId, userId, data, hop = 0, id = newUuid() }: NewEvent): Promise<string | null> {
    if (hop > MAX_EVENT_HOPS) return null;
    const event = { id, type, tenantId, userId, data, hop, source: PLATFORM_SOURCE, at: new Date() };
    if (!(await this.store(em, event))) return null;
    await this.jobs.enqueue(em, eventsToHostQueue, 'post', { event_id: event.id });
    return event.id;
  }

  /** An event that an app has published, from the host. Again, or of somebody who is not there, it changes nothing. */
  async accept({ event_id, type, tenant_id, user_id, source, data, hop, timestamp }: BusEvent): Promise<void> {
    const at = new Date(timestamp);
    const event = { id: event_id, type, tenantId: tenant_id, userId: user_id, source, data, hop, at };
    await this.outbox.transaction((em) => this.store(em, event));
  }

  /** False when it is there already, or nobody is there whose it could be. */
  private async store(em: EntityManager, { id, type, tenantId, userId, source, data, hop, at }: PlatformEvent): Promise<boolean> {
    const sourceType = source === PLATFORM_SOURCE ? type.slice(0, type.search(/[.:]/)) : 'extension';
    const stored = await new TenantData(em, tenantId).query(
      `INSERT INTO platform_events (id, tenant_id, user_id, source_type, source, type, payload, hop, at)
       SELECT $1, t.id, u.id, $3, $4, $5, $6, $7, $8
       FROM tenants t LEFT JOIN users u ON u.id = $2 AND u.tenant_id = t.id AND u.erased_at IS NULL
       WHERE t.id = $tenant AND ($2::text IS NULL OR u.id IS NOT NULL)
       ON CONFLICT DO NOTHING RETURNING id`,
      [id, userId, sourceType, source, type, JSON.stringify(data), hop, at],
    );
    if (!stored.length) return false;
    await this.jobs.enqueue(em, eventQueue, 'handle', { event_id: id });
    return true;
  }

  private async handle(id: string): Promise<void> {
    const event = await this.find(id);
    if (event) for (const listener of this.listeners) await listener(event);
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
    const [row] = await this.dataSource.query<Row[]>(`SELECT ${COLUMNS} FROM platform_events WHERE id = $1`, [id]);
    if (!row) return null;
    const { type, tenant_id: tenantId, user_id: userId, source, payload: data, hop, at } = row;
    return { id, type, tenantId, userId, source, data, hop, at };
  }
}
