import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PaymentRow } from '../payments/payment-row.js';

/** Of which payments users were told by mail. */
@Injectable()
export class ToldPayments {
  /** In the transaction that has it told. False where it was, or is being, told with this status. */
  async note(em: EntityManager, { id, status }: Pick<PaymentRow, 'id' | 'status'>): Promise<boolean> {
    const noted = await em.query<unknown[]>(
      'INSERT INTO payment_mails (payment_id, status) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
      [id, status],
    );
    return noted.length > 0;
  }
}
