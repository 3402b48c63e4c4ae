import { AppError, Errors } from '@platform/platform';

const RETRY_AFTER_SECONDS = 5;

export const CallErrors = {
  tooManyAtOnce: () =>
    Errors.limited(
      'rate_limited',
      'Too many of your calls, or calls to this extension, are running. Try again in a few seconds.',
      RETRY_AFTER_SECONDS,
    ),
  tooManyUncounted: (retryAfterSeconds: number) =>
    Errors.limited(
      'rate_limited',
      'The daily limit of calls that no plan counts is reached: calls to functions of the platform, calls to your own apps, and refused calls.',
      retryAfterSeconds,
    ),
  disabled: () => new AppError(403, 'extension.disabled', 'This extension is disabled for you. Enable it first.'),
  closed: () => new AppError(403, 'extension.access_denied', 'You have not been given access to this extension.'),
  suspended: (byPlatform: boolean) =>
    new AppError(
      403,
      'extension.suspended',
      byPlatform
        ? 'The operator of the platform suspended this extension. It does not run until the operator allows it again.'
        : 'Its developer suspended this extension. It does not run until it is published again.',
    ),
  keyGone: () =>
    new AppError(
      403,
      'extension.key_gone',
      'The API key that deployed this version was deleted or has expired, so the version does not run. Deploy it again, signed in or with another key.',
    ),
  notAgreed: () =>
    new AppError(
      403,
      'extension.not_agreed',
      'The API key that installed this extension was deleted or has expired, so it does not run for you. Install it again.',
    ),
  appGone: () =>
    new AppError(
      403,
      'extension.app_gone',
      'An app that deployed this version can no longer act for you, so the version does not run. Deploy it again, signed in, or install that app again.',
    ),
  otherTenant: () => new AppError(403, 'other_tenant', 'tenant_id names a tenant other than that of the user.'),
};
