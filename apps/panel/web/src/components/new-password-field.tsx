import { PasswordField } from './password-field.js';

const MIN_LENGTH = 8;

interface NewPasswordFieldProps {
  name: string;
  label: string;
  missing: string;
}

/** A password to be set. */
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
