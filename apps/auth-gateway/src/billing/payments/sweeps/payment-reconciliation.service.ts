import { Inject, Injectable } from '@nestjs/common';
import {
  InboundEventsRepository,
  PaymentsRepository,
  PaymentSweepService,
  RefundsService,
  RefundSweepService,
} from '@platform/billing';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { ProviderEventsService } from '../provider-events/provider-events.service.js';
import { PaymentSweepsWorker } from './payment-sweeps.worker.js';

export interface ReconciliationResult {
  /** Payments that were not final and were checked at the provider. */
  asked: number;
  /** Payments with a changed status. */
  changed: number;
  /** Events that were not handled before. */
  events: number;
  /**
   * Work that is left: payments with an unknown state or still to be canceled, refunds without an
   * answer, and events that are not handled.
   */
  left: number;
}

/** A pass finds work that a running service was doing during the previous one. */
const MAX_PASSES = 3;

/**
 * Updates everything that is not final from the provider, immediately. Safe to repeat, and to run
 * beside running services.
 */
@Injectable()
export class PaymentReconciliationService {
  constructor(
    private readonly sweep: PaymentSweepService,
    private readonly sweeps: PaymentSweepsWorker,
    private readonly refundSweep: RefundSweepService,
    private readonly refunds: RefundsService,
    private readonly payments: PaymentsRepository,
    private readonly inbound: InboundEventsRepository,
    private readonly events: ProviderEventsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Fetches missed events, handles all open ones, and checks all payments and refunds that are not
   * final. Repeats that up to three times while work is left.
   *
   * @returns the numbers of all passes; `left` after the last one.
   * @throws ServiceUnavailable if the provider is not available. Work that is already done stays
   * done.
   */
  async reconcilePayments(): Promise<ReconciliationResult> {
    const done: ReconciliationResult = { asked: 0, changed: 0, events: 0, left: 0 };
    for (let pass = 1; pass <= MAX_PASSES; pass++) {
      await this.runPass(done);
      if (!done.left) break;
    }
    return done;
  }

  private async runPass(done: ReconciliationResult): Promise<void> {
    await this.sweeps.fetchMissedEvents();
    done.events += await this.handleOpen();
    const since = new Date();
    for (let looked = 1; looked > 0; done.asked += looked) {
      const swept = await this.sweep.checkDuePayments({ since });
      looked = swept.checked;
      done.changed += swept.changed;
    }
    while (await this.refundSweep.checkDueRefunds({ since }));
    done.left =
      (await this.payments.countUnknown()) +
      (await this.refunds.countRequested()) +
      (await this.inbound.listOpenIds()).length;
  }

  /** Tries each open event once, and logs those that fail. Returns the number of tried events. */
  private async handleOpen(): Promise<number> {
    const tried = new Set<string>();
    for (;;) {
      const open = (await this.inbound.listOpenIds()).filter((id) => !tried.has(id));
      if (!open.length) return tried.size;
      for (const id of open) {
        tried.add(id);
        await this.events
          .handleEvent(id)
          .catch((error: unknown) => this.logger.error({ err: error, event_id: id }, 'an event could not be handled'));
      }
    }
  }
}
