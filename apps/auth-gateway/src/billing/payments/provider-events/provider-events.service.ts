import { Injectable } from '@nestjs/common';
import {
  CardTestingService,
  ChargesService,
  CustomersService,
  DeclinesRepository,
  InboundEventsRepository,
  OLD_DECLINES,
  OLD_EVENTS,
  OLD_UNPAID_PAYMENTS,
  type ProviderEvent,
} from '@platform/billing';
import { JobsService } from '@platform/messaging';
import { RetentionService, Outbox } from '@platform/persistence';
import { Batcher } from '@platform/platform';
import { paymentQueue } from './payment.jobs.js';

/** Most events that one transaction stores. */
const MAX_EVENTS = 200;

/**
 * Handles an event by reading its object from the provider again. Must be safe to repeat, and in
 * any order.
 */
export type EventHandler = (event: ProviderEvent) => Promise<void>;

/** Events of the provider. Each event is stored once, and a job handles it. */
@Injectable()
export class ProviderEventsService {
  private readonly handlers: { types: RegExp; handle: EventHandler }[] = [];
  private readonly recording = new Batcher((events: ProviderEvent[]) => this.recordAll(events), {
    maxItems: MAX_EVENTS,
  });

  constructor(
    private readonly events: InboundEventsRepository,
    private readonly outbox: Outbox,
    private readonly jobs: JobsService,
    private readonly declines: DeclinesRepository,
    cardTesting: CardTestingService,
    charges: ChargesService,
    customers: CustomersService,
    retention: RetentionService,
  ) {
    jobs.registerHandlers(paymentQueue, {
      event: ({ event_id }) => this.handleEvent(event_id),
      profile: ({ user_id }, { id }) => customers.sendProfile(user_id, id),
    });
    retention.registerExpiredRows(OLD_EVENTS, OLD_DECLINES, OLD_UNPAID_PAYMENTS);
    this.onEvent(/^(payment_intent|charge)\./, async ({ intentId }) => {
      if (intentId !== null) await charges.refreshIntent(intentId);
    });
    this.onEvent(/^customer\.deleted$/, async ({ objectId }) => {
      await customers.refreshCustomer(objectId);
    });
    this.onEvent(/^(payment_intent\.payment|setup_intent\.setup)_failed$/, ({ objectId }) =>
      cardTesting.stopCardTesting(objectId),
    );
  }

  /** Adds a handler for these types of events. Call this in the constructor of a provider. */
  onEvent(types: RegExp, handle: EventHandler): void {
    this.handlers.push({ types, handle });
  }

  /**
   * Stores an event and queues its job. Safe to repeat: a known event has no effect. An event
   * without a handler is only stored.
   */
  recordEvent(event: ProviderEvent): Promise<void> {
    return this.recording.addItem(event);
  }

  private async recordAll(events: ProviderEvent[]): Promise<void[]> {
    await this.outbox.transaction(async (em) => {
      const added = await this.events.addEvents(
        em,
        events.map((event) => ({ ...event, hasHandler: this.hasHandler(event) })),
      );
      await this.declines.addDeclines(
        em,
        events.flatMap(({ decline }) => decline ?? []),
      );
      const toHandle = new Set(
        events.filter((event) => added.has(event.id) && this.hasHandler(event)).map(({ id }) => id),
      );
      const payloads = [...toHandle].map((event_id) => ({ event_id }));
      if (payloads.length) await this.jobs.enqueueAll(em, paymentQueue, 'event', payloads);
    });
    return events.map(() => undefined);
  }

  private hasHandler({ type }: ProviderEvent): boolean {
    return this.handlers.some(({ types }) => types.test(type));
  }

  /**
   * Runs the handlers of a stored event. Does nothing if it was handled before or never arrived.
   *
   * @throws the error of a handler; the event is then not handled.
   */
  async handleEvent(eventId: string): Promise<void> {
    const event = await this.events.findOpenEvent(eventId);
    if (!event) return;
    for (const { types, handle } of this.handlers) if (types.test(event.type)) await handle(event);
    await this.events.markHandled(eventId);
  }
}
