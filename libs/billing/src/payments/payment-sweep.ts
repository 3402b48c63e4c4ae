import { Inject, Injectable } from '@nestjs/common';
import { isCircuitOpen, LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { Charges } from './charges.js';
import { IS_BEING_MADE_SQL, UNSETTLED_SQL } from './payment.entity.js';
import { PAYMENT_COLUMNS, type PaymentRow } from './payment-row.js';

/** Of how many payments one batch is at most. */
export const PAYMENT_BATCH = 50;

/**
 * When a payment is looked at again: what is to be canceled at once, what was begun or had no answer after a minute, and what waits for its customer or the bank
 * after 15 minutes, later ever more seldom, since an event of the provider tells it sooner.
 */
const IS_DUE = `${UNSETTLED_SQL} AND p.checked_at < now() - CASE
  WHEN p.status = 'canceling' THEN interval '10 seconds'
  WHEN p.status IN ('created', 'unknown') THEN greatest(interval '1 minute', (now() - p.created_at) / 8)
  ELSE greatest(interval '15 minutes', (now() - p.created_at) / 8) END`;

/** What was asked and found. */
export interface Swept {
  looked: number;
  /** Payments that are over now, or go on otherwise. */
  changed: number;
}

/** Finds out about payments of which nobody told: a webhook that was lost, a process that died, a provider that did not answer. */
@Injectable()
export class PaymentSweep {
  constructor(
    private readonly dataSource: DataSource,
    private readonly charges: Charges,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /**
   * Up to `PAYMENT_BATCH` of those that are due, or, with `since`, of those that were not looked at since then, without what is being made. One that fails does not stop the others.
   *
   * @throws ServiceUnavailable when the provider is away for all.
   */
  async sweep({ since }: { since?: Date } = {}): Promise<Swept> {
    const [due] = await this.dataSource.query<[PaymentRow[], number]>(
      `UPDATE payments p SET checked_at = now() FROM (
         SELECT p.id FROM payments p WHERE ${since ? `${UNSETTLED_SQL} AND p.checked_at < $1 AND NOT ${IS_BEING_MADE_SQL}` : IS_DUE}
         ORDER BY p.checked_at LIMIT ${PAYMENT_BATCH} FOR UPDATE SKIP LOCKED
       ) AS due WHERE due.id = p.id RETURNING ${PAYMENT_COLUMNS}`,
      since ? [since] : [],
    );
    let changed = 0;
    for (const payment of due) {
      try {
        const now = await this.charges.resolve(payment);
        if (now && now.status !== payment.status) changed++;
      } catch (error) {
        // One that the provider fails at does not stop the others, but an outage does.
        if (isCircuitOpen(error)) throw error;
        this.logger.error({ err: error, payment_id: payment.id }, 'could not find out what became of a payment');
      }
    }
    return { looked: due.length, changed };
  }
}
