import { Injectable } from '@nestjs/common';
import { InvoicesRepository, RefundsService } from '@platform/billing';

/** Issues a credit note for each refund. A payment without an invoice gets none. */
@Injectable()
export class CreditNotesService {
  constructor(invoices: InvoicesRepository, refunds: RefundsService) {
    refunds.onRefunded(async (em, { id, payment_id, amount_cents }) => {
      await invoices.issueCreditNote(em, { paymentId: payment_id, refundId: id, amountCents: amount_cents });
    });
  }
}
