import { Inject, Injectable } from '@nestjs/common';
import { PLATFORM_SOURCE, type BusEvent } from '@platform/contracts';
import { Jobs } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import type { EntityManager } from 'typeorm';
import { EmitErrors } from './events.errors.js';
import { eventQueue, eventsToGatewayQueue } from './events.jobs.js';

/**
 * How much of what an app has published may be unfinished: events that have not been given to their subscribers, and deliveries to apps
 * of the same developer.
 */
export const MAX_BACKLOG = 10_000;
/** More than are published at the same moment by all processes. */
const MARGIN = 500;

/** Where events come in. */
@Injectable()
export class EventBus {
  maxBacklog = MAX_BACKLOG;

  constructor(
    @Inject(Outbox) private readonly outbox: Outbox,
    @Inject(Jobs) private readonly jobs: Jobs,
  ) {}

  /**
   * Keeps an event, for its subscribers and, unless it is from there, for the gateway. The same one again changes nothing.
   *
   * @throws ExtensionError EVENT_BACKLOG_FULL, retryable, when too much of what the app has published is not handled yet.
   */
  async publish({ event_id, type, tenant_id, user_id, source, data, hop, timestamp }: BusEvent): Promise<void> {
    await this.outbox.transaction(async (em) => {
      if (source !== PLATFORM_SOURCE) await this.assertRoom(em, source, event_id);
      const stored = await em.query<unknown[]>(
        `INSERT INTO events (id, type, tenant_id, user_id, source, data, hop, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT DO NOTHING RETURNING id`,
        [event_id, type, tenant_id, user_id, source, JSON.stringify(data), hop, timestamp],
      );
      if (!stored.length) return;
      await this.jobs.enqueue(em, eventQueue, 'give', { event_id });
      if (source !== PLATFORM_SOURCE) await this.jobs.enqueue(em, eventsToGatewayQueue, 'post', { event_id });
    });
  }

  /** What an app publishes at the same moment waits for each other only while there is little room. */
  private async assertRoom(em: EntityManager, source: string, eventId: string): Promise<void> {
    if (!(await hasBacklog(em, source, this.maxBacklog - MARGIN))) return;
    await em.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`events of ${source}`]);
    if (!(await hasBacklog(em, source, this.maxBacklog))) return;
    const [known] = await em.query<unknown[]>('SELECT FROM events WHERE id = $1', [eventId]);
    if (!known) throw EmitErrors.backlogFull(this.maxBacklog);
  }
}

/** Whether there are so many or more; looks at no more than that. */
async function hasBacklog(em: EntityManager, source: string, count: number): Promise<boolean> {
  const found = await em.query<unknown[]>(
    `SELECT FROM (
       SELECT FROM events WHERE source = $1 AND given_at IS NULL UNION ALL
       SELECT FROM event_deliveries WHERE source = $1 AND finished_at IS NULL) backlog OFFSET $2 LIMIT 1`,
    [source, Math.max(0, count - 1)],
  );
  return found.length > 0;
}
