import { formatCredits } from '@platform/billing';
import { AppError, Errors } from '@platform/platform';

export const ConfirmationErrors = {
  notFound: () => new AppError(404, 'confirmation.not_found', 'There is no such confirmation, or it is not yours.'),
  answered: () => new AppError(409, 'confirmation.answered', 'This was confirmed or cancelled already.'),
  expired: () => new AppError(409, 'confirmation.expired', 'This confirmation has expired. Start the call again.'),
  changed: () =>
    new AppError(
      409,
      'confirmation.changed',
      'A newer version of the app changed the type of this function. Start the call again.',
    ),
  costsMore: (price: number, asked: number) =>
    new AppError(
      409,
      'confirmation.changed',
      `This now costs ${formatCredits(price)}, but cost ${asked} when you were asked. Start the call again.`,
      {
        details: { price, asked_price: asked },
      },
    ),
  inPanel: () =>
    new AppError(
      403,
      'money.release_denied',
      'This moves money, so it can only be done on its page in the panel. It cannot be confirmed here.',
    ),
  keyGone: () =>
    new AppError(409, 'confirmation.key_gone', 'The API key that requested this call was deleted or has expired.'),
  /** @param retryAfterSeconds seconds until the first one expires. */
  tooMany: (retryAfterSeconds: number) =>
    Errors.limited(
      'confirmation.too_many',
      'Too many calls wait for you to confirm them. Answer some first.',
      retryAfterSeconds,
    ),
};
