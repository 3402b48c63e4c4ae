import { AppError, type ErrorCode } from '@platform/platform';

/** Makes an error with the code also in `detail.error_code`, which existing clients read. */
const refusal = (status: number, code: ErrorCode, errorCode: string, message: string) =>
  new AppError(status, code, message, { details: { detail: { error_code: errorCode, message } } });

/** The messages name a secret and never contain its value. */
export const SecretErrors = {
  notDeclared: (appId: string, name: string) =>
    refusal(
      404,
      'secret.not_declared',
      'SECRET_NOT_DECLARED',
      `The current version of ${appId} does not declare a secret "${name}" in this scope.`,
    ),
  notSet: (name: string) => refusal(404, 'secret.not_set', 'SECRET_NOT_SET', `The secret "${name}" is not set.`),
  readOnly: (name: string) =>
    refusal(
      403,
      'secret.read_only',
      'SECRET_READ_ONLY',
      `The secret "${name}" is read-only: only the extension can set it.`,
    ),
};
