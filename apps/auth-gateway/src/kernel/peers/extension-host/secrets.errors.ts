import { AppError, type ErrorCode } from '@platform/platform';

/** Clients look for `detail.error_code`. */
const refusal = (status: number, code: ErrorCode, errorCode: string, message: string) =>
  new AppError(status, code, message, { details: { detail: { error_code: errorCode, message } } });

/** They name a secret and never say what it is. */
export const SecretErrors = {
  notDeclared: (appId: string, name: string) =>
    refusal(404, 'secret.not_declared', 'SECRET_NOT_DECLARED', `The version of ${appId} that runs declares no secret "${name}" here.`),
  notSet: (name: string) => refusal(404, 'secret.not_set', 'SECRET_NOT_SET', `The secret "${name}" is not set.`),
  readOnly: (name: string) => refusal(403, 'secret.read_only', 'SECRET_READ_ONLY', `The secret "${name}" is set by the extension itself.`),
};
