import { isGivenUp, type PaymentRow } from '@platform/billing';
import type { PaymentHistoryStatus } from '@platform/contracts';

/** As clients know it: what is not over is pending, and what was given up has failed. */
export function statusOf(payment: PaymentRow): PaymentHistoryStatus {
  if (payment.status === 'succeeded') return payment.refunded_cents === payment.amount_cents ? 'refunded' : 'succeeded';
  return isGivenUp(payment) ? 'failed' : 'pending';
}
