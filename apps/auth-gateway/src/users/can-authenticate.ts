import { AppError } from '@platform/platform';

export interface AccountState {
  is_active: boolean;
  tenant_active: boolean;
  email_verified_at: Date | null;
}

/**
 * The one gate before a credential is issued, whatever the way to it. Call it only after the caller has proved who they are: a
 * stranger must not learn the state of an account.
 *
 * @throws AppError 403 `account_disabled` or `email_not_verified`.
 */
export function assertCanAuthenticate(account: AccountState): void {
  if (!account.is_active || !account.tenant_active) throw new AppError(403, 'account_disabled', 'This account is disabled.');
  if (!account.email_verified_at) throw new AppError(403, 'email_not_verified', 'Email not verified');
}

/** The same as a question. */
export const canAuthenticate = ({ is_active, tenant_active, email_verified_at }: AccountState): boolean =>
  is_active && tenant_active && email_verified_at !== null;
