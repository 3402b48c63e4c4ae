import type { ActionType, MySettings, RoleResponse } from '@platform/contracts';
import type { CalledFunction } from '../calls/system-extensions.registry.js';

/**
 * Settings that decide if a user must confirm a call: the policy of their role, and their own
 * choice where the policy allows one.
 */
export type ConfirmationRules = Pick<RoleResponse, 'confirmation_policy'> & MySettings;

/**
 * True if the user must confirm a call: always with the policy `enforced`, never with `disabled`.
 * With the other two the user's own setting decides. Without one, `default_on` asks about each
 * call, `default_off` only about a `destructive` one that is not bypassed. Use it only for calls
 * that change something or cost credits.
 *
 * @param isBypassed true if the client says that it has the user's consent. It counts only with
 * `default_off` and without a setting of the user, because a program says so.
 */
export function requiresConfirmation(
  { confirmation_policy, confirmation_enabled }: ConfirmationRules,
  type: ActionType,
  isBypassed: boolean,
): boolean {
  switch (confirmation_policy) {
    case 'enforced':
      return true;
    case 'disabled':
      return false;
    case 'default_on':
      return confirmation_enabled ?? true;
    case 'default_off':
      return confirmation_enabled ?? (type === 'destructive' && !isBypassed);
  }
}

const RESOURCES_OF_MONEY: ReadonlySet<string> = new Set(['billing', 'wallet']);

/**
 * True if the function can move money: a function of the extensions `billing` and `wallet` that is
 * no read, or a function of any app that requires a scope of `billing` or `wallet` for more than
 * reading.
 */
export function movesMoney(
  appId: string,
  { action_type, required_scopes }: Pick<CalledFunction, 'action_type' | 'required_scopes'>,
): boolean {
  if (RESOURCES_OF_MONEY.has(appId) && action_type !== 'read') return true;
  return required_scopes.some((scope) => {
    const [resource = '', action] = scope.split(/[:.]/);
    return RESOURCES_OF_MONEY.has(resource) && action !== 'read';
  });
}
