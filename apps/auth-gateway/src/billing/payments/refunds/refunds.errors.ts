import type { RefundRefused } from '@platform/billing';
import { AppError } from '@platform/platform';
import { PaymentErrors } from '../payments.errors.js';

export const RefundErrors = {
  notSucceeded: () => new AppError(409, 'refund.not_paid', 'Nothing was paid by this payment.'),
  nothingLeft: () => new AppError(409, 'refund.nothing_left', 'All of this payment goes back already, or its bank decides about it.'),
  tooMuch: (leftCents: number) =>
    new AppError(409, 'refund.too_much', `No more than ${leftCents} cents of this payment are left.`, {
      details: { left_cents: leftCents },
    }),
  /** @param why reason that the provider shows to users. */
  denied: (why: string | null) => new AppError(409, 'refund.denied', why ?? 'The payment provider gives nothing back.'),
};

/** Converts refusals of `Refunds` into API errors. */
export function toRefundError({ why, leftCents }: RefundRefused): AppError {
  switch (why) {
    case 'not_found':
      return PaymentErrors.notFound();
    case 'not_succeeded':
      return RefundErrors.notSucceeded();
    case 'nothing_left':
      return RefundErrors.nothingLeft();
    case 'too_much':
      return RefundErrors.tooMuch(leftCents);
  }
}
