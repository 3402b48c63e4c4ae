import { Injectable } from '@nestjs/common';
import { Charges, Customers, InboundEvents, OLD_EVENTS, type ProviderEvent } from '@platform/billing';
import { Jobs } from '@platform/messaging';
import { Expiries, Outbox } from '@platform/persistence';
import { paymentQueue } from './payment.jobs.js';

/** Does what an event means, by asking the provider for its object again. Safe to run again, and in any order. */
export type EventHandler = (event: ProviderEvent) => Promise<void>;

/** Events of the provider: each is written down once, and a job does what it means. */
@Injectable()
export class ProviderEvents {
  private readonly handlers: { types: RegExp; handle: EventHandler }[] = [];

  constructor(
    private readonly events: InboundEvents,
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
    expiries.add(OLD_EVENTS);
    this.on(/^(payment_intent|charge)\./, async ({ intentId }) => {
      if (intentId !== null) await charges.look(intentId);
    });
  }

  /** Has these types of events handled, too. Call it in the constructor of a provider. */
  on(types: RegExp, handle: EventHandler): void {
    this.handlers.push({ types, handle });
  }

  /** Once, however often the event comes. One of a type that nobody handles is written down, and means nothing. */
  async record(event: ProviderEvent): Promise<void> {
    const isMeant = this.handlers.some(({ types }) => types.test(event.type));
    await this.outbox.transaction(async (em) => {
      const isNew = await this.events.add(em, event, isMeant);
      if (isNew && isMeant) await this.jobs.enqueue(em, paymentQueue, 'event', { event_id: event.id });
    });
  }

  /** Does what an event means, where that was not done yet. */
  async handle(eventId: string): Promise<void> {
    const event = await this.events.findOpen(eventId);
    if (!event) return;
    for (const { types, handle } of this.handlers) if (types.test(event.type)) await handle(event);
    await this.events.markHandled(eventId);
  }
}
