import { Injectable } from '@nestjs/common';
import {
  DisputesService,
  REFUND_BATCH,
  RefundsService,
  RefundSweepService,
  PaymentStatusService,
} from '@platform/billing';
import { JobsService, MaintenanceTasksService } from '@platform/messaging';
import { runInTurn } from '@platform/persistence';
import { Gauge, Registry } from 'prom-client';
import { ProviderEventsService } from '../provider-events/provider-events.service.js';
import { refundQueue } from './refund.jobs.js';

const MINUTE_MS = 60_000;

/**
 * Starts checks of refunds and disputes: after events of the provider, after a payment that could
 * not be delivered, and at intervals.
 */
@Injectable()
export class RefundChecksWorker {
  constructor(
    private readonly refunds: RefundsService,
    disputes: DisputesService,
    private readonly refundSweep: RefundSweepService,
    jobs: JobsService,
    paymentStatus: PaymentStatusService,
    events: ProviderEventsService,
    tasks: MaintenanceTasksService,
    metrics: Registry,
  ) {
    events.onEvent(/^(refund|charge\.refund)\./, ({ objectId }) => refunds.refreshRefund(objectId));
    events.onEvent(/^charge\.refunded$/, async ({ intentId }) => {
      if (intentId !== null) await refunds.refreshPaymentRefunds(intentId);
    });
    events.onEvent(/^charge\.dispute\./, ({ objectId }) => disputes.refreshDispute(objectId));
    paymentStatus.onChange(async (em, { id, status }) => {
      if (status !== 'succeeded') return;
      for (const refund_id of await refunds.listRequestedIds(em, id))
        await jobs.enqueue(em, refundQueue, 'ask', { refund_id });
    });
    jobs.registerHandlers(refundQueue, {
      ask: async ({ refund_id }) => {
        await refunds.submitRefund(refund_id);
      },
    });
    tasks.scheduleTask(MINUTE_MS, 'open-refunds', () => this.checkOpenRefunds());
    this.measure(metrics);
  }

  async checkOpenRefunds(): Promise<void> {
    await runInTurn([() => this.refundSweep.checkDueRefunds()], { full: REFUND_BATCH });
  }

  private measure(metrics: Registry): void {
    const { refunds } = this;
    new Gauge({
      name: 'refunds_open_age_seconds',
      help: 'Seconds since the oldest refund waits for an answer of the provider (requested), or for the bank (pending)',
      labelNames: ['status'],
      registers: [metrics],
      async collect() {
        for (const { status, age } of await refunds.getOldestAges()) this.set({ status }, age);
      },
    });
  }
}
