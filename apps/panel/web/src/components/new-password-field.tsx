import { PasswordField } from './password-field.js';

const MIN_LENGTH = 8;

interface NewPasswordFieldProps {
  name: string;
  label: string;
  missing: string;
}

/** A field for a new password. */
export function NewPasswordField({ name, label, missing }: NewPasswordFieldProps) {
  return (
    <PasswordField
      name={name}
      label={label}
      autoComplete="new-password"
      required
      minLength={MIN_LENGTH}
      missing={missing}
      hint={`At least ${MIN_LENGTH} characters. A few unrelated words make a good one.`}
    />
  );
}
