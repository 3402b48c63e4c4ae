import { Inject, Injectable } from '@nestjs/common';
import {
  CustomersService,
  InboundEventsRepository,
  OPEN_EVENT_BATCH,
  PAYMENT_BATCH,
  PaymentProvider,
  PaymentsRepository,
  PaymentSweepService,
} from '@platform/billing';
import { MaintenanceTasksService } from '@platform/messaging';
import { runInTurn } from '@platform/persistence';
import { isCircuitOpen, LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { Gauge, Registry } from 'prom-client';
import { ProviderEventsService } from '../provider-events/provider-events.service.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/**
 * Milliseconds; longer than the three days for which Stripe retries an event. Stripe keeps events
 * for 30 days.
 */
const EVENTS_SINCE_MS = 4 * 24 * HOUR_MS;

/** Checks payments and events that no webhook reported. */
@Injectable()
export class PaymentSweepsWorker {
  constructor(
    private readonly customers: CustomersService,
    private readonly payments: PaymentsRepository,
    private readonly sweep: PaymentSweepService,
    private readonly inbound: InboundEventsRepository,
    private readonly events: ProviderEventsService,
    private readonly provider: PaymentProvider,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
    tasks: MaintenanceTasksService,
    metrics: Registry,
  ) {
    tasks.scheduleTask(MINUTE_MS, 'unsettled-payments', () => this.checkUnsettledPayments());
    tasks.scheduleTask(MINUTE_MS, 'open-payment-events', () => this.handleOpenEvents());
    tasks.scheduleTask(HOUR_MS, 'missed-payment-events', () => this.fetchMissedEvents());
    this.measure(metrics);
  }

  async checkUnsettledPayments(): Promise<void> {
    await runInTurn([async () => (await this.sweep.checkDuePayments()).checked], { full: PAYMENT_BATCH });
  }

  /**
   * Handles events that their job has given up. Disputes, cards, and refunds that are made at the
   * provider are reported only by events.
   */
  async handleOpenEvents(): Promise<void> {
    await runInTurn([() => this.handleBatch()], { full: OPEN_EVENT_BATCH });
  }

  /**
   * Handles one batch of due events and returns its size. A failing event does not stop the others.
   * An outage of the provider does, and is thrown.
   */
  private async handleBatch(): Promise<number> {
    const due = await this.inbound.claimDueIds();
    for (const [at, id] of due.entries()) {
      try {
        await this.events.handleEvent(id);
      } catch (error) {
        if (isCircuitOpen(error)) {
          await this.inbound.releaseUntried(due.slice(at));
          throw error;
        }
        this.logger.error(
          { err: error, event_id: id },
          'an event of the payment provider could not be handled; it is retried later',
        );
      }
    }
    return due.length;
  }

  /**
   * Fetches events that the provider could not deliver, for example during an outage of the
   * gateway. Does nothing on a platform without any customer.
   */
  async fetchMissedEvents(): Promise<void> {
    if (!(await this.customers.hasAnyCustomer())) return;
    const events = await this.provider.listUndeliveredEvents(new Date(Date.now() - EVENTS_SINCE_MS));
    // In parallel, so that many events are stored in one transaction.
    await Promise.all(events.map((event) => this.events.recordEvent(event)));
  }

  private measure(metrics: Registry): void {
    const { payments, inbound } = this;
    new Gauge({
      name: 'payments_unsettled_age_seconds',
      help: 'Age in seconds of the oldest payment that is not final: created or unknown (no answer of the provider), canceling (still to be canceled), processing (at the bank)',
      labelNames: ['status'],
      registers: [metrics],
      async collect() {
        for (const { status, age } of await payments.getOldestAges()) this.set({ status }, age);
      },
    });
    new Gauge({
      name: 'payment_events_open_age_seconds',
      help: 'Age in seconds of the oldest event of the payment provider that is not handled',
      registers: [metrics],
      async collect() {
        this.set(await inbound.getOldestOpenAge());
      },
    });
  }
}
