import { AlreadyPaid, PayerInactive, PaymentRefused, PaymentReplaced, TooManyDeclines } from '@platform/billing';
import { AppError, Errors } from '@platform/platform';

export const PaymentErrors = {
  notFound: () => new AppError(404, 'payment.not_found', 'There is no such payment.'),
  payerInactive: () =>
    new AppError(
      403,
      'account_disabled',
      'This account cannot make payments, because the user or the tenant is inactive.',
    ),
  replaced: () =>
    new AppError(
      409,
      'payment.replaced',
      'This payment was canceled, because another payment replaced it or it was not paid in time. Send the request again with a new Idempotency-Key.',
    ),
  alreadyPaid: () =>
    new AppError(
      409,
      'payment.already_paid',
      'An earlier payment for the same item was just made. No new payment was started.',
    ),
  cardRequired: () =>
    new AppError(
      402,
      'payment.card_required',
      'There is no saved card. Save one with POST /v1/billing/payment-methods/setup, or pay in a browser.',
    ),
  /** @param why reason that the provider shows to users. */
  declined: (why: string | null, code: string | null) =>
    new AppError(402, 'payment.declined', why ?? 'The payment was declined.', { details: { decline_code: code } }),
  tooManyDeclines: (seconds: number) =>
    Errors.limited(
      'payment.too_many_declines',
      'Too many payments or cards of this account were declined in the last hour. Try again later.',
      seconds,
    ),
  /** A client confirms a payment that differs from the stored one. */
  mismatch: () =>
    new AppError(
      409,
      'payment.mismatch',
      'The payment at the provider differs from the requested one. It has no effect. Contact the operator of the platform.',
    ),
};

/**
 * Throws the API error for a refusal of `ChargesService`: TooManyDeclines is 429, PaymentRefused
 * 402 `payment.declined`, PayerInactive 403 `account_disabled`, PaymentReplaced 409
 * `payment.replaced`, and AlreadyPaid 409 `payment.already_paid`. Throws any other error unchanged.
 */
export function toPaymentError(error: unknown): never {
  if (error instanceof TooManyDeclines) throw PaymentErrors.tooManyDeclines(error.seconds);
  if (error instanceof PaymentRefused)
    throw PaymentErrors.declined('This card cannot make the payment. Choose another card.', error.code);
  if (error instanceof PayerInactive) throw PaymentErrors.payerInactive();
  if (error instanceof PaymentReplaced) throw PaymentErrors.replaced();
  if (error instanceof AlreadyPaid) throw PaymentErrors.alreadyPaid();
  throw error;
}
