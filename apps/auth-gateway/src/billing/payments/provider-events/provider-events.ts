import { Injectable } from '@nestjs/common';
import { Charges, Customers, type ProviderEvent } from '@platform/billing';
import { Jobs } from '@platform/messaging';
import { Expiries, Outbox } from '@platform/persistence';
import { DataSource } from 'typeorm';
import { paymentQueue } from './payment.jobs.js';

export const STRIPE = 'stripe';

/** What events are about of which something is to be done. All others are written down and mean nothing. */
const MEANT = /^(payment_intent|charge|refund|setup_intent|payment_method|customer|radar\.early_fraud_warning)\./;

/** Does what an event means, by asking the provider for its object again. Safe to run again, and in any order. */
export type EventHandler = (event: ProviderEvent) => Promise<void>;

/** Events of the provider: each is written down once, and a job does what it means. */
@Injectable()
export class ProviderEvents {
  private readonly handlers: { types: RegExp; handle: EventHandler }[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
    charges: Charges,
    customers: Customers,
    expiries: Expiries,
  ) {
    jobs.process(paymentQueue, {
      event: ({ event_id }) => this.handle(event_id),
      profile: ({ user_id }, { id }) => customers.tellProfile(user_id, id),
    });
    expiries.add({ table: 'inbound_events', key: 'provider, event_id', where: "received_at < now() - interval '90 days'" });
    this.on(/^(payment_intent|charge)\./, async ({ intentId }) => {
      if (intentId !== null) await charges.look(intentId);
    });
  }

  /** Has these types of events handled, too. Call it in the constructor of a provider. */
  on(types: RegExp, handle: EventHandler): void {
    this.handlers.push({ types, handle });
  }

  /** Once, however often the event comes: of many at the same time one writes it down. */
  async record({ id, type, objectId, intentId }: ProviderEvent): Promise<void> {
    const isMeant = MEANT.test(type);
    await this.outbox.transaction(async (em) => {
      const [isNew] = await em.query<unknown[]>(
        `INSERT INTO inbound_events (provider, event_id, type, object_id, intent_id, handled_at)
         VALUES ($1, $2, $3, $4, $5, CASE WHEN $6 THEN NULL ELSE now() END) ON CONFLICT DO NOTHING RETURNING 1`,
        [STRIPE, id, type, objectId, intentId, isMeant],
      );
      if (isNew && isMeant) await this.jobs.enqueue(em, paymentQueue, 'event', { event_id: id });
    });
  }

  private async handle(eventId: string): Promise<void> {
    const [event] = await this.dataSource.query<ProviderEvent[]>(
      `SELECT event_id AS id, type, object_id AS "objectId", intent_id AS "intentId" FROM inbound_events
       WHERE provider = $1 AND event_id = $2 AND handled_at IS NULL`,
      [STRIPE, eventId],
    );
    if (!event) return;
    for (const { types, handle } of this.handlers) if (types.test(event.type)) await handle(event);
    await this.dataSource.query('UPDATE inbound_events SET handled_at = now() WHERE provider = $1 AND event_id = $2', [STRIPE, eventId]);
  }
}
