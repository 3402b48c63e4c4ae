import { Inject, Injectable } from '@nestjs/common';
import { InboundEvents, Payments, PaymentSweep, Refunds, RefundSweep } from '@platform/billing';
import { LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { ProviderEvents } from '../provider-events/provider-events.js';
import { PaymentSweeps } from './payment-sweeps.js';

export interface Reconciled {
  /** Payments that were not over, of which the provider was asked. */
  asked: number;
  /** Those that are in another state now. */
  changed: number;
  /** Events that had not had their effect. */
  events: number;
  /** Payments whose state nobody knows, or which are to be canceled, refunds without an answer, and events without an effect, that are left. */
  left: number;
}

/** What a running service was at during one pass is found by the next. */
const MOST_PASSES = 3;

/** Brings everything that is not over to where the provider has it, at once and without waiting for its turn. Safe beside running services, and again. */
@Injectable()
export class PaymentReconciliation {
  constructor(
    private readonly sweep: PaymentSweep,
    private readonly sweeps: PaymentSweeps,
    private readonly refundSweep: RefundSweep,
    private readonly refunds: Refunds,
    private readonly payments: Payments,
    private readonly inbound: InboundEvents,
    private readonly events: ProviderEvents,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws ServiceUnavailable while the provider is away: what was done until then stays. */
  async run(): Promise<Reconciled> {
    const done: Reconciled = { asked: 0, changed: 0, events: 0, left: 0 };
    for (let pass = 1; pass <= MOST_PASSES; pass++) {
      await this.pass(done);
      if (!done.left) break;
    }
    return done;
  }

  private async pass(done: Reconciled): Promise<void> {
    await this.sweeps.fetchMissed();
    done.events += await this.handleOpen();
    const since = new Date();
    for (let looked = 1; looked > 0; done.asked += looked) {
      const swept = await this.sweep.sweep({ since });
      looked = swept.looked;
      done.changed += swept.changed;
    }
    while (await this.refundSweep.sweep({ since }));
    done.left = (await this.payments.countUnknown()) + (await this.refunds.countRequested()) + (await this.inbound.openIds()).length;
  }

  /** Each event that has had no effect is tried once. Returns how many there were. */
  private async handleOpen(): Promise<number> {
    const tried = new Set<string>();
    for (;;) {
      const open = (await this.inbound.openIds()).filter((id) => !tried.has(id));
      if (!open.length) return tried.size;
      for (const id of open) {
        tried.add(id);
        await this.events.handle(id).catch((error: unknown) => this.logger.error({ err: error, event_id: id }, 'an event has no effect'));
      }
    }
  }
}
