import { inCredits } from '@platform/billing';
import { AppError, Errors } from '@platform/platform';

export const ConfirmationErrors = {
  notFound: () => new AppError(404, 'confirmation.not_found', 'There is no such confirmation, or it is not yours.'),
  answered: () => new AppError(409, 'confirmation.answered', 'This was confirmed or cancelled already.'),
  expired: () => new AppError(409, 'confirmation.expired', 'The time to confirm this is over. Ask for it again.'),
  changed: () =>
    new AppError(409, 'confirmation.changed', 'A newer version of the app does something else by this name. Ask for it again.'),
  costsMore: (price: number, asked: number) =>
    new AppError(
      409,
      'confirmation.changed',
      `This costs ${inCredits(price)} by now, and cost ${asked} when you were asked. Ask for it again.`,
      {
        details: { price, asked_price: asked },
      },
    ),
  inPanel: () =>
    new AppError(403, 'money.release_denied', 'Money is released in the panel, by what its page does: this cannot be confirmed here.'),
  keyGone: () => new AppError(409, 'confirmation.key_gone', 'The API key that asked for this was deleted or has expired.'),
  /** @param retryAfterSeconds until the time of the first one is over. */
  tooMany: (retryAfterSeconds: number) =>
    Errors.limited('confirmation.too_many', 'Too many calls wait for you to confirm them. Answer some first.', retryAfterSeconds),
};
