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
/** `credited_number`: of a credit note, the number of the invoice that it takes from. */
export type InvoiceRow = RowOf<typeof INVOICE_COLUMNS> & { credited_number: string | null };
