/** The address of a user who was erased: no mail goes there, and nobody signs in with it. */
export const erasedEmail = (id: string): string => `${id}${ERASED_DOMAIN}`;

const ERASED_DOMAIN = '@erased.invalid';

/**
 * What an `UPDATE users` sets that erases them: nothing personal is left in the row, and nothing that they might do. Whatever erases a user sets this,
 * so that a new column is forgotten by none (`erased-account.spec.ts`).
 */
export const SET_ERASED = `email = id || '${ERASED_DOMAIN}', email_canonical = id || '${ERASED_DOMAIN}', password_hash = NULL, first_name = NULL,
  last_name = NULL, nickname = NULL, role = 'user', scopes = '{}', denied_scopes = '{}', attributes = '{}', confirmation_enabled = NULL, notification_settings = NULL,
  agency_id = NULL, org_id = NULL, cases_user_id = NULL, is_active = false, last_login_at = NULL, erased_at = now()`;
