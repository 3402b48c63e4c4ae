import { AppError } from '@platform/platform';

export const ExtensionHostErrors = {
  notFound: () => new AppError(404, 'not_found', 'There is nothing at this path.'),
  unreachable: (cause: unknown) =>
    new AppError(502, 'extension_host_unreachable', 'Apps cannot be reached at the moment. Try again shortly.', {
      headers: { 'Retry-After': '1' },
      cause,
    }),
  /** The request was not passed to the app. */
  tooMany: () =>
    new AppError(503, 'webhook.busy', 'Too many requests to this app are being handled. Send it again in a moment.', {
      headers: { 'Retry-After': '5' },
    }),
  tooSlow: () => new AppError(504, 'extension_host_timeout', 'The app took too long to answer.'),
};
