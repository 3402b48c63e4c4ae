import { ExtensionError } from '@platform/extension-sdk/runtime';
import { AppError } from '@platform/platform';

export const AppSecretErrors = {
  notDeclared: (name: string) =>
    new AppError(404, 'secret.not_declared', `The app declares no secret "${name}" of this scope.`),
  notSet: (name: string) => new AppError(404, 'secret.not_set', `The secret "${name}" is not set.`),
  readOnly: (name: string) => new AppError(403, 'secret.read_only', `The secret "${name}" can be set only by the app.`),
  userMissing: () => new AppError(400, 'secret.user_missing', 'user_id is required: it names the owner of the secret.'),
};

/**
 * Turns an error for a handler into an error of a route: SECRETS_UNAVAILABLE into 503
 * `secret.unavailable`, another ExtensionError into 400 `secret.invalid`. Returns other errors as
 * they are.
 */
export function asAppError(error: unknown): unknown {
  if (!(error instanceof ExtensionError)) return error;
  return error.code === 'SECRETS_UNAVAILABLE'
    ? new AppError(503, 'secret.unavailable', error.message, { headers: { 'Retry-After': '5' }, cause: error.cause })
    : new AppError(400, 'secret.invalid', error.message);
}
