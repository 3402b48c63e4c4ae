import { isGivenUp, type PaymentRow } from '@platform/billing';
import type { PaymentHistoryStatus } from '@platform/contracts';

/**
 * Status for clients: `pending` for every payment that is not final, `failed` for every payment
 * that was given up.
 */
export function statusOf(payment: PaymentRow): PaymentHistoryStatus {
  if (payment.status === 'succeeded') return payment.refunded_cents === payment.amount_cents ? 'refunded' : 'succeeded';
  return isGivenUp(payment) ? 'failed' : 'pending';
}
