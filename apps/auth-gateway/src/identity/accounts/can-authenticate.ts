import type { AuthMethod } from '@platform/contracts';
import type { Row } from '@platform/persistence';
import { AppError } from '@platform/platform';
import type { Tenant } from './tenant.entity.js';
import type { User } from './user.entity.js';

export type AccountState = Row<User, 'isActive' | 'emailVerifiedAt'> & Row<Tenant, 'isActive AS tenant_active' | 'allowedAuthMethods'>;

const METHOD_NOT_ALLOWED: Record<AuthMethod, string> = {
  email: 'Nobody signs in to this tenant with e-mail and password.',
  api_key: 'This tenant takes no API keys.',
};

/**
 * The one gate before a credential is issued, whatever the way to it. Call it only after the caller has proved who they are: a
 * stranger must not learn the state of an account.
 *
 * @param method how they proved it, where that is for the tenant to allow: a trusted backend that vouches for somebody needs no leave.
 * @throws AppError 403 `account_disabled`, `auth_method_not_allowed` or `email_not_verified`.
 */
export function assertCanAuthenticate(account: AccountState, method?: AuthMethod): void {
  if (!account.is_active || !account.tenant_active) throw accountDisabled();
  if (method) assertMethodAllowed(account, method);
  if (!account.email_verified_at) throw emailNotVerified();
}

export const accountDisabled = (): AppError => new AppError(403, 'account_disabled', 'This account is disabled.');

/** Of an account, or of a signup that is to become one. */
export const emailNotVerified = (): AppError => new AppError(403, 'email_not_verified', 'Email not verified');

/** @throws AppError 403 `auth_method_not_allowed`. */
export function assertMethodAllowed({ allowed_auth_methods }: Pick<AccountState, 'allowed_auth_methods'>, method: AuthMethod): void {
  if (!allowed_auth_methods.includes(method)) throw new AppError(403, 'auth_method_not_allowed', METHOD_NOT_ALLOWED[method]);
}

/** Whether somebody who proved before who they are may go on. */
export const canAuthenticate = ({ is_active, tenant_active, email_verified_at }: AccountState): boolean =>
  is_active && tenant_active && email_verified_at !== null;
