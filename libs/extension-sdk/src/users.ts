import { ExtensionError } from './extension-error.js';

const USER_ID = /^[A-Za-z0-9][\w-]{0,63}$/;

/**
 * Accepts ids of users. Identities of apps begin with `__` and are refused.
 *
 * @throws ExtensionError USER_INVALID.
 */
export function assertUserId(userId: unknown): asserts userId is string {
  if (typeof userId !== 'string' || !USER_ID.test(userId)) throw new ExtensionError('USER_INVALID', 'This is not a user id.');
}
