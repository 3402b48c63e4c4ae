import { hasCode, type Problem } from '../api/problem.js';
import { PasswordField } from './password-field.js';

/** The password of who is signed in, which shows that it is them. Its name in a form is `current_password`. */
export const CurrentPasswordField = () => (
  <PasswordField
    name="current_password"
    label="Current password"
    autoComplete="current-password"
    required
    missing="Enter your current password."
  />
);

/** The refusal of a wrong password, shown at the field; null for any other error. */
export const wrongPassword = (error: Error): Problem | null =>
  hasCode(error, 'password.current_invalid')
    ? { kind: 'fields', fields: { current_password: 'This is not your current password.' }, other: [] }
    : null;
