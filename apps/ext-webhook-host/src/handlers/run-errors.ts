import { ExtensionError } from '@platform/extension-sdk/runtime';

/** Makes the error `<name>_UNAVAILABLE`, such as AI_UNAVAILABLE. */
export const unavailableError = (name: string, why: string, options: { retryable?: boolean; cause?: unknown } = {}) =>
  new ExtensionError(`${name}_UNAVAILABLE`, why, options);

export const RunErrors = {
  timeout: (ms: number) =>
    new ExtensionError('TIMEOUT', `The run took longer than ${ms / 1_000} s.`, { retryable: true }),
  cancelled: () => new ExtensionError('CANCELLED', 'The caller disconnected.', { retryable: true }),
  over: () => new ExtensionError('RUN_OVER', 'The run is over; its context can no longer be used.'),
  cycle: (target: string) => new ExtensionError('CALL_CYCLE', `${target} is already running in this chain of calls.`),
  tooDeep: (limit: number) => new ExtensionError('CALL_TOO_DEEP', `Calls can be nested at most ${limit} levels deep.`),
  tooManyCalls: () =>
    new ExtensionError('RATE_LIMITED', 'Too many calls of other extensions are running. Try again later.', {
      retryable: true,
    }),
  /** Text of the gateway for an extension that does not exist. */
  unknownExtension: () =>
    new ExtensionError('EXTENSION_NOT_FOUND', 'There is no such extension, or it is not installed.'),
  unknownFunction: (appId: string, name: string) =>
    new ExtensionError('UNKNOWN_SUB_FUNCTION', `${appId} has no function "${name}".`),
  refused: (cause?: unknown) =>
    new ExtensionError('RUN_REFUSED', 'The platform accepts nothing more from this run: its permission has ended.', {
      cause,
    }),
  userNotAvailable: (userId: string) =>
    new ExtensionError(
      'USER_NOT_AVAILABLE',
      `This app may not act for the user ${userId}: the user does not exist, or does not have the app.`,
    ),
  nestedTooDeep: (limit: number) =>
    new ExtensionError('BUDGET_EXCEEDED', `Values may be nested at most ${limit} levels deep.`),
  noUser: (hint = '') => new ExtensionError('USER_MISSING', `This run has no user.${hint && ` ${hint}`}`),
};
