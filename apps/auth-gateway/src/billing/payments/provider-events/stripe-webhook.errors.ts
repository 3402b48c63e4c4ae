import { AppError } from '@platform/platform';

export const StripeWebhookErrors = {
  /**
   * The same text for every reason, so that it does not help forgers. A metric counts the reasons.
   */
  invalidSignature: () => new AppError(400, 'webhook.invalid_signature', 'The signature of this webhook does not fit.'),
  noEvent: () => new AppError(400, 'webhook.no_event', 'This is no event of the provider.'),
};
