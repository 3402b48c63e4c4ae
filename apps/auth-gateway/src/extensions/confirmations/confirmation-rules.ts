import type { ActionType, MySettings, RoleResponse } from '@platform/contracts';
import type { CalledFunction } from '../calls/system-extension.js';

/** What decides whether a user is asked: their role, and they themselves where it leaves that to them. */
export type ConfirmationRules = Pick<RoleResponse, 'confirmation_policy'> & MySettings;

/**
 * Whether a user is asked before a function that writes or destroys, or costs something: one that only reads, then, as one that writes.
 *
 * @param isBypassed whether the client says that it has their consent. That is the word of a program, so it counts only where nobody decided
 *   that they are asked.
 */
export function asksFirst(
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

/** Whether it may move money: what the platform's extensions for that do beside reading, and what needs their scopes for more than reading. */
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
