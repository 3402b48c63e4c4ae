import { columns, type RowOf } from '@platform/persistence';
import { Invoice } from './invoice.entity.js';

export const INVOICE_COLUMNS = columns(
  Invoice,
  [
    'id',
    'kind',
    'number',
    'paymentIntentId',
    'invoiceId',
    'seller',
    'buyer',
    'lines',
    'subtotalCents',
    'taxCents',
    'totalCents',
    'currency',
    'issuedAt',
  ],
  'i',
);
/** `credited_number`: number of the invoice that a credit note corrects; null for an invoice. */
export type InvoiceRow = RowOf<typeof INVOICE_COLUMNS> & { credited_number: string | null };
