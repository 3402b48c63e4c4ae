import { Inject, Injectable } from '@nestjs/common';
import { PLATFORM_SOURCE, type BusEvent } from '@platform/contracts';
import { Jobs } from '@platform/messaging';
import { Outbox } from '@platform/persistence';
import { eventQueue, eventsToGatewayQueue } from './events.jobs.js';

/** Where events come in. */
@Injectable()
export class EventBus {
  constructor(
    @Inject(Outbox) private readonly outbox: Outbox,
    @Inject(Jobs) private readonly jobs: Jobs,
  ) {}

  /** Keeps an event, for its subscribers and, unless it is from there, for the gateway. The same one again changes nothing. */
  async publish({ event_id, type, tenant_id, user_id, source, data, hop, timestamp }: BusEvent): Promise<void> {
    await this.outbox.transaction(async (em) => {
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
}
