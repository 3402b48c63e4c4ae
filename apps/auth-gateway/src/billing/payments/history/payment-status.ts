import type { PaymentRow } from '@platform/billing';
import type { PaymentHistoryStatus } from '@platform/contracts';

/** As clients know it: what is not over is pending, and what was given up has failed. */
export function statusOf({ status, amount_cents, refunded_cents }: PaymentRow): PaymentHistoryStatus {
  if (status === 'succeeded') return refunded_cents === amount_cents ? 'refunded' : 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}
