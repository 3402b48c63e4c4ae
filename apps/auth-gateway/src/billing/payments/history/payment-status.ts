import { isFailedOrCanceled, type PaymentRow } from '@platform/billing';
import type { PaymentHistoryStatus } from '@platform/contracts';

/**
 * Status for clients: `succeeded`, or `refunded` if it was refunded completely; `failed` for a
 * declined or canceled payment; `pending` for every payment that is not final.
 */
export function toPaymentStatus(payment: PaymentRow): PaymentHistoryStatus {
  if (payment.status === 'succeeded') return payment.refunded_cents === payment.amount_cents ? 'refunded' : 'succeeded';
  return isFailedOrCanceled(payment) ? 'failed' : 'pending';
}
