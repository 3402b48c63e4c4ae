import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PaymentRow } from '../payment-row.js';

/** Of which payments users were told by mail. */
@Injectable()
export class SentPaymentMails {
  /** In the transaction that has it told. False where it was, or is being, told with this status. */
  async claim(em: EntityManager, { id, status }: Pick<PaymentRow, 'id' | 'status'>): Promise<boolean> {
    const claimed = await em.query<unknown[]>(
      'INSERT INTO payment_mails (payment_id, status) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
      [id, status],
    );
    return claimed.length > 0;
  }
}
