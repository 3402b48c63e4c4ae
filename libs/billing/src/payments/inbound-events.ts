import { Injectable } from '@nestjs/common';
import type { ExpiredRows } from '@platform/persistence';
import { DataSource, type EntityManager } from 'typeorm';
import type { ProviderEvent } from './payment-provider.js';

const PROVIDER = 'stripe';

/** Stripe sends an event again for three days, and keeps it for 30. */
export const OLD_EVENTS: ExpiredRows = {
  table: 'inbound_events',
  key: 'provider, event_id',
  where: "received_at < now() - interval '90 days'",
};

/** Events of the provider, as they were received. */
@Injectable()
export class InboundEvents {
  constructor(private readonly dataSource: DataSource) {}

  /** Whether it is new: of many that come at the same time one is. `isMeant`: whether there is something to do for it. */
  async add(em: EntityManager, { id, type, objectId, intentId }: ProviderEvent, isMeant: boolean): Promise<boolean> {
    const added = await em.query<unknown[]>(
      `INSERT INTO inbound_events (provider, event_id, type, object_id, intent_id, handled_at)
       VALUES ($1, $2, $3, $4, $5, CASE WHEN $6 THEN NULL ELSE now() END) ON CONFLICT DO NOTHING RETURNING 1`,
      [PROVIDER, id, type, objectId, intentId, isMeant],
    );
    return added.length > 0;
  }

  /** Null where it was handled, or never came. */
  async findOpen(id: string): Promise<ProviderEvent | null> {
    const [event] = await this.dataSource.query<ProviderEvent[]>(
      `SELECT event_id AS id, type, object_id AS "objectId", intent_id AS "intentId" FROM inbound_events
       WHERE provider = $1 AND event_id = $2 AND handled_at IS NULL`,
      [PROVIDER, id],
    );
    return event ?? null;
  }

  async markHandled(id: string): Promise<void> {
    await this.dataSource.query('UPDATE inbound_events SET handled_at = now() WHERE provider = $1 AND event_id = $2', [PROVIDER, id]);
  }

  /** Since when, in seconds, the oldest event waits; 0 where none does. */
  async oldestOpenAge(): Promise<number> {
    const [row] = await this.dataSource.query<[{ age: string }]>(
      'SELECT coalesce(extract(epoch FROM now() - min(received_at)), 0) AS age FROM inbound_events WHERE handled_at IS NULL',
    );
    return Number(row.age);
  }
}
