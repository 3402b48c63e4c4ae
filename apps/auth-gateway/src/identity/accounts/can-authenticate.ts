import type { AuthMethod } from '@platform/contracts';
import type { Row } from '@platform/persistence';
import { AppError } from '@platform/platform';
import type { Tenant } from './tenant.entity.js';
import type { User } from './user.entity.js';

export type AccountState = Row<User, 'isActive'> & Row<Tenant, 'isActive AS tenant_active' | 'allowedAuthMethods'>;

const METHOD_NOT_ALLOWED: Record<AuthMethod, string> = {
  email: 'This tenant does not allow login with e-mail and password.',
  api_key: 'This tenant does not allow API keys.',
};

/**
 * Checks that an account can sign in, before a login issues a credential. Call it only after the
 * person has proved their identity, because a stranger must not learn the state of an account.
 *
 * @param method login method, if the tenant can forbid it. Leave it out for a login that a backend
 * vouches for.
 * @throws AppError 403 `account_disabled` if the user or the tenant is deactivated,
 * `auth_method_not_allowed` if the tenant forbids `method`.
 */
export function assertCanAuthenticate(account: AccountState, method?: AuthMethod): void {
  if (!account.is_active || !account.tenant_active) throw accountDisabledError();
  if (method) assertMethodAllowed(account, method);
}

export const accountDisabledError = (): AppError => new AppError(403, 'account_disabled', 'This account is disabled.');

/** Makes the error 403 for a pending signup: its address is not confirmed. */
export const emailNotVerifiedError = (): AppError => new AppError(403, 'email_not_verified', 'Email not verified');

/**
 * Checks that the tenant allows a login method.
 *
 * @throws AppError 403 `auth_method_not_allowed` if it does not.
 */
export function assertMethodAllowed(
  { allowed_auth_methods }: Pick<AccountState, 'allowed_auth_methods'>,
  method: AuthMethod,
): void {
  if (!allowed_auth_methods.includes(method))
    throw new AppError(403, 'auth_method_not_allowed', METHOD_NOT_ALLOWED[method]);
}

/**
 * True if a user who has proved their identity earlier can still sign in: the user and the tenant
 * are active.
 */
export const canAuthenticate = ({ is_active, tenant_active }: AccountState): boolean => is_active && tenant_active;
