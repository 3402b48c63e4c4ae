import { Injectable } from '@nestjs/common';
import { Disputes, REFUND_BATCH, Refunds, RefundSweep, Settlements } from '@platform/billing';
import { Jobs, MaintenanceTasks } from '@platform/messaging';
import { inTurn } from '@platform/persistence';
import { Gauge, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { ProviderEvents } from '../provider-events/provider-events.js';
import { refundQueue } from './refund.jobs.js';

const MINUTE_MS = 60_000;

/** What has a refund or a dispute looked at: events of the provider, a payment whose effect cannot be given any more, and the time. */
@Injectable()
export class RefundSignals {
  constructor(
    private readonly dataSource: DataSource,
    refunds: Refunds,
    disputes: Disputes,
    private readonly refundSweep: RefundSweep,
    jobs: Jobs,
    settlements: Settlements,
    events: ProviderEvents,
    tasks: MaintenanceTasks,
    metrics: Registry,
  ) {
    events.on(/^(refund|charge\.refund)\./, ({ objectId }) => refunds.look(objectId));
    events.on(/^charge\.refunded$/, async ({ intentId }) => {
      if (intentId !== null) await refunds.lookOf(intentId);
    });
    events.on(/^charge\.dispute\./, ({ objectId }) => disputes.look(objectId));
    settlements.onChange(async (em, { id, status }) => {
      if (status !== 'succeeded') return;
      const due = await em.query<{ id: string }[]>("SELECT id FROM payment_refunds WHERE payment_id = $1 AND status = 'requested'", [id]);
      for (const refund of due) await jobs.enqueue(em, refundQueue, 'ask', { refund_id: refund.id });
    });
    jobs.process(refundQueue, {
      ask: async ({ refund_id }) => {
        await refunds.ask(refund_id);
      },
    });
    tasks.every(MINUTE_MS, 'open-refunds', () => this.sweep());
    this.measure(metrics);
  }

  async sweep(): Promise<void> {
    await inTurn([() => this.refundSweep.sweep()], { full: REFUND_BATCH });
  }

  private measure(metrics: Registry): void {
    const { dataSource } = this;
    new Gauge({
      name: 'refunds_open_age_seconds',
      help: 'Since when the oldest refund waits for an answer of the provider (requested), or for the bank (pending)',
      labelNames: ['status'],
      registers: [metrics],
      async collect() {
        const rows = await dataSource.query<{ status: string; age: string }[]>(
          `SELECT s.status, coalesce(max(extract(epoch FROM now() - r.created_at)), 0) AS age
           FROM unnest('{requested,pending}'::text[]) AS s (status) LEFT JOIN payment_refunds r ON r.status = s.status GROUP BY 1`,
        );
        for (const { status, age } of rows) this.set({ status }, Number(age));
      },
    });
  }
}
