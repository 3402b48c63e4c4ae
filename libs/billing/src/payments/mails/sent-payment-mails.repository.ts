import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PaymentRow } from '../payment-row.js';

@Injectable()
export class SentPaymentMailsRepository {
  /**
   * Claims the mail about this status of a payment. Call it in the transaction that queues the
   * mail. True if the caller must queue it; false if that mail was or is being sent already.
   */
  async claim(em: EntityManager, { id, status }: Pick<PaymentRow, 'id' | 'status'>): Promise<boolean> {
    const claimed = await em.query<unknown[]>(
      'INSERT INTO payment_mails (payment_id, status) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
      [id, status],
    );
    return claimed.length > 0;
  }
}
