import { ExtensionError } from './extension-error.js';

/** Errors name the secret, and never contain its value. */
export const SecretErrors = {
  undeclared: (name: string) => new ExtensionError('SECRET_UNDECLARED', `The app declares no secret "${name}".`),
  readOnly: (name: string) =>
    new ExtensionError('SECRET_READ_ONLY', `The secret "${name}" is set by users, not by the app.`),
  invalid: (name: string, maxBytes: number) =>
    new ExtensionError('SECRET_INVALID', `The secret "${name}" must be a text of 1 to ${maxBytes} bytes in UTF-8.`),
  unavailable: (cause: unknown) =>
    new ExtensionError('SECRETS_UNAVAILABLE', 'Secrets cannot be read or written at the moment.', {
      retryable: true,
      cause,
    }),
};
