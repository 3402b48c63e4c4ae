import { AlreadyPaid, PayerInactive, PaymentRefused, PaymentReplaced, TooManyDeclines } from '@platform/billing';
import { AppError, Errors } from '@platform/platform';

export const PaymentErrors = {
  notFound: () => new AppError(404, 'payment.not_found', 'There is no such payment.'),
  payerInactive: () => new AppError(403, 'account_disabled', 'Nothing can be paid for this account.'),
  replaced: () =>
    new AppError(
      409,
      'payment.replaced',
      'This payment was given up: another took its place, or it was left for too long. Ask again with another Idempotency-Key.',
    ),
  alreadyPaid: () => new AppError(409, 'payment.already_paid', 'What is to be paid was paid in this moment.'),
  cardRequired: () =>
    new AppError(
      402,
      'payment.card_required',
      'There is no saved card. Save one by POST /v1/billing/payment-methods/setup, or pay in a browser.',
    ),
  /** @param why reason that the provider shows to users. */
  declined: (why: string | null, code: string | null) =>
    new AppError(402, 'payment.declined', why ?? 'The payment was declined.', { details: { decline_code: code } }),
  tooManyDeclines: (seconds: number) =>
    Errors.limited('payment.too_many_declines', 'Too many payments and cards of this account were declined. Try again later.', seconds),
  /** A client confirms a payment that differs from the stored one. */
  mismatch: () => new AppError(409, 'payment.mismatch', 'The payment is not as it was asked for. Nothing was given for it.'),
};

/** Converts refusals of `Charges` into API errors. Throws any other error unchanged. */
export function toPaymentError(error: unknown): never {
  if (error instanceof TooManyDeclines) throw PaymentErrors.tooManyDeclines(error.seconds);
  if (error instanceof PaymentRefused)
    throw PaymentErrors.declined('The payment cannot be made with this card. Choose another.', error.code);
  if (error instanceof PayerInactive) throw PaymentErrors.payerInactive();
  if (error instanceof PaymentReplaced) throw PaymentErrors.replaced();
  if (error instanceof AlreadyPaid) throw PaymentErrors.alreadyPaid();
  throw error;
}
