import { AppError, Errors } from '@platform/platform';

const RETRY_AFTER_SECONDS = 5;

export const CallErrors = {
  tooManyAtOnce: () =>
    Errors.limited(
      'rate_limited',
      'Too many calls of yours, or of this extension, are under way. Try again in a few seconds.',
      RETRY_AFTER_SECONDS,
    ),
  tooManyUncounted: (retryAfterSeconds: number) =>
    Errors.limited(
      'rate_limited',
      'Too many calls that count for no plan were made today: of functions of the platform, of your own apps, or calls that were refused.',
      retryAfterSeconds,
    ),
  disabled: () => new AppError(403, 'extension.disabled', 'This extension is disabled for you. Enable it first.'),
  closed: () => new AppError(403, 'extension.access_denied', 'You have not been given access to this extension.'),
  suspended: (byPlatform: boolean) =>
    new AppError(
      403,
      'extension.suspended',
      byPlatform
        ? 'Those who run the platform suspended this extension. It does nothing until they let it run again.'
        : 'Its developer suspended this extension. It does nothing until it is published again.',
    ),
  keyGone: () =>
    new AppError(
      403,
      'extension.key_gone',
      'The API key that deployed this version was deleted or has expired, so nothing of it runs. Deploy it again, signed in or with another key.',
    ),
  notAgreed: () =>
    new AppError(
      403,
      'extension.not_agreed',
      'The API key that installed this extension was deleted or has expired, so it does nothing for you. To have it, install it again.',
    ),
  appGone: () =>
    new AppError(
      403,
      'extension.app_gone',
      'An app that deployed this version may not act for you any more, so nothing of it runs. Deploy it again, signed in, or install that app again.',
    ),
  otherTenant: () => new AppError(403, 'other_tenant', 'tenant_id names a tenant other than that of the user.'),
};
