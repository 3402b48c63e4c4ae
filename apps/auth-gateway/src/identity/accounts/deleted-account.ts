/** Makes the address of a deleted account. It receives no mail and cannot be used to sign in. */
export const makeDeletedEmail = (id: string): string => `${id}${DELETED_DOMAIN}`;

const DELETED_DOMAIN = '@erased.invalid';

/**
 * SET list of the `UPDATE users` that deletes an account. It removes personal data and rights from
 * the row. Every account deletion uses it, so that none of them misses a new column
 * (`deleted-account.spec.ts` checks the columns).
 */
export const SET_DELETED = `email = id || '${DELETED_DOMAIN}', email_canonical = id || '${DELETED_DOMAIN}', password_hash = NULL, first_name = NULL,
  last_name = NULL, nickname = NULL, role = 'user', scopes = '{}', denied_scopes = '{}', attributes = '{}', confirmation_enabled = NULL, notification_settings = NULL,
  agency_id = NULL, org_id = NULL, cases_user_id = NULL, is_active = false, last_login_at = NULL, erased_at = now()`;
