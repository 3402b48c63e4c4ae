import { AppError, type ErrorCode } from '@platform/platform';

/**
 * Makes an error 400 with the code also in the field `error`: clients of OAuth read `error`, our
 * clients read the other fields (RFC 6749 section 5.2, RFC 8628 section 3.5).
 */
const grantError = (error: ErrorCode, message: string): AppError =>
  new AppError(400, error, message, { details: { error } });

export const CliLoginErrors = {
  invalidGrant: () =>
    grantError('invalid_grant', 'The code is not valid, was used already or has expired. Start the login again.'),
  accessDenied: () => grantError('access_denied', 'The login was denied.'),
  expired: () => grantError('expired_token', 'The login was not confirmed in time. Start it again.'),
  tooManyPending: (retryAfterSeconds: number) =>
    new AppError(
      429,
      'device_code.too_many_pending',
      'Too many logins from this network address wait for confirmation. Confirm them, or wait until they expire.',
      {
        headers: { 'Retry-After': String(retryAfterSeconds) },
      },
    ),
  userCodeNotFound: () =>
    new AppError(404, 'device_code.not_found', 'There is no such code. Enter it exactly as your terminal shows it.'),
  userCodeExpired: () => new AppError(410, 'device_code.expired', 'This code has expired. Start the login again.'),
  alreadyProcessed: () =>
    new AppError(409, 'device_code.already_processed', 'This login was approved or denied already.'),
};
