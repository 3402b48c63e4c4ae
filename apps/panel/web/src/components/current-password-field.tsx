import { hasCode, type Problem } from '../api/problem.js';
import { PasswordField } from './password-field.js';

/**
 * Field for the password of the signed-in user, to confirm their identity. Its name in a form is
 * `current_password`.
 */
export const CurrentPasswordField = () => (
  <PasswordField
    name="current_password"
    label="Current password"
    autoComplete="current-password"
    required
    missing="Enter your current password."
  />
);

/** The error of a wrong password, shown at its field; null for any other error. */
export const wrongPassword = (error: Error): Problem | null =>
  hasCode(error, 'password.current_invalid')
    ? { kind: 'fields', fields: { current_password: 'This is not your current password.' }, other: [] }
    : null;
