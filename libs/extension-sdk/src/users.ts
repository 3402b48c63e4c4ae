import { ExtensionError } from './extension-error.js';

const USER_ID = /^[A-Za-z0-9][\w-]{0,63}$/;

/**
 * Checks that a text can be the id of a user. Identities of apps begin with `__` and are refused.
 * Does not check that the user exists.
 *
 * @throws ExtensionError USER_INVALID if it cannot.
 */
export function assertUserId(userId: unknown): asserts userId is string {
  if (typeof userId !== 'string' || !USER_ID.test(userId))
    throw new ExtensionError('USER_INVALID', 'This is not a user id.');
}
