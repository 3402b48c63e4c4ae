import type { RefundRefused } from '@platform/billing';
import { AppError } from '@platform/platform';
import { PaymentErrors } from '../payments.errors.js';

export const RefundErrors = {
  notSucceeded: () =>
    new AppError(409, 'refund.not_paid', 'This payment was not completed, so there is nothing to refund.'),
  nothingLeft: () =>
    new AppError(
      409,
      'refund.nothing_left',
      'Nothing is left to refund: this payment is fully refunded, being refunded or disputed.',
    ),
  tooMuch: (leftCents: number) =>
    new AppError(409, 'refund.too_much', `Only ${leftCents} cents of this payment are left to refund.`, {
      details: { left_cents: leftCents },
    }),
  /** @param why reason that the provider shows to users. */
  denied: (why: string | null) => new AppError(409, 'refund.denied', why ?? 'The payment provider refused the refund.'),
};

/** Converts refusals of `RefundsService` into API errors. */
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
