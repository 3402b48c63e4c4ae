import { Injectable } from '@nestjs/common';
import { Invoices, Refunds } from '@platform/billing';

/** Each refund has its credit note. What was never invoiced has none. */
@Injectable()
export class CreditNotes {
  constructor(invoices: Invoices, refunds: Refunds) {
    refunds.onRefunded(async (em, { id, payment_id, amount_cents }) => {
      await invoices.creditNote(em, { paymentId: payment_id, refundId: id, amountCents: amount_cents });
    });
  }
}
