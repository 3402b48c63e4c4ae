import { ExtensionError } from '@platform/extension-sdk/runtime';

/** `name` as the beginning of the code: `AI`, `EVENTS`. */
export const unavailable = (name: string, why: string, options: { retryable?: boolean; cause?: unknown } = {}) =>
  new ExtensionError(`${name}_UNAVAILABLE`, why, options);

export const RunErrors = {
  timeout: (ms: number) => new ExtensionError('TIMEOUT', `The run took longer than ${ms / 1_000} s.`, { retryable: true }),
  cancelled: () => new ExtensionError('CANCELLED', 'Whoever called has gone.', { retryable: true }),
  over: () => new ExtensionError('RUN_OVER', 'The run is over; nothing can be done in it any more.'),
  cycle: (target: string) => new ExtensionError('CALL_CYCLE', `${target} is at work in this chain of calls already.`),
  tooDeep: (limit: number) => new ExtensionError('CALL_TOO_DEEP', `At most ${limit} functions call each other.`),
  tooManyCalls: () => new ExtensionError('RATE_LIMITED', 'Too many calls of other extensions are under way.', { retryable: true }),
  /** As the gateway says it of one that there is not. */
  unknownExtension: () => new ExtensionError('EXTENSION_NOT_FOUND', 'There is no such extension, or it is not installed.'),
  unknownFunction: (appId: string, name: string) => new ExtensionError('UNKNOWN_SUB_FUNCTION', `${appId} has no function "${name}".`),
  refused: (cause?: unknown) =>
    new ExtensionError('RUN_REFUSED', 'The platform takes nothing more from this run: what allowed it is over.', { cause }),
  userNotAvailable: (userId: string) =>
    new ExtensionError('USER_NOT_AVAILABLE', `This app may not act for the user ${userId}: there is no such user, or they do not have it.`),
  nestedTooDeep: (limit: number) => new ExtensionError('BUDGET_EXCEEDED', `Values are nested at most ${limit} levels deep.`),
  noUser: (hint = '') => new ExtensionError('USER_MISSING', `No user stands behind this run.${hint && ` ${hint}`}`),
};
