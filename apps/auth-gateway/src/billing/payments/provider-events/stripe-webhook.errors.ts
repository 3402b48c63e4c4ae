import { AppError } from '@platform/platform';

export const StripeWebhookErrors = {
  /**
   * The same text for every reason, so that it does not help forgers. A metric counts the reasons.
   */
  invalidSignature: () => new AppError(400, 'webhook.invalid_signature', 'The signature of this webhook is invalid.'),
  noEvent: () => new AppError(400, 'webhook.no_event', 'The body is not an event of the provider.'),
};
