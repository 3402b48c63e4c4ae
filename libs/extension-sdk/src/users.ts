import { ExtensionError } from './extension-error.js';

const USER_ID = /^[A-Za-z0-9][\w-]{0,63}$/;

/** Of users; the identities of apps, which begin with `__`, are none. @throws ExtensionError USER_INVALID. */
export function assertUserId(userId: unknown): asserts userId is string {
  if (typeof userId !== 'string' || !USER_ID.test(userId)) throw new ExtensionError('USER_INVALID', 'This is not the id of a user.');
}
