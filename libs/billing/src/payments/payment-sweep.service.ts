import { Inject, Injectable } from '@nestjs/common';
import { isCircuitOpen, LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { ChargesService } from './charges.service.js';
import { IS_BEING_MADE_SQL, UNSETTLED_SQL } from './payment.entity.js';
import { PAYMENT_COLUMNS, type PaymentRow } from './payment-row.js';

/** Most payments in one batch. */
export const PAYMENT_BATCH = 50;

/**
 * SQL condition: the payment should be checked again. `canceling`: after 10 seconds. `created` and
 * `unknown`: after 1 minute. `open` and `processing`, which wait for the customer or the bank:
 * after 15 minutes. The intervals grow for all but `canceling`, because an event of the provider
 * usually arrives first.
 */
const IS_DUE = `${UNSETTLED_SQL} AND p.checked_at < now() - CASE
  WHEN p.status = 'canceling' THEN interval '10 seconds'
  WHEN p.status IN ('created', 'unknown') THEN greatest(interval '1 minute', (now() - p.created_at) / 8)
  ELSE greatest(interval '15 minutes', (now() - p.created_at) / 8) END`;

/** Result of a sweep. */
export interface PaymentSweepResult {
  checked: number;
  /** Payments with a changed status. */
  changed: number;
}

/**
 * Checks payments about which no event arrived, for example after a lost webhook, a killed process
 * or an outage of the provider.
 */
@Injectable()
export class PaymentSweepService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly charges: ChargesService,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /**
   * Checks up to `PAYMENT_BATCH` payments that are due with `ChargesService.reconcilePayment`,
   * which stores their state at the provider, cancels given-up ones there and sends unsent
   * renewals. With `since`, checks unsettled payments that were not checked since then instead,
   * except those that are just being made. A failure of one payment does not stop the others.
   *
   * @throws ServiceUnavailable if the circuit breaker of the provider is open.
   */
  async checkDuePayments({ since }: { since?: Date } = {}): Promise<PaymentSweepResult> {
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
        const now = await this.charges.reconcilePayment(payment);
        if (now && now.status !== payment.status) changed++;
      } catch (error) {
        // A failure of one payment does not stop the others, but an outage does.
        if (isCircuitOpen(error)) throw error;
        this.logger.error(
          { err: error, payment_id: payment.id },
          'the state of a payment could not be read from the provider',
        );
      }
    }
    return { checked: due.length, changed };
  }
}
