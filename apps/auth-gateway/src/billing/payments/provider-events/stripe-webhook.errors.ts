import { AppError } from '@platform/platform';

export const StripeWebhookErrors = {
  /** Why is for the log: whoever forges learns nothing. */
  invalidSignature: () => new AppError(400, 'webhook.invalid_signature', 'The signature of this webhook does not fit.'),
  noEvent: () => new AppError(400, 'webhook.no_event', 'This is no event of the provider.'),
};
