import { Inject, Injectable } from '@nestjs/common';
import { isCircuitOpen, LOGGER } from '@platform/platform';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { Refunds } from './refunds.js';

/** Of how many refunds one batch is at most. */
export const REFUND_BATCH = 50;

/** What had no answer after a minute, what takes the bank its time after 15; both ever more seldom. */
const IS_DUE = `r.status IN ('requested', 'pending')
  AND r.checked_at < now() - greatest(CASE r.status WHEN 'requested' THEN interval '1 minute' ELSE interval '15 minutes' END, (now() - r.created_at) / 8)`;

/** Asks for refunds of which nobody told: an answer or a webhook that was lost, a process that died, a provider that was away. */
@Injectable()
export class RefundSweep {
  constructor(
    private readonly dataSource: DataSource,
    private readonly refunds: Refunds,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /**
   * Up to `REFUND_BATCH` of those that are due, or, with `since`, of those that were not looked at since then. One that fails does not stop the others. Returns how many it
   * looked at.
   *
   * @throws ServiceUnavailable when the provider is away.
   */
  async sweep({ since }: { since?: Date } = {}): Promise<number> {
    const [due] = await this.dataSource.query<[{ id: string }[], number]>(
      `UPDATE payment_refunds r SET checked_at = now() FROM (
         SELECT r.id FROM payment_refunds r WHERE ${since ? "r.status IN ('requested', 'pending') AND r.checked_at < $1" : IS_DUE}
         ORDER BY r.checked_at LIMIT ${REFUND_BATCH} FOR UPDATE SKIP LOCKED
       ) AS due WHERE due.id = r.id RETURNING r.id`,
      since ? [since] : [],
    );
    for (const { id } of due) {
      try {
        await this.refunds.ask(id);
      } catch (error) {
        if (isCircuitOpen(error)) throw error;
        this.logger.error({ err: error, refund_id: id }, 'could not find out what became of a refund');
      }
    }
    return due.length;
  }
}
