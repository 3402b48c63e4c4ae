import { Inject, Injectable } from '@nestjs/common';
import { isCircuitOpen, LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { RefundsService } from './refunds.service.js';

/** Most refunds in one batch. */
export const REFUND_BATCH = 50;

/**
 * SQL condition: the refund should be checked again. `requested`: after 1 minute. `pending`, at the
 * bank: after 15 minutes. Both intervals grow.
 */
const IS_DUE = `r.status IN ('requested', 'pending')
  AND r.checked_at < now() - greatest(CASE r.status WHEN 'requested' THEN interval '1 minute' ELSE interval '15 minutes' END, (now() - r.created_at) / 8)`;

/**
 * Checks refunds about which no event arrived, for example after a lost answer, a lost webhook, a
 * killed process or an outage of the provider.
 */
@Injectable()
export class RefundSweepService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly refunds: RefundsService,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /**
   * Checks up to `REFUND_BATCH` refunds that are due: makes each at the provider or reads its
   * result (`RefundsService.submitRefund`). With `since`, checks unfinished refunds (`requested`,
   * `pending`) that were not checked since then instead. A failure of one refund does not stop the
   * others.
   *
   * @returns the number of due refunds, also of those whose check failed.
   * @throws ServiceUnavailable if the circuit breaker of the provider is open.
   */
  async checkDueRefunds({ since }: { since?: Date } = {}): Promise<number> {
    const [due] = await this.dataSource.query<[{ id: string }[], number]>(
      `UPDATE payment_refunds r SET checked_at = now() FROM (
         SELECT r.id FROM payment_refunds r WHERE ${since ? "r.status IN ('requested', 'pending') AND r.checked_at < $1" : IS_DUE}
         ORDER BY r.checked_at LIMIT ${REFUND_BATCH} FOR UPDATE SKIP LOCKED
       ) AS due WHERE due.id = r.id RETURNING r.id`,
      since ? [since] : [],
    );
    for (const { id } of due) {
      try {
        await this.refunds.submitRefund(id);
      } catch (error) {
        if (isCircuitOpen(error)) throw error;
        this.logger.error({ err: error, refund_id: id }, 'the state of a refund could not be read from the provider');
      }
    }
    return due.length;
  }
}
