import { AppError } from '@platform/platform';

export const WebhookErrors = {
  /**
   * The same for an app that does not exist, an app that does not run, and an app without this
   * webhook.
   */
  notFound: () => new AppError(404, 'webhook.not_found', 'There is no such webhook.'),
  methodNotAllowed: (allow: string) =>
    new AppError(405, 'method_not_allowed', `This webhook accepts only ${allow}.`, { headers: { Allow: allow } }),
  /** Only the developer of the app sees the reason, in the log of the app. */
  failed: () => new AppError(500, 'webhook.failed', 'The handler of this webhook failed.'),
  timedOut: () => new AppError(504, 'webhook.timeout', 'The handler of this webhook took too long.'),
  /** Nothing has run. */
  tooMany: () =>
    new AppError(503, 'webhook.busy', 'Too many requests to this app are being handled. Send it again in a moment.', {
      headers: { 'Retry-After': '5' },
    }),
  inboxFull: () =>
    new AppError(503, 'webhook.inbox_full', 'This webhook has too many requests waiting. Try again later.', {
      headers: { 'Retry-After': '60' },
    }),
  deliveryNotFound: () => new AppError(404, 'webhook_delivery.not_found', 'There is no such delivery.'),
  deliveryNotFinished: () =>
    new AppError(
      409,
      'webhook_delivery.not_finished',
      'The delivery is still being tried. Replay it when it has succeeded or is dead.',
    ),
};
